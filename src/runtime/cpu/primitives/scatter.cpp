// Values put at computed places. Each thread owns a range of the places, looks at all indices and
// takes its own: collisions are settled in the order of the values, whatever the number of threads.
#include <cstring>

#include "ir/combine.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t values_worth_threads = 1 << 15;
constexpr int64_t copy_task = 1 << 20;  // bytes

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
    switch (static_cast<Collision>(arguments_.step.mode)) {
      case Collision::sum:
        if constexpr (ir::combines<T>(Reduction::sum)) combine<Reduction::sum>();
        return;
      case Collision::min:
        return combine < logical ? Reduction::all : Reduction::min > ();
      case Collision::max:
        return combine < logical ? Reduction::any : Reduction::max > ();
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
    for_each_place<false>(
        [&](int64_t i, int64_t at) { out_[at] = ir::combine<reduction>(out_[at], values_[i]); });
  }

  // f(i, place) for the values that have one, each place in the order of the values (or the
  // reverse).
  template <bool backwards, class F>
  void for_each_place(F f) {
    const int64_t places = shape_.size();
    const int64_t owners = count_ < values_worth_threads ? 1 : cpu_threads();
    const auto own = [&](int64_t owner) {
      const auto low = static_cast<uint64_t>(places * owner / owners);
      const auto span = static_cast<uint64_t>(places * (owner + 1) / owners) - low;
      for (int64_t k = 0; k < count_; ++k) {
        const int64_t i = backwards ? count_ - 1 - k : k;
        const int64_t at = place_of(i);
        if (static_cast<uint64_t>(at) - low < span) f(i, at);
      }
    };
    owners == 1 ? own(0) : parallel_for(owners, own);
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
  const passes::Extents& shape_;
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
