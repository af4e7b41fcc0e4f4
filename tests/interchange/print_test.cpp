// Arrays as text: what NumPy 2.4 prints for the same elements.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

template <class T>
std::vector<T> counted(size_t n) {
  std::vector<T> result(n);
  std::iota(result.begin(), result.end(), T(0));
  return result;
}
template <class T>
std::string text_of(std::vector<T> elements) {
  return to_string(Array<1, T>(elements));
}

TEST(Print, Integers) {
  EXPECT_EQ(text_of(counted<int>(5)), "[0 1 2 3 4]");
  EXPECT_EQ(text_of(std::vector<int8_t>{-100, 7}), "[-100    7]");
  EXPECT_EQ(text_of(std::vector<uint64_t>{UINT64_MAX, 0}),
            "[18446744073709551615                    0]");
  EXPECT_EQ(to_string(Array<1, bool>(std::vector<bool>{true, false})), "[ True False]");
}

TEST(Print, FloatingPoint) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(text_of(std::vector<float>{1, 2.5, -3, 0.1f}), "[ 1.   2.5 -3.   0.1]");
  EXPECT_EQ(text_of(std::vector<float>{1 / 3.0f, 2 / 3.0f}), "[0.33333334 0.6666667 ]");
  EXPECT_EQ(text_of(std::vector<double>{1 / 3.0, 2 / 3.0}), "[0.33333333 0.66666667]");
  EXPECT_EQ(text_of(std::vector<half>{half(0.1f), half(3.14159f)}), "[0.1  3.14]");
  EXPECT_EQ(text_of(std::vector<double>{1e-5, 1.0}), "[1.e-05 1.e+00]");
  EXPECT_EQ(text_of(std::vector<double>{123456.789, 0.5}), "[1.23456789e+05 5.00000000e-01]");
  EXPECT_EQ(text_of(std::vector<float>{1e30f}), "[1.e+30]");
  EXPECT_EQ(text_of(std::vector<float>{NAN, 1, -infinity}), "[ nan   1. -inf]");
  EXPECT_EQ(to_string(Array<0, double>(3.5)), "3.5");
  EXPECT_EQ(to_string(Array<0, double>(3.0)), "3.0");
}

TEST(Print, Shapes) {
  std::ostringstream out;
  out << Shape<2>(2, 30) << Shape<0>();
  EXPECT_EQ(out.str(), "{2, 30}{}");
}

TEST(Print, Axes) {
  EXPECT_EQ(to_string(Array<2, double>(std::vector<double>{1e10, 1, NAN, -INFINITY}, 2, 2)),
            "[[1.e+10 1.e+00]\n [   nan   -inf]]");
  EXPECT_EQ(to_string(Array<3, int>(counted<int>(24), 2, 3, 4)),
            "[[[ 0  1  2  3]\n  [ 4  5  6  7]\n  [ 8  9 10 11]]\n\n"
            " [[12 13 14 15]\n  [16 17 18 19]\n  [20 21 22 23]]]");
  EXPECT_EQ(to_string(Array<2, float>(2, 0)), "[]");
}

TEST(Print, BreaksLinesAtElements) {
  const Array<1, float> a(counted<float>(60));
  EXPECT_EQ(to_string(a * 1.5f),
            "[ 0.   1.5  3.   4.5  6.   7.5  9.  10.5 12.  13.5 15.  16.5 18.  19.5\n"
            " 21.  22.5 24.  25.5 27.  28.5 30.  31.5 33.  34.5 36.  37.5 39.  40.5\n"
            " 42.  43.5 45.  46.5 48.  49.5 51.  52.5 54.  55.5 57.  58.5 60.  61.5\n"
            " 63.  64.5 66.  67.5 69.  70.5 72.  73.5 75.  76.5 78.  79.5 81.  82.5\n"
            " 84.  85.5 87.  88.5]");
}

TEST(Print, LeavesOutTheMiddleOfLongArrays) {
  EXPECT_EQ(text_of(counted<int>(3000)), "[   0    1    2 ... 2997 2998 2999]");
  EXPECT_EQ(to_string(Array<2, float>(counted<float>(2000), 40, 50)),
            "[[0.000e+00 1.000e+00 2.000e+00 ... 4.700e+01 4.800e+01 4.900e+01]\n"
            " [5.000e+01 5.100e+01 5.200e+01 ... 9.700e+01 9.800e+01 9.900e+01]\n"
            " [1.000e+02 1.010e+02 1.020e+02 ... 1.470e+02 1.480e+02 1.490e+02]\n"
            " ...\n"
            " [1.850e+03 1.851e+03 1.852e+03 ... 1.897e+03 1.898e+03 1.899e+03]\n"
            " [1.900e+03 1.901e+03 1.902e+03 ... 1.947e+03 1.948e+03 1.949e+03]\n"
            " [1.950e+03 1.951e+03 1.952e+03 ... 1.997e+03 1.998e+03 1.999e+03]]");
  EXPECT_EQ(to_string(Array<1, int>(counted<int>(8)), {.threshold = 7, .edge = 1}), "[0 ... 7]");
}

TEST(Print, TuplesAndStreams) {
  const Array<1, float> x(std::vector<float>{1, 2}), y(std::vector<float>{0.5f, 10});
  std::ostringstream out;
  out << join(x, y) << ' ' << x + y;
  EXPECT_EQ(out.str(), "[(1.,  0.5) (2., 10. )] [ 1.5 12. ]");
}

}  // namespace
}  // namespace tutti::test
