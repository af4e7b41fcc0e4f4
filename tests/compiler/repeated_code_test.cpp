// Programs whose steps need results of several steps before: kernels do not contain the code of all
// kernels before them, so most of them are one kernel with other arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "support/compare.hpp"
#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using Line = Array<1, int>;

// The longest common subsequence by antidiagonals: y[t] = f(y[t - 1], y[t - 2]).
Line longest_common(const std::vector<int>& a, const std::vector<int>& b) {
  const auto n = static_cast<int>(a.size());
  const Line x(a), y(b), i = index({n + 1}, 0);
  Line before(Shape<1>(n + 1), 0), last = before;
  for (int k = 2; k <= 2 * n; ++k) {
    const Line j = k - i;
    const auto zero = Boundary::constant(0);
    const Line longer = cond(gather(x, i - 1) == gather(y, j - 1), shift(before, {1}, zero) + 1,
                             max(last, shift(last, {1}, zero)));
    before = last;
    last = cond(i >= 1 && j >= 1 && j <= n, longer, 0);
  }
  return last;
}

// Fields that are computed from each other, one of them a sum over all steps; a source is written.
Array<1, float> waves(int cells, int steps) {
  Array<1, float> e(Shape<1>(cells), 0.0f), b(Shape<1>(cells - 1), 0.0f);
  for (int t = 0; t < steps; ++t) {
    b += 0.5f * (section(e, {{1, cells - 1}}) - section(e, {{0, cells - 1}}));
    e(range(1, -1)) = section(e, {{1, cells - 2}}) +
                      0.5f * (section(b, {{1, cells - 2}}) - section(b, {{0, cells - 2}}));
    e(range(cells / 2, cells / 2 + 1)) = static_cast<float>(t);
  }
  return e;
}

struct Size {
  size_t different = 0;     // kernels
  size_t instructions = 0;  // of all of them
  size_t largest = 0;
};

// What distinguishes the instructions of two kernels.
using Code = std::vector<std::array<int, 5>>;
Code code_of(const compiler::Kernel& kernel) {
  Code code;
  for (const compiler::Instruction& in : kernel.code)
    code.push_back({static_cast<int>(in.kind), static_cast<int>(in.op), in.inputs[0], in.inputs[1],
                    in.inputs[2]});
  return code;
}

template <class A>
Size size_of_code(const A& array, const target::Target& target = target::avx512) {
  const auto plan = plan_of(array.nodes(), target);
  std::set<Code> different;
  Size size;
  for (const compiler::KernelStep* step : kernels_of(*plan)) {
    const Code code = code_of(step->kernel);
    size.largest = std::max(size.largest, code.size());
    if (!different.insert(code).second) continue;
    size.different += 1;
    size.instructions += code.size();
  }
  return size;
}

std::vector<int> letters(int n, uint32_t state) {
  std::vector<int> result;
  for (int i = 0; i < n; ++i) result.push_back((state = state * 1664525u + 1013904223u) >> 30);
  return result;
}

// 74 kernels of about 1000 instructions each before; they took minutes to compile.
TEST(RepeatedCode, StepsThatNeedTwoStepsBefore) {
  const Line last = longest_common(letters(120, 1), letters(120, 2));
  const Size size = size_of_code(last);
  EXPECT_LE(size.different, 6u);
  EXPECT_LE(size.instructions, 600u);
  const Size on_gpu = size_of_code(last, target::h200);
  EXPECT_LE(on_gpu.different, 40u);
  EXPECT_LE(on_gpu.instructions, 10000u);
}

// 60 kernels before, each with a term more than the one before it.
TEST(RepeatedCode, ASumOverAllSteps) {
  const Size size = size_of_code(waves(200, 60));
  EXPECT_LE(size.different, 30u);
  EXPECT_LE(size.instructions, 1500u);
}

// Welford's mean and variance of 300 samples. The kernels had up to 4,000 instructions before, each
// with the sines of all steps; limits were compared with too small a count.
TEST(RepeatedCode, RunningStatistics) {
  const Array<1, double> x = cast<double>(index({64}, 0)) / 64.0;
  Array<1, double> mean(x.shape(), 0.0), squares = mean;
  for (int t = 1; t <= 300; ++t) {
    const Array<1, double> sample = sin(x * double(t)), off = sample - mean;
    mean += off / double(t);
    squares += off * (sample - mean);
  }
  EXPECT_LE(size_of_code(squares).largest, 700u);
}

TEST(RepeatedCode, GivesTheSameElements) {
  const std::vector<int> a = letters(40, 1), b = letters(40, 2);
  std::vector<std::vector<int>> table(41, std::vector<int>(41));
  for (size_t i = 1; i <= 40; ++i)
    for (size_t j = 1; j <= 40; ++j)
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
  EXPECT_EQ(longest_common(a, b).to_vector().back(), table[40][40]);
  const std::vector<float> computed = waves(40, 25).to_vector();
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  EXPECT_EQ(waves(40, 25).to_vector(), computed);
}

}  // namespace
}  // namespace tutti::test
