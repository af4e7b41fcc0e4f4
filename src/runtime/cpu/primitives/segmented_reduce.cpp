// One result for each segment, by the wide tree of ir/reduction_tree.hpp over its own elements.
#include <algorithm>
#include <array>
#include <vector>

#include "ir/combine.hpp"
#include "ir/reduction_tree.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

using ir::wide_lanes;
using ir::wide_tile;

template <class T, Reduction reduction>
T reduce_tile(const T* elements, int64_t count) {
  std::array<T, wide_lanes> lanes;
  int64_t span = 1;  // lanes that matter: the others would only add the neutral element
  while (span < std::min(count, wide_lanes)) span *= 2;
  std::fill_n(lanes.begin(), span, ir::identity<T>(reduction));
  for (int64_t i = 0; i < count; ++i) {
    T& lane = lanes[static_cast<size_t>(i % wide_lanes)];
    lane = ir::combine<reduction>(lane, elements[i]);
  }
  for (int64_t half = span / 2; half > 0; half /= 2)
    for (int64_t k = 0; k < half; ++k)
      lanes[static_cast<size_t>(k)] = ir::combine<reduction>(lanes[static_cast<size_t>(k)],
                                                             lanes[static_cast<size_t>(k + half)]);
  return lanes[0];
}

template <class T, Reduction reduction>
T reduce_segment(const T* elements, int64_t count) {
  if (count == 0) return from_bits<T>(ir::empty_result(reduction, element_type<T>).bits);
  if (count <= wide_tile) return reduce_tile<T, reduction>(elements, count);
  const auto tiles = static_cast<size_t>((count + wide_tile - 1) / wide_tile);
  const auto totals = std::make_unique<T[]>(tiles);
  for (size_t t = 0; t < tiles; ++t) {
    const int64_t begin = static_cast<int64_t>(t) * wide_tile;
    totals[t] = reduce_tile<T, reduction>(elements + begin, std::min(wide_tile, count - begin));
  }
  return reduce_segment<T, reduction>(totals.get(), static_cast<int64_t>(tiles));
}

}  // namespace

void segmented_reduce(const PrimitiveArguments& arguments) {
  const ir::Offsets offsets = arguments.checked_offsets(1, arguments.elements(0));
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    ir::visit_reduction<T>(arguments.step.reduction, [&](auto reduction) {
      for (int64_t s = 0; s < offsets.segments(); ++s)
        arguments.output<T>()[s] = reduce_segment<T, decltype(reduction)::value>(
            arguments.input<T>(0) + offsets[s], offsets[s + 1] - offsets[s]);
    });
  });
}

}  // namespace tutti::runtime
