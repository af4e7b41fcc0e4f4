// Stable sorting by the keys of ir/sort_key.hpp.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/convert.hpp"
#include "ir/sort_key.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

template <class T>
std::vector<int64_t> order_of(const PrimitiveArguments& arguments, size_t offsets_input) {
  const int64_t n = arguments.elements(0);
  const T* keys = arguments.input<T>(0);
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto key = [&](int64_t i) { return ir::sort_key(keys[i], arguments.step.mode); };
  const auto sort_range = [&](int64_t begin, int64_t end) {
    std::stable_sort(order.begin() + begin, order.begin() + end,
                     [&](int64_t a, int64_t b) { return key(a) < key(b); });
  };
  if (offsets_input < arguments.step.inputs.size()) {
    const ir::Offsets offsets = arguments.checked_offsets(offsets_input, n);
    for (int64_t s = 0; s < offsets.segments(); ++s) sort_range(offsets[s], offsets[s + 1]);
  } else {
    sort_range(0, n);
  }
  return order;
}

}  // namespace

void sort(const PrimitiveArguments& arguments) {
  const bool gives_values = arguments.step.kind == ir::Kind::sort_values;
  const std::vector<int64_t> order = visit_type(arguments.step.inputs[0].type, [&](auto tag) {
    return order_of<typename decltype(tag)::type>(arguments, gives_values ? 2 : 1);
  });
  if (!gives_values) {
    if (arguments.step.type == ElementType::i64)
      std::copy(order.begin(), order.end(), arguments.output<int64_t>());
    else
      std::transform(order.begin(), order.end(), arguments.output<int32_t>(),
                     [](int64_t i) { return static_cast<int32_t>(i); });
    return;
  }
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (size_t i = 0; i < order.size(); ++i)
      arguments.output<T>()[i] = arguments.input<T>(1)[order[i]];
  });
}

}  // namespace tutti::runtime
