// Rows that are read at every second, third or fourth element, and gathers whose lanes turn out to
// read neighbours: whole vectors are loaded, and nothing beyond the array.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// Arrays that end with the last element that is read.
TEST(Strided, SectionsOfEveryType) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for (const int step : {2, 3, 4, 5, -1, -2})
      for (const int count : {1, 15, 16, 17, 64, 131}) {
        SCOPED_TRACE(std::to_string(count) + " elements, step " + std::to_string(step));
        const int reach = (count - 1) * std::abs(step) + 1;
        const Array<2, T> a = plain_array<2, T>(Shape<2>(3, reach));
        const int from = step > 0 ? 0 : reach - 1;
        expect_same([&] { return section(a, {{0, 3}, {from, count, step}}); });
      }
  });
}

// The stride of an axis further out, a border rule, and both in one kernel.
TEST(Strided, RowsOfOtherAxes) {
  const Array<3, float> a = plain_array(Shape<3>(9, 70, 3));
  const Array<2, float> b = plain_array(Shape<2>(9, 150));
  expect_same([&] { return drop_dimension(section(a, {{0, 9}, {0, 70}, {2, 1}}), 2) * 2.0f; });
  expect_same([&] {
    const Array<2, float> moved = shift(b, {1, -3});
    return section(moved, {{0, 9}, {1, 70, 2}}) + section(rotate(b, {0, 40}), {{0, 9}, {0, 70, 2}});
  });
}

// Each row is read from a column of its own, which may lie beyond the border; some rows are read
// backwards, so that neighbouring lanes do not read neighbours.
TEST(Strided, GathersOfNeighbours) {
  const Array<2, float> table = plain_array(Shape<2>(40, 90));
  const Shape<2> shape(40, 75);
  const Array<1, int> start = cast<int>(plain_array(Shape<1>(40))) % 60 - 20;
  const Array<2, int> from = broadcast(add_dimension(start, 1), shape);
  const Array<2, int> column = index(shape, 1), row = index(shape, 0);
  expect_same([&] { return gather(table, row, column + from); });
  expect_same([&] { return gather(table, row, (column * 4 + from) >> 2); });
  expect_same([&] { return gather(table, row, (column + from) * (1 - 2 * (row & 1)) + 40); });
  expect_same([&] { return gather(table, Boundary::wrap(), row, column + from); });
  expect_same([&] { return sum(gather(table, row + 1, column + from), {1}); });
}

}  // namespace
}  // namespace tutti::test
