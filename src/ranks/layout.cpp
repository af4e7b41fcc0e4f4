#include "ranks/layout.hpp"

#include <numeric>

#include "numerics/reduction_tree.hpp"

namespace tutti::ranks {
namespace {

// Parts of fewer units than this differ too much in size.
constexpr int64_t least_units = 16;

// Returns the number of rows that are whole tiles of reductions over all elements and over rows.
int64_t unit_of(int64_t rows, int64_t row_elements, int ranks) {
  const int64_t wide = ir::wide_tile / std::gcd(ir::wide_tile, row_elements);
  const int64_t column = ir::column_tile;
  for (int64_t unit : {std::lcm(wide, column * column), std::lcm(wide, column), wide, column})
    if (rows >= unit * ranks * least_units) return unit;
  return 1;
}

}  // namespace

Layout layout_along(const Extents& shape, int axis, int ranks) {
  Layout layout;
  layout.axis = axis;
  const int64_t rows = shape[axis];
  int64_t row_elements = 1;
  for (int i = axis + 1; i < shape.rank; ++i) row_elements *= std::max<int64_t>(1, shape[i]);
  const int64_t unit = unit_of(rows, row_elements, ranks);
  const int64_t units = (rows + unit - 1) / unit;
  for (int r = 0; r <= ranks; ++r)
    layout.offsets.push_back(std::min(rows, unit * (units * r / ranks)));
  return layout;
}

Layout usual_layout(const Extents& shape, int ranks) {
  int axis = 0;
  while (axis + 1 < shape.rank && shape[axis] < ranks) ++axis;
  return layout_along(shape, shape[axis] < ranks ? 0 : axis, ranks);
}

}  // namespace tutti::ranks
