// Arrays that programs read at places near their own: as transformations, as rows, or element by
// element, the elements are those of plain loops.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

const Boundary rules[] = {Boundary::clamp(), Boundary::wrap(), Boundary::constant(-3)};

int bounded(int i, int n, const Boundary& rule) {
  if (rule.kind() == Boundary::Kind::wrap) return ((i % n) + n) % n;
  return rule.kind() == Boundary::Kind::clamp ? std::clamp(i, 0, n - 1) : i;
}

TEST(Tables, PlacesAlongCoordinates) {
  constexpr int n = 100, count = 60;
  vector<int> x;
  for (int i = 0; i < n; ++i) x.push_back(i * i);
  Array<1, int> table(x);
  Value1i factor = 0;
  const auto place = [](const auto& i, const auto& k) { return i * k - 5; };
  const Program p = program([&](Value1i i) { return table[place(i, factor)]; });
  EXPECT_EQ(explain(p(grid(count))).kernels().size(), 1u);
  for (const Boundary& rule : rules)
    for (const int k : {1, 3, -2, 0, 2'000'000'000}) {  // the last one wraps around
      table.boundary(rule);
      factor = k;
      vector<int> want;
      for (int i = 0; i < count; ++i) {
        const auto at = static_cast<int>(static_cast<uint32_t>(i) * static_cast<uint32_t>(k) - 5u);
        const int inside = bounded(at, n, rule);
        want.push_back(inside >= 0 && inside < n ? x[static_cast<size_t>(inside)] : -3);
      }
      expect_values([&]() -> Array<1, int> { return p(grid(count)); }, want);
    }
}

// Tables of one shape share their extents; axes of a single element are part of the shape.
TEST(Tables, OfTheSameElementsAndOtherAxes) {
  constexpr int n = 50, count = 90;
  vector<int> x, y;
  for (int i = 0; i < n; ++i) x.push_back(i * i), y.push_back(1000 - i);
  Array<1, int> line(x);
  Array<2, int> row(y, 1, n), column(x, n, 1), other_row(x, 1, n), square(y, 5, 10);
  const Program p = BEGIN {
    In<Value1i> i;
    Out<Value1i> total = 0;
    FOR(Value1i k = 0, k < 3, k += 1) {
      const Value1i at = i * 7 - k * 20;
      total += line[at] + 3 * row[Value2i(k, at)] + 5 * column[Value2i(at, k)] +
               7 * other_row[Value2i(k, at)] + 11 * square[Value2i(k, at)];
    }
    ENDFOR;
  }
  END;
  for (const Boundary& rule : rules) {
    for (Array<2, int>* table : {&row, &column, &other_row, &square}) table->boundary(rule);
    line.boundary(rule);
    const auto read = [&](const vector<int>& table, int rows, int columns, int r, int c) {
      r = bounded(r, rows, rule), c = bounded(c, columns, rule);
      const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
      return inside ? table[static_cast<size_t>(r * columns + c)] : -3;
    };
    vector<int> want;
    for (int i = 0; i < count; ++i) {
      int total = 0;
      for (int k = 0; k < 3; ++k) {
        const int at = i * 7 - k * 20;
        total += read(x, 1, n, 0, at) + 3 * read(y, 1, n, k, at) + 5 * read(x, n, 1, at, k) +
                 7 * read(x, 1, n, k, at) + 11 * read(y, 5, 10, k, at);
      }
      want.push_back(total);
    }
    expect_values([&]() -> Array<1, int> { return p(grid(count)); }, want);
  }
}

TEST(Tables, RowsInLoops) {
  constexpr int n = 37;
  vector<int> x;
  for (int i = 0; i < n * n; ++i) x.push_back(i * 7 % 31);
  Array<2, int> table(x, n, n);
  const Program p = BEGIN {
    In<Value2i> at;
    Out<Value1i> total = 0;
    FOR(Value1i k = -3, k <= 3, k += 1) { total += table[Value2i(at(0) + k, at(1) - k)] * (k + 4); }
    ENDFOR;
  }
  END;
  for (const Boundary& rule : rules) {
    table.boundary(rule);
    vector<int> want;
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column) {
        int total = 0;
        for (int k = -3; k <= 3; ++k) {
          const int r = bounded(row + k, n, rule), c = bounded(column - k, n, rule);
          const bool inside = r >= 0 && r < n && c >= 0 && c < n;
          total += (inside ? x[static_cast<size_t>(r * n + c)] : -3) * (k + 4);
        }
        want.push_back(total);
      }
    expect_values([&]() -> Array<2, int> { return p(grid(n, n)); }, want);
  }
}

}  // namespace
}  // namespace tutti::test
