// How kernels run: which strategy is chosen, the launch that follows from it, and that explain()
// says what is done.
#include <gtest/gtest.h>

#include "compiler/plan/resize.hpp"
#include "support/plan_of.hpp"
#include "target/this_cpu.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using namespace schedule;
using Line = Array<1, float>;
using Image = Array<2, float>;

// Steps are plain values: what devices load for a kernel belongs to its identity, not to plans.
static_assert(std::is_copy_constructible_v<compiler::KernelStep>);
static_assert(std::is_nothrow_move_constructible_v<compiler::Plan>);

constexpr int length = 100'000;

Line line(int n = length) { return Line(std::vector<float>(static_cast<size_t>(n), 1.0f)); }
Image image(int rows, int columns) {
  return Image(std::vector<float>(static_cast<size_t>(rows) * columns, 1.0f), rows, columns);
}

// The one kernel of an array on a GPU, which runs by the strategy S.
template <class S>
class OnGpu {
 public:
  template <class A>
  explicit OnGpu(const A& array) : plan_(gpu_plan(array)) {
    EXPECT_EQ(kernels_of(*plan_).size(), 1u);
    EXPECT_TRUE(on_gpu<S>(step().kernel.schedule)) << text();
  }
  const compiler::KernelStep& step() const { return *kernels_of(*plan_).at(0); }
  const S& strategy() const { return *on_gpu<S>(step().kernel.schedule); }
  std::string text() const { return compiler::explain(*plan_).at(0).strategy; }

 private:
  std::unique_ptr<compiler::Plan> plan_;
};

template <class A>
std::string on_cpu_text(const A& array) {
  return compiler::explain(*cpu_plan(array)).at(0).strategy;
}

TEST(GpuSchedule, VectorsInOrderHaveSeveralPointsAThread) {
  const OnGpu<LinearMap> one(line() * 2.0f);
  EXPECT_EQ(one.text(), "16 points a thread, in order, in accesses of 4 elements");
  EXPECT_EQ(one.step().grid, (Grid{25, 1, 256, 1}));  // of 4096 points
  const Array<1, double> wide(std::vector<double>(length, 1.0));
  EXPECT_EQ(OnGpu<LinearMap>(wide * 2.0).text(),
            "8 points a thread, in order, in accesses of 2 elements");
}

TEST(GpuSchedule, ReversedVectorsHaveOnePointAThread) {
  const Line reversed = section(line(), {{length - 1, length, -1}});
  const OnGpu<PointMap> kernel(reversed * 2.0f);
  EXPECT_EQ(kernel.text(), "one point a thread: elements are not read in order");
  EXPECT_EQ(kernel.step().grid, (Grid{391, 1, 256, 1}));
}

TEST(GpuSchedule, BoundaryRulesHaveOnePointAThread) {
  EXPECT_EQ(OnGpu<PointMap>(shift(line(), {1})).text(),
            "one point a thread: boundary rules hold along the row");
  EXPECT_EQ(OnGpu<PointMap>(rotate(line(), {3}) * 2.0f).text(),
            "one point a thread: boundary rules hold along the row");
}

TEST(GpuSchedule, LongBodiesHaveOnePointAThread) {
  const Line a = line();
  const auto repeated = [&](int times) {
    Line x = a;
    for (int i = 0; i < times; ++i) x = x * 1.5f + a;
    return x;
  };
  EXPECT_EQ(OnGpu<LinearMap>(repeated(20)).strategy().unroll, 4);
  EXPECT_EQ(OnGpu<LinearMap>(repeated(40)).strategy().unroll, 1) << "much to do";
  EXPECT_EQ(OnGpu<PointMap>(repeated(120)).text(),
            "one point a thread: there is much to do for an element");
}

TEST(GpuSchedule, OtherMapsHaveOnePointAThread) {
  const Image a = image(300, 400);
  EXPECT_EQ(OnGpu<PointMap>(gather(line(), cast<int>(line()))).text(),
            "one point a thread: indices are computed");
  const OnGpu<PointMap> strided(section(a, {{0, 150, 2}, {0, 200, 2}}) * 2.0f);
  EXPECT_EQ(strided.text(), "one point a thread");
  EXPECT_EQ(strided.step().grid, (Grid{4, 38, 64, 4}));
}

TEST(GpuSchedule, ArraysReadDownTheirColumnsHaveWarpTiles) {
  const OnGpu<WarpTileMap> kernel(transpose(image(2, 3000)) + 1.0f);
  EXPECT_EQ(kernel.text(),
            "one point a thread, a warp for 4 x 8: an array is read down its columns");
  EXPECT_EQ(kernel.step().grid, (Grid{1, 375, 32, 8}));
}

TEST(GpuSchedule, StencilsHaveRegisterTiles) {
  const Image a = image(512, 512);
  const OnGpu<RegisterTiles> kernel(shift(a, {0, 1}) + a + shift(a, {1, 0}));
  EXPECT_TRUE(kernel.text().starts_with("register tiles of ")) << kernel.text();
  EXPECT_EQ(kernel.step().grid.threads_x, 128u);
}

TEST(GpuSchedule, ReductionsBySize) {
  EXPECT_EQ(OnGpu<SubwarpReduce>(sum(image(length, 3), 1)).text(),
            "4 threads a result: it has few elements");
  EXPECT_EQ(OnGpu<BlockReduce>(sum(image(100, 300), 1)).text(),
            "a block of threads for each tile: there are few tiles");
  EXPECT_EQ(OnGpu<WarpReduce>(sum(image(3000, 300), 1)).text(), "a warp for each tile");
  const auto blocks = reshape(image(256, 256), Shape<4>(64, 4, 64, 4));
  EXPECT_EQ(OnGpu<RectangleReduce>(sum(blocks, {1, 3})).text(),
            "4 threads a result, one for each of its columns");
  EXPECT_EQ(OnGpu<ColumnReduce>(sum(image(20, 3000), 0)).text(),
            "a thread for each column of a tile");
}

// Each wide reduction launches as many threads as its code has lanes for.
TEST(GpuSchedule, ReductionsHaveAThreadForEachLane) {
  const auto check = [](const auto& kernel, int64_t results_a_block) {
    const Grid& grid = kernel.step().grid;
    EXPECT_EQ(grid.threads_x, 256u);
    EXPECT_EQ(grid.x, (kernel.step().items + results_a_block - 1) / results_a_block);
  };
  check(OnGpu<SubwarpReduce>(sum(image(length, 3), 1)), 64);
  check(OnGpu<BlockReduce>(sum(image(100, 300), 1)), 1);
  check(OnGpu<WarpReduce>(sum(image(3000, 300), 1)), 8);
}

TEST(GpuSchedule, ElementsOfPrimitivesAreFused) {
  const auto plan = gpu_plan(sum_scan(line() * 2.0f) + 1.0f);
  const auto* scan = std::get_if<compiler::PrimitiveStep>(&plan->steps.at(0));
  ASSERT_TRUE(scan && scan->elements && scan->consumer);
  for (const auto* kernel : {scan->elements.get(), scan->consumer.get()}) {
    const auto* fused = on_gpu<FusedElements>(kernel->kernel.schedule);
    ASSERT_TRUE(fused);
    EXPECT_EQ(fused->lanes, 4);
  }
}

// A resized plan has the launch of its own lengths, and keeps the identity of its code.
TEST(GpuSchedule, IsChosenAgainForOtherLengths) {
  const auto plan = gpu_plan(line() * 2.0f);
  const int64_t from = length, to = 2 * length;
  const auto resized = compiler::resize(*plan, {{&from, 1}, {&to, 1}});
  ASSERT_TRUE(resized);
  const compiler::KernelStep &before = *kernels_of(*plan).at(0),
                             &after = *kernels_of(*resized).at(0);
  EXPECT_EQ(after.grid, (Grid{49, 1, 256, 1}));
  EXPECT_EQ(after.id, before.id);
}

TEST(CpuSchedule, SaysHowWorkIsCut) {
  EXPECT_EQ(on_cpu_text(image(10, 10) + 1.0f), "whole rows, as one task");
  EXPECT_EQ(on_cpu_text(sin(line(10'000'000))), "parts of rows, shared by the threads");
  const Image large = image(3000, 3000);
  EXPECT_EQ(on_cpu_text(shift(large, {0, 1}) + large),
            "whole rows, shared by the threads: stencil offsets are whole vectors from rows in "
            "the cache");
  const std::string across = on_cpu_text(transpose(large) * 2.0f);
  EXPECT_TRUE(across.starts_with("blocks of ")) << across;
  EXPECT_TRUE(across.ends_with(" x 256 points, shared by the threads")) << across;
  const auto y = cast<float>(index(large.shape(), 0)), x = cast<float>(index(large.shape(), 1));
  const auto row = cast<int32_t>(y * 0.9f - x * 0.1f), column = cast<int32_t>(x * 0.9f + y * 0.1f);
  EXPECT_TRUE(on_cpu_text(gather(large, row, column)).starts_with("blocks of "));
  EXPECT_TRUE(on_cpu_text(gather(image(300, 300), row, column)).starts_with("whole rows"));
  EXPECT_EQ(on_cpu_text(sum(image(100, 300), 1)), "whole tiles, as one task");
  EXPECT_EQ(on_cpu_text(sum(image(300, 5000), 0)), "tiles of 2048 columns, shared by the threads");
}

// The shape of tasks is decided with the plan.
TEST(CpuSchedule, TasksAreDecidedWithThePlan) {
  const auto plan = cpu_plan(line(1'000'000) * 2.0f);
  const compiler::KernelStep& step = *kernels_of(*plan).at(0);
  EXPECT_TRUE(on_cpu<Rows>(step.kernel.schedule));
  EXPECT_EQ(step.task.items, 1);
  EXPECT_EQ(step.task.columns % 64, 0);
  EXPECT_LT(step.task.columns, 1'000'000);
}

// Even work is dealt out beforehand: one task more than the threads have would make one of them
// take twice as long as the others.
TEST(CpuSchedule, ThreadsGetEqualParts) {
  const CpuTuning& cpu = target::avx512_tuning;
  const CpuSchedule rows = Rows{cpu.column_step};
  const auto up = [](int64_t n, int64_t by) { return (n + by - 1) / by; };
  for (const int64_t items : {40, 100, 257, 1000, 1001, 4000})
    for (const int threads : {2, 3, 5, 16, 48})
      for (const double microseconds : {130.0, 500.0, 1700.0, 40000.0}) {
        const TaskShape task =
            task_shape(rows, {items, 1000}, {1e3 * microseconds, false}, threads, cpu);
        const int64_t tasks = up(items, task.items), longest = up(tasks, threads) * task.items;
        const bool worth_all = 1e3 * microseconds >= threads * cpu.least_task_nanoseconds;
        if (!worth_all) continue;
        EXPECT_LE(longest, up(items, threads) + std::max<int64_t>(1, items / threads / 8))
            << items << " rows, " << threads << " threads, " << microseconds << " us";
      }
}

// What fits into the caches of the cores stays there for the kernel that reads it.
TEST(CpuSchedule, OnlyLargeResultsAreStoredPastTheCaches) {
  const auto streams = [](int64_t rows, int64_t columns) {
    const auto plan = cpu_plan(image(rows, columns) + 1.0f);
    return kernels_of(*plan).at(0)->kernel.streaming;
  };
  const int64_t columns = 2048, rows = target::avx512_tuning.streaming_bytes / (4 * columns);
  EXPECT_FALSE(streams(rows, columns));
  EXPECT_TRUE(streams(rows + 1, columns));
}

TEST(CpuSchedule, KnowsTheMachineItRunsOn) {
  const auto& cpu = std::get<CpuTuning>(target::this_cpu().tuning);
  EXPECT_EQ(cpu.cores, target::available_cores());
  EXPECT_GE(cpu.private_bytes, 64 << 10);
  EXPECT_GE(cpu.streaming_bytes, cpu.private_bytes);
}

}  // namespace
}  // namespace tutti::test
