// Kernels with loops, whose duration depends on the data: they are split into many tasks, and idle
// threads take the next one.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "runtime/cpu/split_tasks.hpp"
#include "support/compare.hpp"
#include "support/plan_of.hpp"

namespace tutti::test {
namespace {

Program counting() {
  return BEGIN {
    In<Value1i> n;
    Out<Value1i> steps = 0;
    WHILE(steps < n) { steps += 1; }
    ENDWHILE;
  }
  END;
}

TEST(Balance, LoopsAreCutFinely) {
  const Program p = counting();
  for (const int64_t n : {1000, 100'000}) {
    const Array<1, int> a(std::vector<int>(static_cast<size_t>(n), 3));
    const auto plan = cpu_plan(Array<1, int>(p(a)));
    ASSERT_EQ(plan->steps.size(), 1u);
    const auto& step = std::get<compiler::KernelStep>(plan->steps[0]);
    EXPECT_TRUE(step.uneven);
    for (const int threads : {2, 8}) {
      const runtime::Cut cut(step, threads);
      EXPECT_GE(cut.count(), std::min<int64_t>(n / 64, 12 * threads));
      // Every element is in one task.
      std::vector<int> times(static_cast<size_t>(n), 0);
      for (int64_t task = 0; task < cut.count(); ++task)
        cut.run(task, [&](int64_t item, int64_t last_item, int64_t column, int64_t last_column) {
          for (; item < last_item; ++item)
            for (int64_t c = column; c < last_column; ++c)
              ++times[static_cast<size_t>(item * step.columns + c)];
        });
      EXPECT_EQ(times, std::vector<int>(static_cast<size_t>(n), 1));
    }
  }
}

// The same for all elements: the work is dealt out beforehand, and little of it not at all.
TEST(Balance, StraightCodeIsNot) {
  const Array<1, int> a(std::vector<int>(400, 3));
  const auto plan = cpu_plan(a + 1);
  const auto& step = std::get<compiler::KernelStep>(plan->steps[0]);
  EXPECT_FALSE(step.uneven);
  EXPECT_EQ(runtime::Cut(step, 8).count(), 1);
}

// Few elements whose loops are long, the long ones together.
TEST(Balance, FewLongLoops) {
  const Program p = counting();
  std::vector<int> n;
  for (int i = 0; i < 300; ++i) n.push_back(i < 40 ? 300'000 : i);
  const Array<1, int> a(n);
  expect_values([&]() -> Array<1, int> { return p(a); }, n);
}

}  // namespace
}  // namespace tutti::test
