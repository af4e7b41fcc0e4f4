// Values put at computed places, one after the other: collisions are settled in their order.
#include <cstring>
#include <vector>

#include "ir/combine.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

// The place in base that value i goes to, or -1 when it lies outside.
template <class I>
int64_t place_of(const PrimitiveArguments& arguments, int64_t i) {
  const passes::Extents& shape = arguments.step.shape;
  int64_t position = 0;
  for (int axis = 0; axis < shape.rank; ++axis) {
    const int64_t at = arguments.input<I>(static_cast<size_t>(axis) + 2)[i];
    if (at < 0 || at >= shape[axis]) return -1;
    position = position * shape[axis] + at;
  }
  return position;
}

template <class I, class F>
void for_each_place(const PrimitiveArguments& arguments, F f) {
  for (int64_t i = 0; i < arguments.elements(1); ++i)
    if (const int64_t at = place_of<I>(arguments, i); at >= 0) f(i, at);
}

template <class T, Reduction reduction, class I>
void combine_values(const PrimitiveArguments& arguments) {
  const T* values = arguments.input<T>(1);
  T* out = arguments.output<T>();
  for_each_place<I>(arguments, [&](int64_t i, int64_t at) {
    out[at] = ir::combine<reduction>(out[at], values[i]);
  });
}

template <class T, class I>
void scatter_as(const PrimitiveArguments& arguments) {
  const T* values = arguments.input<T>(1);
  T* out = arguments.output<T>();
  constexpr bool logical = std::is_same_v<T, bool>;
  switch (static_cast<Collision>(arguments.step.mode)) {
    case Collision::sum:
      if constexpr (ir::combines<T>(Reduction::sum))
        combine_values<T, Reduction::sum, I>(arguments);
      break;
    case Collision::min:
      combine_values<T, logical ? Reduction::all : Reduction::min, I>(arguments);
      break;
    case Collision::max:
      combine_values<T, logical ? Reduction::any : Reduction::max, I>(arguments);
      break;
    case Collision::first: {
      std::vector<bool> written(static_cast<size_t>(arguments.step.shape.size()), false);
      for_each_place<I>(arguments, [&](int64_t i, int64_t at) {
        if (!written[static_cast<size_t>(at)]) out[at] = values[i];
        written[static_cast<size_t>(at)] = true;
      });
      break;
    }
    case Collision::any:
    case Collision::last:
      for_each_place<I>(arguments, [&](int64_t i, int64_t at) { out[at] = values[i]; });
      break;
  }
}

}  // namespace

void scatter(const PrimitiveArguments& arguments) {
  const auto bytes =
      static_cast<size_t>(arguments.step.shape.size() * int64_t{size_of(arguments.step.type)});
  std::memcpy(arguments.output<void>(), arguments.input<void>(0), bytes);
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (arguments.step.inputs[2].type == ElementType::i64)
      scatter_as<T, int64_t>(arguments);
    else
      scatter_as<T, int32_t>(arguments);
  });
}

}  // namespace tutti::runtime
