// The indices of the first elements of an order. Each part of the vector keeps its best candidates,
// at most twice as many as requested. Few elements come before the last candidate, so most are only
// compared with it. If many elements are requested, all are sorted.
#include <cstring>
#include <mutex>

#include "core/elements/convert.hpp"
#include "numerics/sort_key.hpp"
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/cpu/primitives/radix_sort.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t least_part = 1 << 16;
constexpr int64_t block_elements = 256;  // compared together before single elements are examined
// All are sorted if more than this fraction of the elements is requested.
constexpr int64_t many_of = 32;

template <class T, class I>
class TopK {
 public:
  explicit TopK(const PrimitiveArguments& arguments)
      : keys_(arguments.input<T>(0)),
        out_(arguments.output<I>()),
        elements_(arguments.elements(0)),
        count_(arguments.step.shape[0]),
        descending_(arguments.step.get<ir::SortOrder>() == ir::SortOrder::descending) {}

  void run() const {
    if (count_ > elements_ / many_of) return sort_all();
    std::vector<Candidate> best;
    std::mutex mutex;
    const int64_t part = std::max({least_part, many_of * count_, elements_ / (4 * cpu_threads())});
    in_parts(elements_, part, [&](int64_t begin, int64_t end) {
      const std::vector<Candidate> found = best_of(begin, end);
      const std::lock_guard lock(mutex);
      best.insert(best.end(), found.begin(), found.end());
    });
    keep_first(best);
    std::sort(best.begin(), best.end());
    for (size_t i = 0; i < best.size(); ++i) out_[i] = static_cast<I>(best[i].index);
  }

 private:
  using Key = ir::UnsignedOf<sizeof(T)>;
  // No two are equal, so the order in which parts finish does not matter.
  struct Candidate {
    Key key;
    int64_t index;
    auto operator<=>(const Candidate&) const = default;
  };

  Key key(int64_t i) const { return ir::sort_key(keys_[i], descending_); }

  void keep_first(std::vector<Candidate>& best) const {
    if (static_cast<int64_t>(best.size()) <= count_) return;
    std::nth_element(best.begin(), best.begin() + (count_ - 1), best.end());
    best.resize(static_cast<size_t>(count_));
  }

  bool any_before(Key limit, int64_t begin, int64_t end) const {
    bool any = false;
    for (int64_t i = begin; i < end; ++i) any |= key(i) < limit;
    return any;
  }

  // Later elements with an equal key rank later: once there are enough, only lesser keys matter.
  std::vector<Candidate> best_of(int64_t begin, int64_t end) const {
    std::vector<Candidate> best;
    const auto most = static_cast<size_t>(std::min(2 * count_, end - begin));
    best.reserve(most);
    bool enough = false;
    Key limit = 0;
    for (int64_t block = begin; block < end; block += block_elements) {
      const int64_t stop = std::min(end, block + block_elements);
      if (enough && !any_before(limit, block, stop)) continue;
      for (int64_t i = block; i < stop; ++i) {
        if (enough && key(i) >= limit) continue;
        best.push_back({key(i), i});
        if (static_cast<int64_t>(best.size()) < 2 * count_) continue;
        keep_first(best);
        limit = best.back().key;
        enough = true;
      }
    }
    keep_first(best);
    return best;
  }

  void sort_all() const {
    const auto n = static_cast<size_t>(elements_);
    const ir::BufferRef order = allocate(n * sizeof(I)), other = allocate(n * sizeof(I)),
                        keys = allocate(2 * n * sizeof(T));
    using Position = ir::UnsignedOf<sizeof(I)>;
    SortTask<T, Position> task;
    task.keys = keys_;
    task.count = elements_;
    task.descending = descending_;
    task.out = order->data();
    task.other = other->data();
    task.key_memory = keys->data();
    RadixSort<T, Position>(task).run(true);
    std::memcpy(out_, order->data(), static_cast<size_t>(count_) * sizeof(I));
  }

  const T* keys_;
  I* out_;
  const int64_t elements_, count_;
  const bool descending_;
};

}  // namespace

void top_k(const PrimitiveArguments& arguments) {
  visit_type(arguments.step.inputs[0].type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (arguments.step.type == ElementType::i64)
      TopK<T, int64_t>(arguments).run();
    else
      TopK<T, int32_t>(arguments).run();
  });
}

}  // namespace tutti::runtime
