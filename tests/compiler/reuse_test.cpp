// Plans, kernels, buffers and values that are used again, as the counters of statistics() show.
#include "support/compare.hpp"
#include "support/statistics.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// What a piece of work adds to the counters.
template <class Work>
Statistics cost_of(Work work) {
  const Statistics before = statistics();
  work();
  Statistics cost = since(before);
  cost.kernels_compiled += cost.kernels_from_disk;
  return cost;
}

class Reuse : public testing::Test {
 protected:
  void SetUp() override { clear_kernel_cache(); }
  const Array<2, float> a = plain_array<2>({50, 70}), b = plain_array<2>({50, 70});
};

TEST_F(Reuse, AScalarIsAnArgument) {
  const auto work = [&](float s) { (a * s + shift(b, {0, 1}, Boundary::constant(s))).evaluate(); };
  EXPECT_EQ(cost_of([&] { work(2); }).kernels_compiled, 1);
  const Statistics again = cost_of([&] { work(3); });
  EXPECT_EQ(again.plans_built, 0);
  EXPECT_EQ(again.kernels_compiled, 0);
  EXPECT_EQ(again.kernel_launches, 1);
}

TEST_F(Reuse, ASizeIsAnArgument) {
  const auto work = [](int rows, int columns) {
    const Array<2, float> x = plain_array<2>({rows, columns});
    (x + shift(x, {1, 0}) * rotate(x, {0, 2})).evaluate();
  };
  EXPECT_EQ(cost_of([&] { work(50, 700); }).kernels_compiled, 1);
  const Statistics again = cost_of([&] { work(31, 1332); });
  EXPECT_EQ(again.kernels_compiled, 0);
  EXPECT_EQ(again.plans_built, 1);
  EXPECT_EQ(cost_of([&] { work(31, 1332); }).plans_built, 0);
}

TEST_F(Reuse, AShiftIsAnArgument) {
  const auto work = [&](int rows, int columns) { shift(a + 1.0f, {rows, columns}).evaluate(); };
  EXPECT_EQ(cost_of([&] { work(1, 2); }).kernels_compiled, 1);
  EXPECT_EQ(cost_of([&] { work(7, 5); }).kernels_compiled, 0);
  EXPECT_EQ(cost_of([&] { work(3, 33); }).kernels_compiled, 0);
}

TEST_F(Reuse, ALengthOfAReductionIsAnArgument) {
  const auto work = [](int n) { sum(plain_array<1>({n})).evaluate(); };
  work(100);
  EXPECT_EQ(cost_of([&] { work(5000); }).kernels_compiled, 0);
}

TEST_F(Reuse, AnOperationIsNot) {
  (a + b).evaluate();
  EXPECT_EQ(cost_of([&] { (a - b).evaluate(); }).kernels_compiled, 1);
}

TEST_F(Reuse, AFusedExpressionAllocatesItsResultOnly) {
  const Statistics cost =
      cost_of([&] { (sqrt(a * a + b * b) / (a + 1.0f) - shift(b, {1, 1})).evaluate(); });
  EXPECT_EQ(cost.buffers_allocated, 1);
  EXPECT_EQ(cost.kernel_launches, 1);
}

TEST_F(Reuse, ConstantsAndIndicesAllocateNothing) {
  const Statistics cost = cost_of([&] {
    const Array<2, float> zero({1000, 1000}, 0.0f);
    const auto i = index<2>({1000, 1000}, 0);
    const auto unused = zero + cast<float>(i);
  });
  EXPECT_EQ(cost.buffers_allocated, 0);
  EXPECT_EQ(cost.kernel_launches, 0);
}

TEST_F(Reuse, AnEvaluatedArrayIsOnlyRead) {
  const auto x = a + b;
  x.evaluate();
  const Statistics cost = cost_of([&] { x.evaluate(), x.to_vector(), x.to_vector(); });
  EXPECT_EQ(cost.kernel_launches, 0);
  EXPECT_EQ(cost.evaluations, 0);
}

TEST_F(Reuse, InPlaceWhenTheOldValueIsNotNeeded) {
  Array<1, float> x(plain<float>(1000));
  const Statistics cost = cost_of([&] {
    x = x + 1.0f;
    x.evaluate();
  });
  EXPECT_EQ(cost.buffers_reused_in_place, 1);
  EXPECT_EQ(cost.buffers_allocated, 0);
  EXPECT_EQ(x.to_vector()[3], plain<float>(4)[3] + 1);
}

TEST_F(Reuse, NotInPlaceWhenACopyIsHeld) {
  Array<1, float> x(plain<float>(1000));
  const Array<1, float> old = x;
  const Statistics cost = cost_of([&] {
    x = x + 1.0f;
    x.evaluate();
  });
  EXPECT_EQ(cost.buffers_reused_in_place, 0);
  EXPECT_EQ(old.to_vector(), plain<float>(1000));
}

TEST_F(Reuse, NotInPlaceWhenAPendingArrayNeedsIt) {
  Array<1, float> x(plain<float>(1000));
  const Array<1, float> later = x * 2.0f;  // pending, reads the old x
  x = x + 1.0f;
  x.evaluate();
  std::vector<float> want = plain<float>(1000);
  for (float& v : want) v *= 2;
  EXPECT_EQ(later.to_vector(), want);
}

TEST_F(Reuse, NotInPlaceWhenReadElsewhere) {
  Array<1, float> x(plain<float>(1000));
  const auto before = plain<float>(1000);
  x = x + rotate(x, {1});
  const auto got = x.to_vector();
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(got[i], before[i] + before[(i + 999) % 1000]) << i;
}

TEST_F(Reuse, NotInPlaceOfAnotherSizeOfElement) {
  Array<1, int8_t> x(plain<int8_t>(1000));
  Array<1, double> wide = cast<double>(x);
  x = Array<1, int8_t>();
  EXPECT_EQ(wide.to_vector(), plain<double>(1000));
}

// Something is read of a value that is pending in a loop: each iteration costs the same.
TEST_F(Reuse, NamedIntermediatesAreNotRecomputedForEver) {
  Array<2, float> x = a;
  const auto iterate = [&](int count) {
    return cost_of([&] {
      for (int i = 0; i < count; ++i) {
        x = x * 0.5f + shift(x, {0, 1}) * 0.5f;
        sum(x * x).item();
      }
    });
  };
  iterate(5);
  const Statistics few = iterate(10), many = iterate(100);
  EXPECT_LE(many.kernel_launches, 10 * few.kernel_launches + 10);
  EXPECT_LE(many.plans_built, few.plans_built + 2);  // the graph does not grow
  EXPECT_LE(many.kernel_launches, 400);
}

// A counter that no array is read for: its steps must not become kernels of their own for ever.
TEST_F(Reuse, ACounterIsKeptBeforeItIsLong) {
  const Statistics cost = cost_of([&] {
    Array<2, float> count(a.shape(), 0.0f);
    for (int i = 0; i < 40; ++i) {
      count = count + 1.0f;
      (a * count).evaluate();
    }
  });
  EXPECT_LE(cost.kernels_compiled, 10);
}

TEST_F(Reuse, AValueReadThroughTwoResultsIsKept) {
  const auto x = exp(sin(a));  // named: asked for twice below, then kept
  sum(x).item();
  max_val(x).item();
  const auto explained = explain(min_val(x)).kernels();
  ASSERT_EQ(explained.size(), 1u);
  EXPECT_EQ(std::count(explained[0].operations.begin(), explained[0].operations.end(), "exp"), 0)
      << explain(min_val(x));
}

}  // namespace
}  // namespace tutti::test
