// Elements, samples, gather, scatter, slices, memory of the caller.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <cmath>

#include "support/compare.hpp"
#include "support/errors.hpp"

namespace tutti::test {
namespace {

using std::vector;

Array<2, float> matrix() {  // 0 ... 11
  vector<float> x(12);
  for (size_t i = 0; i < 12; ++i) x[i] = static_cast<float>(i);
  return Array<2, float>(x, 3, 4);
}

TEST(Access, Elements) {
  Array<2, float> a = matrix();
  EXPECT_EQ(float(a[Value2i(1, 2)]), 6.0f);
  EXPECT_EQ(float(a[Value2i(9, 9)]), 11.0f);  // clamped, unless the array says otherwise
  a.boundary(Boundary::constant(-1.0f));
  EXPECT_EQ(float(a[Value2i(9, 9)]), -1.0f);
  Array<1, Value2f> t(vector<Value2f>{{1, 2}, {3, 4}});
  EXPECT_EQ(t[1], Value2f(3, 4));
}

TEST(Access, Samples) {
  Array<2, float> a = matrix();
  EXPECT_EQ(float(a(Value2f(0.5f, 0.3f))), 5.0f);
  a.interpolation(Interpolation::linear);
  EXPECT_EQ(float(a(Value2f(0.5f, 0.5f))), 5.5f);
  EXPECT_EQ(float(a(Value2f(0, 0))), 0.0f);
  Array<1, int> whole(vector<int>{1, 2});
  EXPECT_THROW(whole.interpolation(Interpolation::linear), TypeError);
  const Program p = program([&](Value2f x) { return a(x); });
  const Array<1, Value2f> at(vector<Value2f>{{0.5f, 0.5f}, {0.9f, 0.2f}, {2, -1}});
  expect_same([&]() -> Array<1, float> { return p(at); });
}

TEST(Access, GatherAndScatter) {
  Array<2, float> a = matrix();
  const Array<1, Value2i> places(vector<Value2i>{{0, 1}, {2, 3}});
  EXPECT_EQ((Array<1, float>(a[places]).to_vector()), (vector<float>{1, 11}));
  const Array<2, float> before = a;
  a[places] = Array<1, float>(vector<float>{-5, -6});
  EXPECT_EQ(a.to_vector()[1], -5.0f);
  EXPECT_EQ(a.to_vector()[11], -6.0f);
  EXPECT_EQ(before.to_vector()[11], 11.0f);
  const Array<1, Value2i> same(vector<Value2i>{{1, 1}, {1, 1}});
  const Array<1, float> ones(vector<float>{1, 2});
  EXPECT_EQ(scatter(before, same, ones, Collision::sum).to_vector()[5], 8.0f);
  EXPECT_EQ(scatter(before, same, ones, Collision::first).to_vector()[5], 1.0f);
}

TEST(Access, StridesBeyondTheArray) {
  for (const int64_t step : {int64_t{3}, int64_t{1} << 31, int64_t{1} << 32, INT64_MAX}) {
    Array<1, int> a(vector<int>{1, 2, 3});
    stride(a, {step}) = 9;
    EXPECT_EQ(a.to_vector(), (vector<int>{9, 2, 3})) << step;
  }
}

TEST(Access, Slices) {
  Array<2, float> a = matrix();
  EXPECT_EQ(slice(a, {1, 1}, {3, 3}).to_vector(), (vector<float>{5, 6, 9, 10}));
  EXPECT_EQ(offset(a, {2, 2}).to_vector(), (vector<float>{10, 11}));
  EXPECT_EQ(stride(a, {2, 3}).to_vector(), (vector<float>{0, 3, 8, 11}));
  stride(a, {2, 3}) = Array<2, float>({2, 2}, -1.0f);
  EXPECT_EQ(a.to_vector(), (vector<float>{-1, 1, 2, -1, 4, 5, 6, 7, -1, 9, 10, -1}));
  slice(a, {1, 0}, {2, 4}) = slice(a, {0, 0}, {1, 4}) * 2.0f;
  EXPECT_EQ(slice(a, {1, 0}, {2, 4}).to_vector(), (vector<float>{-2, 2, 4, -2}));
  EXPECT_THROW((slice(a, {0, 0}, {2, 2}) = matrix()), ShapeError);
  EXPECT_THROW(slice(a, {0, 0}, {9, 9}), ShapeError);
  Array<1, Value2f> t(vector<Value2f>{{1, 2}, {3, 4}, {5, 6}});
  offset(t, 1) = Array<1, Value2f>(vector<Value2f>{{7, 8}, {9, 10}});
  EXPECT_EQ(t.to_vector(), (vector<Value2f>{{1, 2}, {7, 8}, {9, 10}}));
}

TEST(Access, PartsOfParts) {
  Array<2, float> a = matrix();
  const Array<2, float> before = a;
  stride(slice(a, {1, 0}, {3, 4}), {1, 2}) = 0.0f;
  EXPECT_EQ(a.to_vector(), (vector<float>{0, 1, 2, 3, 0, 5, 0, 7, 0, 9, 0, 11}));
  offset(a, {2, 3}) += 1.0f;
  slice(a, {0, 0}, {1, 2}) *= slice(a, {0, 2}, {1, 4});
  EXPECT_EQ(a.to_vector(), (vector<float>{0, 3, 2, 3, 0, 5, 0, 7, 0, 9, 0, 12}));
  EXPECT_EQ(before.to_vector(), matrix().to_vector());
  const Array<1, Value2i> places(vector<Value2i>{{0, 0}, {2, 2}});
  a[places] = 5.0f;
  a[places] += Array<1, float>(vector<float>{1, 2});
  EXPECT_EQ(a.to_vector()[0], 6.0f);
  EXPECT_EQ(a.to_vector()[10], 7.0f);
  const Program more = program([](Value1f x) { return x + 100.0f; });
  slice(a, {0, 0}, {1, 1}) = more(slice(a, {0, 0}, {1, 1}));
  EXPECT_EQ(a.to_vector()[0], 106.0f);
}

// Programs read the extent of the array that the variable holds when they run.
TEST(Access, Extents) {
  Array<2, float> table = matrix();
  const Program p = BEGIN {
    In<Value1i> i;
    Out<Value1f> total = 0.0f;
    Out<Value2i> extents = Value2i(extent(table, 0), extent(table, 1));
    FOR(Value1i k = 0, k < extent(table, 1), k += 1) { total += table[Value2i(i, k)]; }
    ENDFOR;
  }
  END;
  const Array<1, int> rows(vector<int>{0, 1, 2});
  for (const int columns : {4, 2, 1, 7}) {
    table = columns <= 4 ? Array<2, float>(section(matrix(), {{0, 3}, {0, columns}}))
                         : Array<2, float>({3, columns}, 1.0f);
    vector<float> sums(3, 0.0f);
    const vector<float> elements = table.to_vector();
    for (size_t i = 0; i < elements.size(); ++i)
      sums[i / static_cast<size_t>(columns)] += elements[i];
    Array<1, float> totals;
    Array<1, Value2i> extents;
    bundle(totals, extents) = p(rows);
    EXPECT_EQ(totals.to_vector(), sums) << columns;
    EXPECT_EQ(extents.to_vector(), vector<Value2i>(3, Value2i(3, columns)));
    expect_same([&] {
      Array<1, float> again;
      Array<1, Value2i> unused;
      bundle(again, unused) = p(rows);
      return again;
    });
  }
  EXPECT_EQ(int(extent(table, 1)), 7);
  const Array<1, std::complex<float>> z(5);
  EXPECT_EQ(int(extent(z, 0)), 5);
  EXPECT_NE(message_of<ShapeError>([&] {
              (void)extent(table, 2);
            }).find("axis 2 of an array with 2 axes"),
            std::string::npos);
  // Of an array that int32 cannot count.
  Array<1, float> huge(Shape<1>(int64_t{1} << 32), 1.0f);
  const Program length = program([&](Value1i i) { return i + extent(huge, 0); });
  EXPECT_THROW((Array<1, int>(length(rows)).to_vector()), ShapeError);
}

TEST(Access, Counting) {
  const Program large = program([](Value1f x) { return x > 4.5f; });
  EXPECT_EQ(int(count(large, matrix())), 7);
  EXPECT_EQ(int(count([](auto x) { return x < 2.0f; }, matrix())), 2);
  const Array<2, Value1bool> flags = large(matrix());
  EXPECT_EQ(count(flags, 1).to_vector(), (vector<int>{0, 3, 4}));
  EXPECT_EQ(float(max(matrix())), 11.0f);
  EXPECT_EQ(float(min(matrix())), 0.0f);
}

TEST(Access, Extremes) {
  const auto [where, what] = arg_min(abs(matrix() - 6.2f));
  EXPECT_EQ(Value2i(where), Value2i(1, 2));
  EXPECT_NEAR(float(what), 0.2f, 1e-6);
  const float nan = std::nanf("");
  EXPECT_EQ(int(arg_max(Array<1, float>(vector<float>{1, nan, 5, nan})).first), 1);
  EXPECT_EQ(int(arg_max(Array<1, int>(vector<int>{4, 9, 9})).first), 1);
  EXPECT_THROW(arg_max(Array<1, int>(0)), ShapeError);
}

TEST(Access, MemoryOfTheCaller) {
  vector<float> mine(12);
  ArrayRef<2, float> target(mine, {3, 4});
  target = matrix() + 1.0f;
  EXPECT_EQ(mine[11], 12.0f);
  const Array<2, float> back = target;
  EXPECT_EQ(back.to_vector(), mine);
  EXPECT_THROW(target = transpose(matrix()), ShapeError);
  const Program twice = program([](Value1f x) { return x + x; });
  target = twice(target);
  EXPECT_EQ(mine[11], 24.0f);
  vector<float> other(12);
  ArrayRef<2, float> copy(other, {3, 4});
  copy = target;  // the elements
  EXPECT_EQ(other, mine);
}

TEST(Access, GridsStoreNothing) {
  const int64_t before = statistics().bytes_in_use;
  const auto cells = grid(100000, 1000);
  EXPECT_EQ(cells.shape(), (Shape<2>(100000, 1000)));
  EXPECT_EQ(statistics().bytes_in_use, before);
}

TEST(Access, PlainTuplesOfTheHost) {
  const vector<std::array<float, 3>> points{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ((Array<1, Value3f>(points).component(2).to_vector()), (vector<float>{3, 6}));
}

}  // namespace
}  // namespace tutti::test
