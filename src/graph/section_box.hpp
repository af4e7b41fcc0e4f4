// The memory layout of a written section. In: the map of a write_section node, the shapes of its
// array and of its values. Out: extents and strides with as few axes as possible, which enumerate
// the values in row-major order.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

struct SectionBox {
  int rank = 0;                             // at least 1
  std::array<int64_t, max_rank> extents{};  // no axis of one element, unless it is the only one
  std::array<int64_t, max_rank> strides{};  // in elements of the array; may be negative
  int64_t first = 0;                        // the element that receives the first value

  // Returns the number of consecutive values that are contiguous in the array.
  int64_t run() const {
    const auto inner = static_cast<size_t>(rank - 1);
    return strides[inner] == 1 ? extents[inner] : 1;
  }
  // Returns the element that receives value i.
  int64_t element(int64_t i) const {
    int64_t result = first;
    for (int axis = rank - 1; axis > 0; --axis) {
      result += i % extents[static_cast<size_t>(axis)] * strides[static_cast<size_t>(axis)];
      i /= extents[static_cast<size_t>(axis)];
    }
    return result + i * strides[0];
  }
};

inline SectionBox section_box(const AffineMap& map, const Extents& array, const Extents& values) {
  SectionBox box;
  std::array<int64_t, max_rank> extents{}, strides{};  // the innermost axis first
  int64_t stride = 1;
  int rank = 0;
  for (int axis = array.rank - 1; axis >= 0; --axis) {
    const AxisMap& m = map.axes[static_cast<size_t>(axis)];
    box.first += m.offset * stride;
    const int64_t step = m.stride * stride;
    stride *= array[axis];
    if (values[axis] == 1) continue;
    const auto last = static_cast<size_t>(rank - 1);
    if (rank > 0 && step == strides[last] * extents[last]) {  // the two axes are contiguous
      extents[last] *= values[axis];
      continue;
    }
    extents[static_cast<size_t>(rank)] = values[axis];
    strides[static_cast<size_t>(rank)] = step;
    ++rank;
  }
  if (rank == 0) extents[0] = strides[0] = rank = 1;
  box.rank = rank;
  for (int axis = 0; axis < rank; ++axis) {
    box.extents[static_cast<size_t>(axis)] = extents[static_cast<size_t>(rank - 1 - axis)];
    box.strides[static_cast<size_t>(axis)] = strides[static_cast<size_t>(rank - 1 - axis)];
  }
  return box;
}

}  // namespace tutti::ir
