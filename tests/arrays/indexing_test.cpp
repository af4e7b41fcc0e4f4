// Parts as NumPy writes them: read, assigned to, refused.
#include <tutti/complex_array.hpp>
#include <tutti/indexing.hpp>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// Python's slice(begin, end, step) of 0 ... n - 1, by its definition.
std::vector<int> python_slice(int n, int begin, int end, int step) {
  std::vector<int> result;
  const auto limited = [&](int at) {
    if (at < 0) at += n;
    return step > 0 ? std::clamp(at, 0, n) : std::clamp(at, -1, n - 1);
  };
  for (int i = limited(begin); step > 0 ? i < limited(end) : i > limited(end); i += step)
    result.push_back(i);
  return result;
}

TEST(Indexing, RangesCountAsPythonDoes) {
  const Array<1, int> a = index<1>({7}, 0);
  for (int begin = -9; begin <= 9; ++begin)
    for (int end = -9; end <= 9; ++end)
      for (const int step : {1, 2, 3, 9, -1, -2, -3, -9})
        ASSERT_EQ(a(range(begin, end, step)).to_vector(), python_slice(7, begin, end, step))
            << begin << " " << end << " " << step;
  EXPECT_EQ(a(whole).to_vector(), a.to_vector());
  EXPECT_EQ(a(from(4)).to_vector(), (std::vector<int>{4, 5, 6}));
  EXPECT_EQ(a(from(-2)).to_vector(), (std::vector<int>{5, 6}));
  EXPECT_EQ(a(from(2, -1)).to_vector(), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(a(until(2)).to_vector(), (std::vector<int>{0, 1}));
  EXPECT_EQ(a(every(-3)).to_vector(), (std::vector<int>{6, 3, 0}));
  EXPECT_EQ(a(every(INT64_MAX)).to_vector(), (std::vector<int>{0}));
  EXPECT_EQ(a(range(INT64_MIN, INT64_MAX)).to_vector(), a.to_vector());
}

TEST(Indexing, RowsColumnsAndElements) {
  const Array<2, int> a = plain_array<2, int>({5, 6});
  const std::vector<int> e = a.to_vector();
  const Array<1, int> row = a[2], column = a(whole, 3), last = a(-1, whole);
  EXPECT_EQ(row.to_vector(), std::vector<int>(e.begin() + 12, e.begin() + 18));
  EXPECT_EQ(last.to_vector(), std::vector<int>(e.begin() + 24, e.end()));
  EXPECT_EQ(column.to_vector(), (std::vector<int>{e[3], e[9], e[15], e[21], e[27]}));
  EXPECT_EQ(int(a(1, 2)), e[8]);
  EXPECT_EQ(a(whole, range(2, 4)).shape(), Shape<2>(5, 2));
  const Array<3, int> b = plain_array<3, int>({2, 3, 4});
  EXPECT_EQ(b[1].shape(), Shape<2>(3, 4));
  EXPECT_EQ(b[1][2].to_vector(), b(1, 2, whole).to_vector());
  EXPECT_EQ(b(whole, 0, every(-1)).shape(), Shape<2>(2, 4));
  // Axes that are not named are whole.
  EXPECT_EQ(a(range(1, 3)).to_vector(), std::vector<int>(e.begin() + 6, e.begin() + 18));
  EXPECT_EQ(b(1, 2).to_vector(), b(1, 2, whole).to_vector());
  EXPECT_EQ(b(every(-1)).to_vector(), b(every(-1), whole, whole).to_vector());
  EXPECT_EQ(a[Value2i(1, 2)], Value1i(e[8]));  // one element, as before
}

TEST(Indexing, Assignment) {
  Array<2, float> rows(Shape<2>(4, 2));  // of zeros
  rows(range(1, 3)) = 5.0f;
  rows(from(2)) += rows(until(2));
  EXPECT_EQ(rows.to_vector(), (std::vector<float>{0, 0, 5, 5, 5, 5, 5, 5}));
  Array<2, float> a({4, 5}, 1.0f);
  a[1] = Array<1, float>(std::vector<float>{0, 1, 2, 3, 4});
  a(whole, -1) = 9.0f;
  a(from(2), until(2)) += 1.0f;
  a(3, every(-2)) = Array<1, float>(std::vector<float>{7, 8, 6});
  EXPECT_EQ(a.to_vector(),
            (std::vector<float>{1, 1, 1, 1, 9, 0, 1, 2, 3, 9, 2, 2, 1, 1, 9, 6, 2, 8, 1, 7}));
  a(0, 0) = 5.0f;
  EXPECT_EQ(float(a(0, 0)), 5.0f);
  a[0] = a[1];  // what is assigned is the row, not the reference
  EXPECT_EQ(a[0].to_vector(), (std::vector<float>{0, 1, 2, 3, 9}));
  a(range(0, 0), whole) = 3.0f;  // nothing
  EXPECT_EQ(float(a(0, 1)), 1.0f);
}

TEST(Indexing, TuplesAndExpressions) {
  Array<2, Value2f> a({2, 3}, Value2f(1, 2));
  a[1] = Value2f(5, 6);
  EXPECT_EQ(a.component(1).to_vector(), (std::vector<float>{2, 2, 2, 6, 6, 6}));
  const Array<2, float> m = plain_array<2, float>({3, 3});
  const std::vector<float> e = m.to_vector();
  EXPECT_EQ((m(whole, 0) + m(whole, 1) * 2.0f).to_vector(),
            (std::vector<float>{e[0] + e[1] * 2, e[3] + e[4] * 2, e[6] + e[7] * 2}));
  Array<2, float> v = m;
  EXPECT_EQ((v[0] + v[1]).to_vector(), (m[0] + m[1]).to_vector());
}

TEST(Indexing, Errors) {
  Array<2, float> a(4, 5);
  EXPECT_EQ(message_of<ShapeError>([&] { a(4, whole); }),
            "index 4 on axis 0 of the shape {4, 5}: it is from -4 to 3");
  EXPECT_THROW(a[-5], ShapeError);
  EXPECT_THROW(a(0, range(0, 3, 0)), ShapeError);
  EXPECT_THROW((a[0] = Array<1, float>(4)), ShapeError);
  EXPECT_THROW((Array<2, float>(0, 3)[0]), ShapeError);
}

// A part that was kept is combined with what the variable holds by then.
TEST(Indexing, CompoundAssignmentsReadTheVariable) {
  Array<1, float> a(std::vector<float>{1, 2, 3, 4});
  auto left = slice(a, {0}, {3}), right = slice(a, {2}, {4});
  left = 10.0f;
  right += 1.0f;
  right += 1.0f;
  EXPECT_EQ(a.to_vector(), (std::vector<float>{10, 10, 12, 6}));
  a = a * 2.0f;
  left -= 12.0f;
  EXPECT_EQ(a.to_vector(), (std::vector<float>{8, 8, 12, 12}));

  Array<2, float> m({2, 2}, 1.0f);
  auto column = m(whole, 0), row = m(0, whole);
  column = 10.0f;
  row += 1.0f;
  EXPECT_EQ(m.to_vector(), (std::vector<float>{11, 2, 10, 1}));

  Array<1, float> b(std::vector<float>{1, 2, 3, 4});
  auto some = b[Array<1, int>(std::vector<int>{0, 2})];
  some += 1.0f;
  some += 1.0f;
  EXPECT_EQ(b.to_vector(), (std::vector<float>{3, 2, 5, 4}));
  EXPECT_EQ(some.to_vector(), (std::vector<float>{3, 5}));
}

TEST(Indexing, ExtentsOfAxesThatAreNotThere) {
  const Array<2, float> a(3, 4);
  EXPECT_EQ(a.extent(1), 4);
  for (const int axis : {-1, 2, 9}) EXPECT_THROW(a.extent(axis), ShapeError);
  EXPECT_THROW((Array<2, std::complex<float>>(a).extent(2)), ShapeError);
  const std::string text = message_of([] { Array<0, float>().extent(0); });
  EXPECT_TRUE(text.starts_with("extent: axis 0 of an array with 0 axes")) << text;
  EXPECT_NE(text.find("indexing_test.cpp:"), std::string::npos) << text;
}

}  // namespace
}  // namespace tutti::test
