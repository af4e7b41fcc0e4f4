// Shared by the parts of the reference interpreter: elements as C++ values, and reductions of them.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "numerics/combine.hpp"
#include "numerics/reduction_tree.hpp"
#include "reference/interpreter.hpp"

namespace tutti::ir {

// Coordinates of the element at a position in row-major order, and the inverse.
using Coordinates = std::array<int64_t, max_rank>;

inline Coordinates coordinates_of(int64_t position, const Extents& shape) {
  Coordinates result{};
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    result[static_cast<size_t>(axis)] = position % shape[axis];
    position /= shape[axis];
  }
  return result;
}
inline int64_t position_of(const Coordinates& at, const Extents& shape) {
  int64_t position = 0;
  for (int axis = 0; axis < shape.rank; ++axis)
    position = position * shape[axis] + at[static_cast<size_t>(axis)];
  return position;
}

// Load and store elements of one node as C++ values.
template <class T>
T load(View bytes, int64_t i) {
  if constexpr (std::is_same_v<T, bool>)
    return bytes[static_cast<size_t>(i)] != std::byte{0};
  else {
    T value;
    std::memcpy(&value, bytes.data() + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
}
template <class T>
void store(Bytes& bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

template <class T>
T combine(Reduction reduction, T a, T b) {
  T result{};
  visit_reduction<T>(reduction, [&](auto tag) { result = combine<decltype(tag)::value>(a, b); });
  return result;
}

// Applies the tree of reduction_tree.hpp to the elements of one result.
template <class T>
T reduce_tree(Reduction reduction, std::vector<T> elements, bool wide) {
  const auto tile = static_cast<size_t>(wide ? wide_tile : column_tile);
  if (elements.empty()) return from_bits<T>(empty_result(reduction, element_type<T>).bits);
  do {
    std::vector<T> results;
    for (size_t begin = 0; begin < elements.size(); begin += tile) {
      const size_t end = std::min(begin + tile, elements.size());
      // Lanes without an element have no effect: few elements need few lanes.
      const size_t lane_count = wide ? std::min<size_t>(wide_lanes, std::bit_ceil(end - begin)) : 1;
      std::array<T, wide_lanes> lanes;
      std::fill_n(lanes.begin(), lane_count, identity<T>(reduction));
      for (size_t i = begin; i < end; ++i) {
        T& lane = lanes[(i - begin) % lane_count];
        lane = combine<T>(reduction, lane, elements[i]);
      }
      for (size_t half = lane_count / 2; half > 0; half /= 2)
        for (size_t k = 0; k < half; ++k)
          lanes[k] = combine<T>(reduction, lanes[k], lanes[k + half]);
      results.push_back(lanes[0]);
    }
    elements.assign(results.begin(), results.end());
  } while (elements.size() > 1);
  return elements[0];
}

}  // namespace tutti::ir
