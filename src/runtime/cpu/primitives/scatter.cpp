// Values put at computed indices. Threads sort parts of the values by the range of indices that
// they go to; then each range is written by one thread, part by part: collisions are settled in the
// order of the values, whatever the number of threads. Integers, whose order does not matter, are
// combined in tables of the threads where the result is small: histograms.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "numerics/combine.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t values_worth_threads = 1 << 15;
// One thread takes about 4 ns for each of 10^6 values (AVX-512, November 2026); sorting them first
// is more work in all. Not tuned: no machine with that many cores was at hand.
constexpr int64_t threads_worth_sorting = 4;
constexpr int64_t ranges_per_thread = 4;  // indices may be used unevenly
constexpr int64_t table_bytes = 1 << 18;  // of a thread: half of a second-level cache of 512 KB
constexpr int64_t near_bytes = 1 << 13;   // of a table, four of which fit a first-level cache
constexpr int64_t values_per_index = 4;   // at least: a table must be initialised and combined
constexpr int64_t copy_task = 1 << 20;    // bytes

template <class T, class I>
class Scatter {
 public:
  explicit Scatter(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        shape_(arguments.step.shape),
        count_(arguments.elements(1)),
        values_(arguments.input<T>(1)),
        out_(arguments.output<T>()) {}

  void run() {
    constexpr bool logical = std::is_same_v<T, bool>;
    switch (arguments_.step.get<Collision>()) {
      case Collision::sum:
        if constexpr (ir::combines<T>(Reduction::sum)) combine<Reduction::sum>();
        return;
      case Collision::min:
        return combine<logical ? Reduction::all : Reduction::min>();
      case Collision::max:
        return combine<logical ? Reduction::any : Reduction::max>();
      case Collision::first:  // the last one to write is the first of the list
        return for_each_place<true>([&](int64_t i, int64_t at) { out_[at] = values_[i]; });
      case Collision::any:
      case Collision::last:
        return for_each_place<false>([&](int64_t i, int64_t at) { out_[at] = values_[i]; });
    }
  }

 private:
  template <Reduction reduction>
  void combine() {
    const int64_t indices = shape_.size();
    if constexpr (std::is_integral_v<T>)
      if (count_ >= values_worth_threads && count_ / values_per_index >= indices &&
          indices * static_cast<int64_t>(sizeof(T)) <= table_bytes) {
        if (shape_.rank != 1)
          return combine_in_tables<reduction>([this](int64_t i) { return place_of(i); });
        const I* index = arguments_.input<I>(2);
        return combine_in_tables<reduction>([index](int64_t i) { return int64_t{index[i]}; });
      }
    for_each_place<false>(
        [&](int64_t i, int64_t at) { out_[at] = ir::combine<reduction>(out_[at], values_[i]); });
  }

  // Each thread has tables of its own. Neighbouring values alternate between several, so that equal
  // indices do not wait for each other's stores.
  template <Reduction reduction, class Index>
  void combine_in_tables(Index index_of) {
    const int64_t indices = shape_.size();
    const int64_t parts = std::clamp<int64_t>(count_ / values_worth_threads, 1, cpu_threads());
    const int64_t copies = indices * static_cast<int64_t>(sizeof(T)) <= near_bytes ? 4 : 1;
    const ir::BufferRef memory =
        allocate(static_cast<size_t>(parts * copies * indices) * sizeof(T));
    T* const tables = static_cast<T*>(memory->data());
    parallel_for(parts, [&, index_of](int64_t part) {
      T* const table = tables + part * copies * indices;
      std::fill_n(table, copies * indices, neutral<reduction>());
      const T* const values = values_;
      const auto limit = static_cast<uint64_t>(indices);
      for (int64_t i = count_ * part / parts, end = count_ * (part + 1) / parts; i < end; ++i) {
        const int64_t at = index_of(i);
        if (static_cast<uint64_t>(at) >= limit) continue;
        T& to = table[(i & (copies - 1)) * indices + at];
        to = ir::combine<reduction>(to, values[i]);
      }
    });
    in_parts(indices, values_worth_threads, [&](int64_t begin, int64_t end) {
      for (int64_t t = 0; t < parts * copies; ++t)
        for (int64_t at = begin; at < end; ++at)
          out_[at] = ir::combine<reduction>(out_[at], tables[t * indices + at]);
    });
  }

  template <Reduction reduction>
  static constexpr T neutral() {
    if constexpr (reduction == Reduction::min) return std::numeric_limits<T>::max();
    if constexpr (reduction == Reduction::max) return std::numeric_limits<T>::lowest();
    return T{reduction == Reduction::all};
  }

  // f(i, place) for the values that have one, each place in the order of the values (or the
  // reverse).
  template <bool backwards, class F>
  void for_each_place(F f) {
    const int64_t threads = cpu_threads();
    if (count_ >= values_worth_threads && threads >= threads_worth_sorting)
      return for_each_range<backwards>(threads, f);
    const auto targets = static_cast<uint64_t>(shape_.size());
    for (int64_t k = 0; k < count_; ++k) {
      const int64_t i = backwards ? count_ - 1 - k : k;
      const int64_t at = place_of(i);
      if (static_cast<uint64_t>(at) < targets) f(i, at);
    }
  }

  template <bool backwards, class F>
  void for_each_range(int64_t threads, F f) {
    const int64_t targets = shape_.size();
    const int shift =
        std::bit_width(static_cast<uint64_t>(targets / (ranges_per_thread * threads)));
    const int64_t ranges = ((targets - 1) >> shift) + 1;
    // The values of each part, by the range that they go to; ends[part][range] is where they end.
    const ir::BufferRef memory = allocate(static_cast<size_t>(count_) * sizeof(int64_t));
    auto* sorted = static_cast<int64_t*>(memory->data());
    std::vector<std::vector<int64_t>> ends(static_cast<size_t>(threads));
    const auto first_of = [&](int64_t part) { return count_ * part / threads; };
    const auto for_each_of = [&](int64_t part, auto body) {
      for (int64_t i = first_of(part); i < first_of(part + 1); ++i)
        if (const auto at = static_cast<uint64_t>(place_of(i)); at < static_cast<uint64_t>(targets))
          body(i, at >> shift);
    };
    parallel_for(threads, [&](int64_t part) {
      std::vector<int64_t> next(static_cast<size_t>(ranges) + 1, 0);
      next[0] = first_of(part);
      for_each_of(part, [&](int64_t, uint64_t range) { ++next[range + 1]; });
      std::partial_sum(next.begin(), next.end(), next.begin());
      for_each_of(part, [&](int64_t i, uint64_t range) { sorted[next[range]++] = i; });
      ends[static_cast<size_t>(part)] = std::move(next);
    });
    parallel_for(
        ranges,
        [&](int64_t range) {
          for (int64_t k = 0; k < threads; ++k) {
            const int64_t part = backwards ? threads - 1 - k : k;
            const std::vector<int64_t>& end = ends[static_cast<size_t>(part)];
            const auto r = static_cast<size_t>(range);
            const int64_t first = r == 0 ? first_of(part) : end[r - 1], count = end[r] - first;
            for (int64_t j = 0; j < count; ++j) {
              const int64_t i = sorted[backwards ? end[r] - 1 - j : first + j];
              f(i, place_of(i));
            }
          }
        },
        Tasks::uneven);
  }

  // The place in base that value i goes to; outside of it, a number that no place has.
  int64_t place_of(int64_t i) const {
    if (shape_.rank == 1) return arguments_.input<I>(2)[i];
    int64_t position = 0;
    for (int axis = 0; axis < shape_.rank; ++axis) {
      const int64_t at = arguments_.input<I>(static_cast<size_t>(axis) + 2)[i];
      if (at < 0 || at >= shape_[axis]) return -1;
      position = position * shape_[axis] + at;
    }
    return position;
  }

  const PrimitiveArguments& arguments_;
  const compiler::Extents& shape_;
  const int64_t count_;
  const T* values_;
  T* out_;
};

}  // namespace

void scatter(const PrimitiveArguments& arguments) {
  auto* out = arguments.output<char>();
  const auto* base = arguments.input<char>(0);
  const int64_t bytes = arguments.step.shape.size() * size_of(arguments.step.type);
  if (out != base)  // else the base is written over
    in_parts(bytes, copy_task, [&](int64_t begin, int64_t end) {
      std::memcpy(out + begin, base + begin, static_cast<size_t>(end - begin));
    });
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (arguments.step.inputs[2].type == ElementType::i64)
      Scatter<T, int64_t>(arguments).run();
    else
      Scatter<T, int32_t>(arguments).run();
  });
}

}  // namespace tutti::runtime
