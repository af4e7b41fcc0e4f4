// Broadcasting: axes are matched from the last, an axis of extent 1 or a missing one repeats.
// All pairs of shapes from a list that combine, against a plain loop.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using detail::Extents;

int64_t position(const Extents& from, const Extents& shape, int64_t i) {
  int64_t result = 0, step = 1;
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    const int64_t at = i % shape[axis];
    i /= shape[axis];
    const int own = axis - (shape.rank - from.rank);
    if (own < 0) continue;
    if (from[own] != 1) result += at * step;
    step *= from[own];
  }
  return result;
}

template <int A, int B>
void check(const Shape<A>& left, const Shape<B>& right) {
  constexpr int R = A > B ? A : B;
  Shape<R> shape;
  for (int k = 1; k <= R; ++k) {
    const int64_t l = k <= A ? left[A - k] : 1, r = k <= B ? right[B - k] : 1;
    if (l != r && l != 1 && r != 1) return;
    shape[R - k] = l == 1 ? r : l;
  }
  SCOPED_TRACE(detail::to_string(left.extents()) + " with " + detail::to_string(right.extents()));
  const auto host = plain<float>(1000);
  const Array<A, float> a(std::vector<float>(host.begin(), host.begin() + left.size()), left);
  const Array<B, float> b(std::vector<float>(host.rbegin(), host.rbegin() + right.size()), right);
  std::vector<float> want;
  for (int64_t i = 0; i < shape.size(); ++i)
    want.push_back(
        host[static_cast<size_t>(position(left.extents(), shape.extents(), i))] * 3 -
        host[host.size() - 1 - static_cast<size_t>(position(right.extents(), shape.extents(), i))]);
  const auto build = [&] { return a * 3.0f - b; };
  static_assert(decltype(build())::rank == R);
  EXPECT_EQ(build().shape(), shape);
  expect_values(build, want);
}

const std::vector<Shape<1>> rank1{{1}, {5}, {17}};
const std::vector<Shape<2>> rank2{{1, 1}, {1, 17}, {4, 1}, {4, 17}, {4, 5}};
const std::vector<Shape<3>> rank3{{1, 1, 5}, {3, 1, 1}, {3, 4, 5}, {1, 4, 17}, {3, 4, 1}};
const std::vector<Shape<4>> rank4{{2, 1, 1, 1}, {1, 3, 1, 5}, {2, 3, 4, 1}, {2, 3, 4, 17}};

template <class Left, class Right>
void check_all(const Left& left, const Right& right) {
  for (const auto& a : left)
    for (const auto& b : right) check(a, b);
}

TEST(Broadcast, RankOneWithAll) {
  check_all(rank1, rank1), check_all(rank1, rank2), check_all(rank3, rank1),
      check_all(rank1, rank4);
}
TEST(Broadcast, RankTwoWithAll) {
  check_all(rank2, rank2), check_all(rank2, rank3), check_all(rank4, rank2);
}
TEST(Broadcast, RankThreeAndFour) {
  check_all(rank3, rank3), check_all(rank3, rank4), check_all(rank4, rank4);
}

TEST(Broadcast, RankZeroWithAll) {
  const Array<0, float> seven = 7.0f;
  const auto check_one = [&](const auto& shapes) {
    for (const auto& shape : shapes) {
      const auto a = plain_array(shape);
      std::vector<float> want = plain<float>(shape.size());
      for (float& x : want) x = 7 - x;
      expect_values([&] { return seven - a; }, want);
    }
  };
  check_one(rank1), check_one(rank2), check_one(rank3), check_one(rank4);
}

TEST(Broadcast, EmptyAxes) {
  const Array<2, float> none(0, 5), row(plain<float>(5), 1, 5);
  EXPECT_EQ((none + row).shape(), (Shape<2>{0, 5}));
  expect_values([&] { return none + row; }, std::vector<float>{});
  const Array<2, float> column(3, 1), empty(1, 0);
  expect_values([&] { return column + empty; }, std::vector<float>{});
}

TEST(Broadcast, ThreeOperandsAtOnce) {
  const Array<1, float> row(std::vector<float>{1, 2, 3});
  const Array<2, float> column(std::vector<float>{10, 20}, 2, 1);
  expect_values([&] { return fma(row, column, Array<0, float>(0.5f)); },
                std::vector<float>{10.5f, 20.5f, 30.5f, 20.5f, 40.5f, 60.5f});
  const Array<1, bool> mask(std::vector<bool>{true, false, true});
  expect_values([&] { return cond(mask, column, row); }, std::vector<float>{10, 2, 10, 20, 2, 20});
}

}  // namespace
}  // namespace tutti::test
