// Programs that split a coordinate by division: lanes agree about the quotient most of the time,
// and disagree where it changes. The results are those of plain loops.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

// For each element of rows of `length`: a sum over the row of a table, weighted by the column.
vector<int> expected(const vector<int>& table, int count, int length, int rows) {
  vector<int> want;
  for (int i = 0; i < count; ++i) {
    const int row = length == 0 ? 0 : i / length, column = length == 0 ? 0 : i % length;
    int total = 0;
    for (int k = 0; k < 1 + row % 3; ++k)
      total += table[static_cast<size_t>((row % rows + k) % rows)] * (column + k);
    if (row % 2 == 1)
      for (int k = row; k > 0; k /= 2) total -= k;
    want.push_back(total);
  }
  return want;
}

TEST(LikelyUniform, RowsOfEveryLength) {
  constexpr int rows = 11;
  vector<int> values;
  for (int i = 0; i < rows; ++i) values.push_back(i * i - 7);
  const Array<1, int> table(values);
  Value1i length = 1;
  const Program p = BEGIN {
    In<Value1i> i;
    Out<Value1i> total = 0;
    const Value1i row = i / length, column = i % length;
    FOR(Value1i k = 0, k < 1 + row % 3, k += 1) {
      total += table[(row % rows + k) % rows] * (column + k);
    }
    ENDFOR;
    IF(row % 2 == 1) {
      FOR(Value1i k = row, k > 0, k /= 2) { total -= k; }
      ENDFOR;
    }
    ENDIF;
  }
  END;
  for (const int count : {1, 16, 64, 1000})
    for (const int n : {1, 3, 16, 50, 64, 100, 5000, 0}) {
      length = n;
      SCOPED_TRACE(testing::Message() << count << " elements in rows of " << n);
      expect_values([&]() -> Array<1, int> { return p(grid(count)); },
                    expected(values, count, n, rows));
    }
}

// The remainder goes up by one from lane to lane: rows of the table are read as vectors.
TEST(LikelyUniform, ColumnsOfATable) {
  constexpr int columns = 40, count = 333;
  vector<float> x;
  for (int i = 0; i < 3 * columns; ++i) x.push_back(static_cast<float>(i % 17));
  Array<2, float> table(x, 3, columns);
  for (const Boundary& rule : {Boundary::clamp(), Boundary::wrap()}) {
    table.boundary(rule);
    const Program p = BEGIN {
      In<Value1i> i;
      Out<Value1f> total = 0.0f;
      const Value1i column = i % columns;
      FOR(Value1i k = 0, k < 3, k += 1) { total += table[Value2i(k, column + 1)]; }
      ENDFOR;
    }
    END;
    vector<float> want;
    for (int i = 0; i < count; ++i) {
      const int at = i % columns + 1;
      const int inside =
          rule.kind() == Boundary::Kind::wrap ? at % columns : std::min(at, columns - 1);
      float total = 0;
      for (int k = 0; k < 3; ++k) total += x[static_cast<size_t>(k * columns + inside)];
      want.push_back(total);
    }
    expect_values([&]() -> Array<1, float> { return p(grid(count)); }, want);
  }
}

}  // namespace
}  // namespace tutti::test
