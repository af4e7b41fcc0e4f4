#include "graph/extreme_position.hpp"

#include <algorithm>
#include <limits>

#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "graph/terms.hpp"

namespace tutti::ir {
namespace {

constexpr int64_t low_bits = 0xffffffff;
// Shorter vectors are searched as a whole: that is cheaper than more kernels.
constexpr int64_t least_split = 1 << 16;
constexpr int64_t row_of_vector = 4096;

NodeRef wide(int64_t value, const Location& where) {
  return number(value, ElementType::i64, where);
}

// Returns the rank of elements: greater for more extreme ones, in int64 with at most 32 significant
// bits. A minimum is the maximum of the negated elements.
NodeRef rank_of(Reduction max_or_min, const NodeRef& elements, const Location& where) {
  const bool greatest = max_or_min == Reduction::max;
  if (is_floating(elements->type)) {  // zeros become +0
    const NodeRef zero = number(0, elements->type, where);
    const NodeRef value = apply(greatest ? Op::add : Op::subtract, zero, elements, where);
    return make_cast(apply(Op::ordinal, value, where), ElementType::i64, where);
  }
  NodeRef value = make_cast(elements, ElementType::i64, where);
  if (elements->type == ElementType::u32)
    value = apply(Op::subtract, value, wide(int64_t{1} << 31, where), where);
  return greatest ? value : apply(Op::bit_not, value, where);
}

// Returns flags: whether elements equal the result of their reduction, or both are NaN.
NodeRef equals_extreme(const NodeRef& elements, const NodeRef& extreme, const Location& where) {
  NodeRef equal = apply(Op::equal, elements, extreme, where);
  if (!is_floating(elements->type)) return equal;
  return apply(Op::logical_or, equal,
               apply(Op::logical_and, apply(Op::is_nan, elements, where),
                     apply(Op::is_nan, extreme, where), where),
               where);
}

NodeRef least_where(const NodeRef& condition, const NodeRef& positions, std::span<const int> axes,
                    const Location& where) {
  const NodeRef none = wide(std::numeric_limits<int64_t>::max(), where);
  return make_reduce(Reduction::min, apply(Op::choose, condition, positions, none, where), axes,
                     where);
}

// Broadcasts the values along the reduced axes.
NodeRef along(const NodeRef& reduced, const Extents& shape, std::span<const int> axes,
              const Location& where) {
  AffineMap map;
  map.name = "broadcast";
  int kept = 0;
  for (int axis = 0; axis < shape.rank; ++axis)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end())
      map.axes[static_cast<size_t>(kept++)] = {axis, 1, 0};
  return make_affine(reduced, shape, map, where);
}

int64_t count_along(const Extents& shape, std::span<const int> axes) {
  int64_t count = 1;
  for (int axis : axes) count *= shape[axis];
  return count;
}

// Returns row-major positions along some axes.
NodeRef positions_along(const Extents& shape, std::span<const int> axes, const Location& where) {
  const bool narrow = count_along(shape, axes) <= std::numeric_limits<int32_t>::max();
  const ElementType type = narrow ? ElementType::i32 : ElementType::i64;
  NodeRef position;
  for (int axis = 0; axis < shape.rank; ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) continue;
    NodeRef here = make_index(shape, axis, where);
    if (!narrow) here = make_cast(here, type, where);
    if (position)
      here = apply(Op::add, apply(Op::multiply, position, number(shape[axis], type, where), where),
                   here, where);
    position = here;
  }
  return position;
}

// Searches in two passes: the extreme, then its position.
NodeRef search(const NodeRef& input, const NodeRef& extreme, std::span<const int> axes,
               const Location& where) {
  const NodeRef here = along(extreme, input->shape, axes, where);
  const NodeRef positions =
      make_cast(positions_along(input->shape, axes, where), ElementType::i64, where);
  return least_where(equals_extreme(input, here, where), positions, axes, where);
}

// Returns the extremes of rows: along the last axis of an array, or of parts of a vector.
NodeRef extremes_of_rows(Reduction max_or_min, const NodeRef& input, const Location& where) {
  if (input->shape.rank > 1) {
    const int last = input->shape.rank - 1;
    return make_reduce(max_or_min, input, {&last, 1}, where);
  }
  const int64_t extent = input->shape[0], rows = (extent - 1) / row_of_vector + 1;
  Extents bounds;
  bounds.push_back(rows + 1);
  const NodeRef multiples =
      apply(Op::multiply, make_cast(make_index(bounds, 0, where), ElementType::i64, where),
            wide(row_of_vector, where), where);
  const NodeRef offsets = apply(Op::min, multiples, wide(extent, where), where);
  offsets->trusted_offsets = true;
  return make_segmented_reduce(max_or_min, input, offsets, where);
}

// Searches row by row: the extremes of rows, the first row with the overall extreme, then the
// position within that row.
NodeRef search_row(Reduction max_or_min, const NodeRef& input, const Location& where) {
  const Extents& shape = input->shape;
  const int last = shape.rank - 1;
  const NodeRef rows = extremes_of_rows(max_or_min, input, where);
  std::vector<int> all(static_cast<size_t>(rows->shape.rank));
  for (int axis = 0; axis < rows->shape.rank; ++axis) all[static_cast<size_t>(axis)] = axis;
  const NodeRef extreme = make_reduce(max_or_min, rows, all, where);
  const NodeRef row = search(rows, extreme, all, where);
  Extents line;
  line.push_back(last > 0 ? shape[last] : row_of_vector);
  NodeRef along_row = make_index(line, 0, where);
  const NodeRef first = apply(Op::multiply, row, wide(line[0], where), where);
  std::vector<NodeRef> indices(static_cast<size_t>(shape.rank));
  NodeRef rest = row;
  for (int axis = last - 1; axis >= 0; --axis) {
    const NodeRef extent = wide(shape[axis], where);
    indices[static_cast<size_t>(axis)] = make_broadcast(
        make_cast(apply(Op::remainder, rest, extent, where), ElementType::i32, where), line, where);
    rest = apply(Op::divide, rest, extent, where);
  }
  if (last == 0)  // the last part may be short: repeat its last element
    along_row =
        apply(Op::min, apply(Op::add, along_row, make_cast(first, ElementType::i32, where), where),
              number(shape[0] - 1, ElementType::i32, where), where);
  indices[static_cast<size_t>(last)] = along_row;
  const NodeRef elements =
      make_gather(input, indices, Boundary::Kind::clamp, {input->type, 0}, where);
  const int axis = 0;
  const NodeRef in_row =
      least_where(equals_extreme(elements, extreme, where),
                  make_cast(along_row, ElementType::i64, where), {&axis, 1}, where);
  return last == 0 ? in_row : apply(Op::add, first, in_row, where);
}

}  // namespace

bool fits_extreme_key(ElementType type, int64_t positions) {
  return size_of(type) <= 4 && positions <= low_bits;
}

NodeRef make_extreme_key(Reduction max_or_min, const NodeRef& elements, const NodeRef& positions,
                         const Location& where) {
  const NodeRef rank = apply(Op::bit_not, rank_of(max_or_min, elements, where), where);
  return apply(Op::add, apply(Op::shift_left, rank, wide(32, where), where),
               make_cast(positions, ElementType::i64, where), where);
}

NodeRef make_position_of_key(const NodeRef& key, const Location& where) {
  return apply(Op::bit_and, key, wide(low_bits, where), where);
}

NodeRef make_extreme_position(Reduction max_or_min, const NodeRef& input, std::span<const int> axes,
                              const Location& where) {
  const Extents& shape = input->shape;
  const int64_t count = count_along(shape, axes);
  if (fits_extreme_key(input->type, count)) {
    const NodeRef key =
        make_extreme_key(max_or_min, input, positions_along(shape, axes, where), where);
    return make_position_of_key(make_reduce(Reduction::min, key, axes, where), where);
  }
  const bool all = static_cast<int>(axes.size()) == shape.rank;
  if (all && count >= least_split && count <= std::numeric_limits<int32_t>::max())
    return search_row(max_or_min, input, where);
  return search(input, make_reduce(max_or_min, input, axes, where), axes, where);
}

}  // namespace tutti::ir
