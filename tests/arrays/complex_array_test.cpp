// Complex arrays as values: how they are made, read, taken apart and assigned to, and the element
// types in which operands meet.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <complex>

namespace tutti::test {
namespace {

using Single = std::complex<float>;
using Complex = std::complex<double>;

const std::vector<Single> four{{1, 2}, {3, 4}, {5, 6}, {7, 8}};

TEST(ComplexArrays, AreMadeAndReadAsOthers) {
  const Array<2, Single> a(four, 2, 2);
  EXPECT_EQ(a.to_vector(), four);
  EXPECT_EQ((Array<2, Single>(2, 3).to_vector()), std::vector<Single>(6));
  const Single total = sum(a);
  EXPECT_EQ(total, Single(16, 20));
  std::vector<Single> copy(4);
  a.copy_to(copy);
  EXPECT_EQ(copy, four);
  copy.pop_back();
  EXPECT_THROW(a.copy_to(copy), ShapeError);
}

TEST(ComplexArrays, HaveParts) {
  const Array<2, Single> a(four, 2, 2);
  EXPECT_EQ(a[1].to_vector(), (std::vector<Single>{{5, 6}, {7, 8}}));
  EXPECT_EQ(a(whole, 0).to_vector(), (std::vector<Single>{{1, 2}, {5, 6}}));
  EXPECT_EQ(a(every(-1), -1).to_vector(), (std::vector<Single>{{7, 8}, {3, 4}}));
  EXPECT_EQ(a(1, 1).item(), Single(7, 8));
  EXPECT_THROW(a[2], ShapeError);
}

TEST(ComplexArrays, AreAssignedTo) {
  Array<2, Single> a(four, 2, 2);
  a += Single(1, 1);
  a *= 2.0f;
  a -= Array<2, float>({2, 2}, 1.0f);
  a /= Single(0, 1);
  EXPECT_EQ(a.to_vector()[0], (Single(2, 3) * 2.0f - 1.0f) / Single(0, 1));
  EXPECT_TRUE(bool(all(a != Array<2, Single>(2, 2))));
  EXPECT_FALSE(bool(any(a != a)));
}

// The wider type of two arrays wins; a number takes the type of the array.
TEST(ComplexArrays, MeetInTheWiderType) {
  const Array<2, Single> a(four, 2, 2);
  const auto by_doubles = a * Array<2, double>({2, 2}, 0.1);
  static_assert(std::is_same_v<decltype(by_doubles), const Array<2, Complex>>);
  EXPECT_EQ(by_doubles.to_vector()[0], Complex(1 * 0.1, 2 * 0.1));
  const auto both = a + Array<2, Complex>({2, 2}, Complex(1e-12, 0));
  static_assert(std::is_same_v<decltype(both), const Array<2, Complex>>);
  EXPECT_EQ(both.to_vector()[0], Complex(1 + 1e-12, 2));
  static_assert(std::is_same_v<decltype(a * Array<2, int>({2, 2}, 3)), Array<2, Single>>);
  static_assert(std::is_same_v<decltype(a * 2.0), Array<2, Single>>);
  static_assert(std::is_same_v<decltype(a * Complex(2, 0)), Array<2, Single>>);
  EXPECT_EQ((Array<2, Single>(both).to_vector()), four);
}

}  // namespace
}  // namespace tutti::test
