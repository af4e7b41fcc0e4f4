// Recurrences along every axis, against plain loops and the interpreter.
#include <tutti/keywords.hpp>
#include <tutti/recurrence.hpp>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

constexpr auto filter = [](auto y, auto x) { return 0.25f * x + 0.75f * y; };

template <class T>
using Matrix = Array<2, T>;

TEST(Recurrence, DownTheColumns) {
  const int64_t rows = 37, columns = 129;
  const std::vector<float> x = plain<float>(rows * columns);
  std::vector<float> down(x.size()), up(x.size());
  for (int64_t j = 0; j < columns; ++j) {
    float y = 2.0f, z = 2.0f;
    for (int64_t i = 0; i < rows; ++i) {
      const auto at = static_cast<size_t>(i * columns + j);
      down[at] = y = 0.25f * x[at] + 0.75f * y;
      const auto back = static_cast<size_t>((rows - 1 - i) * columns + j);
      up[back] = z = 0.25f * x[back] + 0.75f * z;
    }
  }
  const Matrix<float> a(x, Shape<2>(rows, columns));
  expect_values([&] { return recurrence(filter, 2.0f, a, 0); }, down);
  expect_values([&] { return recurrence(filter, 2.0f, a, 0, Direction::backward); }, up);
}

TEST(Recurrence, AlongEveryAxis) {
  for (const Shape<3> shape : {Shape<3>(5, 40, 70), Shape<3>(1, 9, 200), Shape<3>(30, 1, 5),
                               Shape<3>(30, 6, 1), Shape<3>(2, 1, 1), Shape<3>(1, 1, 1)}) {
    const Array<3, float> a(mixed<float>(shape.size(), 3), shape);
    for (int axis = 0; axis < 3; ++axis)
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        SCOPED_TRACE(axis);
        expect_same([&] { return recurrence(filter, 1.0f, a, axis, direction); });
        expect_same([&] { return recurrence(filter, 1.0f, a * 2.0f + 1.0f, axis, direction) - a; });
      }
  }
}

TEST(Recurrence, ManyLinesAreSharedByThreads) {
  const Shape<3> shape(3, 50, 5000);
  const Array<3, float> a(plain<float>(shape.size()), shape);
  for (int axis = 0; axis < 3; ++axis)
    expect_same([&] { return recurrence(filter, 0.0f, a, axis); });
}

TEST(Recurrence, OfVectors) {
  const std::vector<int32_t> x = plain<int32_t>(1000);
  std::vector<int32_t> want;
  int32_t y = 7;
  for (const int32_t element : x) want.push_back(y = (y * 31 + element) % 1009);
  const Array<1, int32_t> a(x);
  expect_values(
      [&] {
        return recurrence([](auto before, auto e) { return (before * 31 + e) % 1009; }, 7, a, 0);
      },
      want);
  EXPECT_EQ(recurrence(filter, 0.0f, Array<1, float>(0), 0).size(), 0);
}

TEST(Recurrence, OfEveryType) {
  const auto compare = [](auto zero) {
    using T = decltype(zero);
    const Matrix<T> a(mixed<T>(33 * 70, 3), Shape<2>(33, 70));
    expect_same([&] { return recurrence([](auto y, auto x) { return max(y, x); }, T(), a, 0); });
    expect_same([&] { return recurrence([](auto y, auto x) { return min(y, x); }, T(), a, 1); });
  };
  compare(int8_t());
  compare(uint16_t());
  compare(int64_t());
  compare(double());
  compare(half());
  const Matrix<bool> flags(mixed<bool>(33 * 70, 3), Shape<2>(33, 70));
  expect_same([&] {
    return recurrence([](Value<1, bool> y, Value<1, bool> x) { return y != x; }, false, flags, 0);
  });
}

TEST(Recurrence, FirstValuesOfEachLine) {
  const Shape<3> shape(4, 20, 33);
  const Array<3, double> a(mixed<double>(shape.size(), 5), shape);
  const auto step = [](auto y, auto x) { return x - 0.5 * y; };
  const Matrix<double> top(mixed<double>(20 * 33, 6), Shape<2>(20, 33));
  const Matrix<double> middle(mixed<double>(4 * 33, 6), Shape<2>(4, 33));
  const Matrix<double> left(mixed<double>(4 * 20, 6), Shape<2>(4, 20));
  expect_same([&] { return recurrence(step, top, a, 0); });
  expect_same([&] { return recurrence(step, middle + 1.0, a, 1); });
  expect_same([&] { return recurrence(step, left, a, 2, Direction::backward); });
}

// The sweeps of a tridiagonal solver: the states of the first are tuples, and so are the elements.
TEST(Recurrence, SolvesTridiagonalSystems) {
  const int64_t rows = 50, columns = 90;
  const Shape<2> shape(rows, columns);
  const Array<2, double> right(plain<double>(shape.size()), shape);
  const auto eliminate = [](Value2d before, Value1d r) {
    const Value1d scale = 1.0 / (4.0 - before(0));
    return Value2d(scale, (r + before(1)) * scale);
  };
  const auto substitute = [](Value1d after, Value2d x) { return x(1) + x(0) * after; };
  const auto solve = [&](int axis) {
    const Array<2, Value2d> swept = recurrence(eliminate, Value2d(0.0, 0.0), right, axis);
    return recurrence(substitute, 0.0, swept, axis, Direction::backward);
  };
  const std::vector<double> x = solve(0).to_vector(), b = right.to_vector();
  for (int64_t i = 1; i + 1 < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const auto at = [&](int64_t row) { return x[static_cast<size_t>(row * columns + j)]; };
      EXPECT_NEAR(4.0 * at(i) - at(i - 1) - at(i + 1), b[static_cast<size_t>(i * columns + j)],
                  1e-9 * 1e3);
    }
  expect_same([&] { return solve(0); });
  expect_same([&] { return solve(1); });
}

// States that nothing reads are computed where other states need them, and only there.
TEST(Recurrence, GivesSomeOfItsStates) {
  const Matrix<int32_t> a(plain<int32_t>(40 * 70), Shape<2>(40, 70));
  const auto step = [](Value3i y, Value1i x) {
    return Value3i(y(1) + x, y(0) * 3, y(2) + y(0) - x);
  };
  for (int axis = 0; axis < 2; ++axis) {
    const auto states = [&] { return recurrence(step, Value3i(1, 2, 3), a, axis); };
    expect_same(states);
    for (int c = 0; c < 3; ++c)
      expect_same([&] { return Array<2, int32_t>(states().nodes()[static_cast<size_t>(c)]); });
  }
}

TEST(Recurrence, WithControlFlow) {
  const Shape<2> shape(50, 90);
  std::vector<Value2f> elements;
  for (const float x : mixed<float>(shape.size(), 7)) elements.emplace_back(x, 0.5f * x);
  const Array<2, Value2f> a(elements, shape);
  const Program step = BEGIN {
    In<Value1f> before;
    In<Value2f> x;
    Out<Value1f> next = x(0);
    IF(before > x(1)) { next = before - x(1); }
    ENDIF;
    Value1i n = 3;
    WHILE(n > 0) {
      next = next * 0.5f;
      n -= 1;
    }
    ENDWHILE;
  }
  END;
  expect_same([&] { return recurrence(step, 1.0f, a, 0); });
  expect_same([&] { return recurrence(step, 1.0f, a, 1); });
}

TEST(Recurrence, ReadsTablesAndVariables) {
  const Shape<2> shape(40, 50);
  const Matrix<int32_t> a(plain<int32_t>(shape.size()), shape);
  const Array<1, int32_t> table(plain<int32_t>(101));
  const auto step = [&](Value1i before, Value1i x) {
    return Value1i((table[Value1i(before % 101)] + x) % 97);
  };
  expect_same([&] { return recurrence(step, 3, a, 0); });
  // Steps that do not look back, or not at the elements.
  expect_same([&] { return recurrence([](auto, auto x) { return x + 1; }, 3, a, 0); });
  expect_same([&] { return recurrence([](auto y, auto) { return y + 1; }, 3, a, 0); });
  // One recurrence after the other.
  const auto sum = [](auto y, auto x) { return y + x; };
  expect_same([&] { return recurrence(sum, 0, recurrence(sum, 0, a, 0), 1); });
}

TEST(Recurrence, IsOneKernel) {
  const Matrix<float> a(plain<float>(40 * 50), Shape<2>(40, 50));
  const Explanation told = explain(recurrence(filter, 0.0f, a * 2.0f, 0));
  ASSERT_EQ(told.kernels().size(), 1u);
  EXPECT_EQ(told.kernels()[0].name, "recurrence");
  EXPECT_NE(told.kernels()[0].strategy.find("along the axis"), std::string::npos)
      << told.kernels()[0].strategy;
}

TEST(Recurrence, RefusesWhatDoesNotFit) {
  const Matrix<float> a(Shape<2>(3, 4), 1.0f);
  EXPECT_THROW(recurrence(filter, 0.0f, a, 2), ShapeError);
  EXPECT_THROW(recurrence(filter, 0.0f, a, -1), ShapeError);
  EXPECT_THROW(recurrence(filter, Array<1, float>(Shape<1>(5), 0.0f), a, 0), ShapeError);
  EXPECT_THROW(recurrence(program([](Value1f x) { return x; }), 0.0f, a, 0), TypeError);
  EXPECT_THROW(recurrence([](auto y, auto x) { return cast<double>(x + y); }, 0.0f, a, 0),
               TypeError);
}

}  // namespace
}  // namespace tutti::test
