// Plans made from plans for other lengths: nothing is planned again, and everything stays right,
// also where lengths pass the limits that the structure of a kernel depends on.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

int64_t plans_built(const std::function<void()>& work) {
  const int64_t before = statistics().plans_built;
  work();
  return statistics().plans_built - before;
}

// Boundaries, gathers, reductions and primitives over vectors of n and of m elements.
Array<1, float> everything(const Array<1, float>& a, const Array<1, float>& b) {
  const Array<1, float> near = shift(a, {1}) - shift(a, {-3}, Boundary::constant(7));
  const Array<1, int> places = cast<int>(abs(b) * 10.0f);
  const Array<1, float> far = gather(near * near, places);
  return sum_scan(far + sum(near)) * cast<float>(index(b.shape(), 0)) + max_val(far);
}

TEST(Resize, PlansOnceForAllLengths) {
  clear_kernel_cache();
  const auto work = [](int n, int m) {
    everything(plain_array<1>({n}), plain_array<1>({m})).evaluate();
  };
  work(100, 200);
  EXPECT_EQ(plans_built([&] { work(101, 333); }), 0);
  EXPECT_EQ(plans_built([&] { work(5000, 4000); }), 0);
  EXPECT_EQ(plans_built([&] { work(100, 100); }), 1);  // lengths that agree may be one kernel
}

TEST(Resize, ComputesTheSame) {
  for (const int n : {0, 1, 2, 3, 4, 5, 63, 100, 8191, 8192, 8193, 70'000, 200'000})
    for (const int m : {1, 2, 7, 100, 8193, 100'000}) {
      const Array<1, float> a = plain_array<1>({n}), b = plain_array<1>({m});
      if (n > 0) expect_same([&] { return everything(a, b); });
    }
}

// A coordinate that needs a rule for some lengths and none for others, of what is never in memory.
TEST(Resize, NoticesRulesThatBeginToMatter) {
  const auto work = [](int longer, int taken) {
    const Array<1, int> padded = pad(index(Shape<1>(100), 0) + 1, {Margin{0, longer}}, -1);
    return section(padded, {Range{0, taken, 1}});
  };
  for (const auto& [longer, taken] : {std::pair(50, 90), std::pair(60, 140), std::pair(51, 99),
                                      std::pair(70, 101), std::pair(71, 170)})
    expect_same([&, l = longer, t = taken] { return work(l, t); });
}

TEST(Resize, ExplainsTheNewSizes) {
  for (const int n : {1000, 1234}) {
    const Array<1, float> a = plain_array<1>({n});
    const Array<1, float> doubled = a + a;
    doubled.evaluate();
    const std::vector<Explanation::Kernel> kernels = explain(doubled).kernels();
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].shape, detail::to_string(a.shape().extents()));
    EXPECT_EQ(kernels[0].bytes_read, 4 * n);
    EXPECT_EQ(kernels[0].bytes_written, 4 * n);
  }
}

}  // namespace
}  // namespace tutti::test
