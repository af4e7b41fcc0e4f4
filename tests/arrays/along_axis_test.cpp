// Order, scans and extremes along any axis, against plain C++ on lines of elements.
#include <tutti/along_axis.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// Calls f(line) for each line along an axis of row-major elements, and puts what it changed back.
template <class T, class F>
std::vector<T> for_lines(std::vector<T> elements, const Shape<3>& shape, int axis, F f) {
  int64_t inner = 1;
  for (int i = axis + 1; i < 3; ++i) inner *= shape[i];
  const int64_t n = shape[axis], outer = shape.size() / (n * inner);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      std::vector<T> line;
      for (int64_t k = 0; k < n; ++k)
        line.push_back(elements[static_cast<size_t>((o * n + k) * inner + i)]);
      f(line);
      for (int64_t k = 0; k < n; ++k)
        elements[static_cast<size_t>((o * n + k) * inner + i)] = line[static_cast<size_t>(k)];
    }
  return elements;
}

const Shape<3> shapes[] = {Shape<3>(3, 5, 7), Shape<3>(40, 60, 50), Shape<3>(1, 1, 9),
                           Shape<3>(9, 1, 1)};

TEST(AlongAxis, Scans) {
  for (const Shape<3>& shape : shapes)
    for (int axis = 0; axis < 3; ++axis) {
      const Array<3, int> a = plain_array<3, int>(shape);
      expect_values([&] { return sum_scan(a + 1, axis); },
                    for_lines((a + 1).to_vector(), shape, axis, [](std::vector<int>& line) {
                      for (size_t i = 1; i < line.size(); ++i) line[i] += line[i - 1];
                    }));
      expect_values([&] { return max_scan(a, axis); },
                    for_lines(a.to_vector(), shape, axis, [](std::vector<int>& line) {
                      for (size_t i = 1; i < line.size(); ++i)
                        line[i] = std::max(line[i], line[i - 1]);
                    }));
      expect_values([&] { return product_scan(a, axis, Scan::exclusive); },
                    for_lines(a.to_vector(), shape, axis, [](std::vector<int>& line) {
                      unsigned product = 1;
                      for (int& x : line) {
                        const unsigned next = product * static_cast<unsigned>(x);
                        x = static_cast<int>(product);
                        product = next;
                      }
                    }));
      const Array<3, float> f = Array<3, float>(mixed<float>(shape.size(), 5), shape);
      expect_same([&] { return sum_scan(f, axis); });
      expect_same([&] { return min_scan(f, axis); });
    }
}

// NaNs last, -0 and +0 equal.
template <class T>
bool in_order(T a, T b) {
  if (std::isnan(static_cast<double>(b))) return !std::isnan(static_cast<double>(a));
  return a < b;
}

TEST(AlongAxis, Sort) {
  for (const Shape<3>& shape : shapes)
    for (int axis = 0; axis < 3; ++axis) {
      const Array<3, float> a(mixed<float>(shape.size(), 3), shape);
      expect_values([&] { return sort(a, axis); },
                    for_lines(a.to_vector(), shape, axis, [](std::vector<float>& line) {
                      std::stable_sort(line.begin(), line.end(), in_order<float>);
                    }));
      std::vector<int> order(static_cast<size_t>(shape.size()));
      const Array<3, int> b = plain_array<3, int>(shape) % 7;
      expect_values([&] { return arg_sort(b + 0, axis); },
                    for_lines(b.to_vector(), shape, axis, [](std::vector<int>& line) {
                      std::vector<int> result(line.size());
                      for (size_t i = 0; i < line.size(); ++i) result[i] = static_cast<int>(i);
                      std::stable_sort(result.begin(), result.end(), [&](int x, int y) {
                        return line[static_cast<size_t>(x)] < line[static_cast<size_t>(y)];
                      });
                      line = result;
                    }));
      EXPECT_EQ(take_along(b, arg_sort(b, axis), axis).to_vector(), sort(b, axis).to_vector());
      expect_values([&] { return sort(b, axis, Order::descending); },
                    for_lines(b.to_vector(), shape, axis, [](std::vector<int>& line) {
                      std::stable_sort(line.begin(), line.end(), std::greater<int>());
                    }));
    }
}

TEST(AlongAxis, Extremes) {
  const Shape<3> shape(30, 40, 50);
  for (int axis = 0; axis < 3; ++axis) {
    const Array<3, float> a(mixed<float>(shape.size(), 9), shape);
    const auto [where, what] = arg_max(a, axis);
    const auto [least_where, least] = arg_min(a, axis);
    EXPECT_EQ(where.shape(), max_val(a, axis).shape());
    // The first of the equal ones, found by loops; NaN wins.
    std::vector<int> first, first_least;
    for_lines(a.to_vector(), shape, axis, [&](std::vector<float>& line) {
      size_t best = 0, worst = 0;
      for (size_t i = 0; i < line.size(); ++i) {
        const auto better = [&](float x, float y, bool greater) {
          if (std::isnan(y)) return false;
          return std::isnan(x) || (greater ? x > y : x < y);
        };
        // -0 is less than +0 for min and max.
        if (better(line[i], line[best], true)) best = i;
        if (better(line[i], line[worst], false)) worst = i;
      }
      first.push_back(static_cast<int>(best));
      first_least.push_back(static_cast<int>(worst));
    });
    EXPECT_EQ(where.to_vector(), first);
    EXPECT_EQ(least_where.to_vector(), first_least);
    expect_same([&] { return arg_max(a, axis).first; });
    expect_same([&] { return arg_min(a, axis).second; });
    EXPECT_TRUE(bool(all(what == max_val(a, axis) || is_nan(what))));
    EXPECT_TRUE(bool(all(least == min_val(a, axis) || is_nan(least))));
  }
  const Array<2, bool> flags(Array<2, int>(std::vector<int>{0, 1, 1, 1, 0, 0}, 2, 3));
  EXPECT_EQ(arg_max(flags, 1).first.to_vector(), (std::vector<int>{1, 0}));
}

TEST(AlongAxis, TopK) {
  const Array<2, int> a(std::vector<int>{5, 1, 9, 3, 9, 2, 8, 8, 0, 7}, 2, 5);
  const auto rows = top_k(a, 2);
  EXPECT_EQ(rows.values.to_vector(), (std::vector<int>{9, 9, 8, 8}));
  EXPECT_EQ(rows.indices.to_vector(), (std::vector<int>{2, 4, 1, 2}));
  const auto least = top_k(a, 1, 0, Order::ascending);
  EXPECT_EQ(least.values.to_vector(), (std::vector<int>{2, 1, 8, 0, 7}));
  EXPECT_EQ(least.indices.to_vector(), (std::vector<int>{1, 0, 1, 1, 1}));
  EXPECT_EQ(top_k(a, 0).values.shape(), Shape<2>(2, 0));
  const Array<1, float> large(mixed<float>(100000, 4), 100000);
  expect_same([&] { return top_k(large, 10).values; });
  std::vector<float> sorted = large.to_vector();
  std::erase_if(sorted, [](float x) { return std::isnan(x); });
  std::sort(sorted.begin(), sorted.end(), std::greater<float>());
  sorted.resize(10);
  EXPECT_EQ(top_k(large, 10).values.to_vector(), sorted);
}

TEST(AlongAxis, NoElements) {
  const Array<2, float> none(0, 5), thin(5, 0);
  EXPECT_EQ(sort(none, 0).shape(), Shape<2>(0, 5));
  EXPECT_EQ(arg_sort(thin, 1).shape(), Shape<2>(5, 0));
  EXPECT_EQ(sum_scan(none, 0).shape(), Shape<2>(0, 5));
  EXPECT_EQ(arg_max(none, 1).first.shape(), Shape<1>(0));
  EXPECT_NE(message_of<ShapeError>([&] {
              arg_max(none, 0);
            }).find("arg_max: there are no elements along axis 0 of the shape {0, 5} ("),
            std::string::npos);
}

TEST(AlongAxis, Errors) {
  const Array<2, float> a(4, 5);
  EXPECT_THROW(sort(a, 2), ShapeError);
  EXPECT_THROW(sort(a, -1), ShapeError);
  EXPECT_THROW(sum_scan(a, 2), ShapeError);
  EXPECT_THROW(arg_sort(a, 5), ShapeError);
  EXPECT_THROW(arg_min(a, 2), ShapeError);
  EXPECT_NE(
      message_of<ShapeError>([&] { top_k(a, 6); }).find("top_k: 6 of the 5 elements along axis 1"),
      std::string::npos);
  EXPECT_THROW(top_k(a, -1), ShapeError);
  EXPECT_THROW(take_along(a, Array<2, int>(3, 5), 1), ShapeError);
}

}  // namespace
}  // namespace tutti::test
