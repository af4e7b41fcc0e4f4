// Plans of long programs, mostly for a GPU. None is needed: nothing runs.
#include <gtest/gtest.h>

#include <cfloat>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/graph_passes/split_large_kernels.hpp"
#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using Image = Array<2, float>;
using compiler::KernelStep;

Image image() { return Image(std::vector<float>(512 * 512, 1.0f), 512, 512); }

Image box(const Image& x) {
  Image across = x;
  for (int i = 1; i <= 3; ++i) across += shift(x, {0, i}) + shift(x, {0, -i});
  Image result = across;
  for (int i = 1; i <= 3; ++i) result += shift(across, {i, 0}) + shift(across, {-i, 0});
  return result;
}

Image best_of(int candidates) {
  const Image left = image(), right = image();
  Image least(left.shape(), FLT_MAX), best(left.shape(), 0.0f);
  for (int d = 0; d < candidates; ++d) {
    const Image difference = left - shift(right, {0, d});
    const Image cost = box(difference * difference);
    best = cond(cost < least, static_cast<float>(d), best);
    least = min(cost, least);
  }
  return best;
}

// A loop over candidates that a program has unrolled is rerolled. The code of a step exists once,
// and neither a candidate's cost nor the best so far goes through memory.
TEST(GpuPlan, LongLoopsAreRolledUp) {
  const auto plan = gpu_plan(best_of(32));
  const auto kernels = kernels_of(*plan);
  ASSERT_EQ(kernels.size(), 1u);
  const compiler::Kernel& kernel = kernels[0]->kernel;
  EXPECT_GE(kernel.repeat.steps, 28);
  EXPECT_EQ(kernel.repeat.carried.size(), 2u);
  EXPECT_LT(kernel.code.size(), 1000u);
  EXPECT_TRUE(schedule::on_gpu<schedule::RegisterTiles>(kernel.schedule));
}

// A rotation of a rotation is one: else every way to a point would be computed by itself.
TEST(GpuPlan, RotationsAddUp) {
  Array<1, float> x(std::vector<float>(200, 1.0f));
  for (int i = 1; i < 12; ++i) x = x * 0.9f + rotate(x, {i}) * 0.1f;
  const auto plan = gpu_plan(x);
  for (const KernelStep* step : kernels_of(*plan)) EXPECT_LT(step->kernel.code.size(), 1500u);
}

// Followed pointers: each step reads the one before at indices of its own, which are computed from
// it. Without a bound the code doubles with every step.
TEST(CpuPlan, FollowedPointersDoNotRepeatTheirCode) {
  Array<1, int> next(std::vector<int>(500, 1));
  for (int step = 0; step < 12; ++step) {
    const Array<1, int> kept(std::vector<int>(500, 1));
    next = cond(gather(kept, next) > 0, next, gather(next, next + step)) / 2 + step;
  }
  for (const auto& plan : {cpu_plan(next), gpu_plan(next)}) {
    std::size_t instructions = 0;
    for (const KernelStep* step : kernels_of(*plan)) instructions += step->kernel.code.size();
    EXPECT_LT(instructions, 2000u);
  }
}

// Where steps are not alike the kernel is cut between them, where only the best so far is alive.
TEST(GpuPlan, OtherLongLoopsAreCutBetweenSteps) {
  const Image left = image(), right = image();
  Image least(left.shape(), FLT_MAX), best(left.shape(), 0.0f);
  for (int d = 0; d < 16; ++d) {
    const Image difference = left - shift(right, {0, d * d});
    const Image cost = box(difference * difference);
    best = cond(cost < least, static_cast<float>(d), best);
    least = min(cost, least);
  }
  const auto plan = gpu_plan(best);
  const auto kernels = kernels_of(*plan);
  EXPECT_GT(kernels.size(), 1u);
  EXPECT_LE(kernels.size(), 8u);
  for (const KernelStep* step : kernels) {
    EXPECT_EQ(step->kernel.repeat.steps, 0);
    EXPECT_LE(step->kernel.sources.size(), 4u);
    EXPECT_LE(step->kernel.outputs.size(), 2u);
  }
}

// A kernel may be found too large at a transformation, which does not use what it moves.
TEST(Frontier, OfATransformation) {
  const Image moved = shift(box(box(image())), {0, 1});
  std::lock_guard lock(ir::graph_mutex());
  compiler::Collected collected;
  ASSERT_TRUE(compiler::collect(moved.nodes(), collected));
  const compiler::Graph graph = compiler::copy_graph(collected);
  const std::vector<bool> in_memory(graph.nodes.size(), false);
  const std::vector<int> cut =
      compiler::cheapest_frontier(graph, in_memory, graph.roots[0], {100, 400, 400});
  ASSERT_FALSE(cut.empty());
  for (int node : cut) EXPECT_NE(graph.nodes[static_cast<size_t>(node)].kind, ir::Kind::affine);
}

Image life(const Image& board) {
  const Boundary wrap = Boundary::wrap();
  const Image rows = shift(board, {1, 0}, wrap) + board + shift(board, {-1, 0}, wrap);
  const Image all = shift(rows, {0, 1}, wrap) + rows + shift(rows, {0, -1}, wrap);
  const Image neighbours = all - board;
  return cond(neighbours == 3.0f || (neighbours == 2.0f && board == 1.0f), 1.0f, 0.0f);
}

Image twelve_steps() {
  Image board = Image(std::vector<float>(4096 * 1024, 1.0f), 4096, 1024);
  for (int i = 0; i < 12; ++i) board = life(board);
  return board;
}

// Steps of a simulation whose intermediate states are not read are computed several at a time, and
// only whole steps are stored.
TEST(GpuPlan, TimeStepsAreBlocked) {
  const auto plan = gpu_plan(twelve_steps());
  const auto kernels = kernels_of(*plan);
  EXPECT_LE(kernels.size(), 6u);
  for (const KernelStep* step : kernels) {
    EXPECT_EQ(step->kernel.sources.size(), 1u);
    EXPECT_EQ(step->kernel.outputs.size(), 1u);
    EXPECT_TRUE(schedule::on_gpu<schedule::RegisterTiles>(step->kernel.schedule));
  }
}

// Register tiles share nothing across planes: steps of a large block are stored.
TEST(GpuPlan, TimeStepsOfABlockAreStored) {
  Array<3, float> block = Array<3, float>(std::vector<float>(1 << 24, 1.0f), 256, 256, 256);
  for (int i = 0; i < 3; ++i)
    block = shift(block, {1, 0, 0}) + shift(block, {-1, 0, 0}) + shift(block, {0, 1, 0}) +
            shift(block, {0, -1, 0}) + shift(block, {0, 0, 1}) + shift(block, {0, 0, -1}) -
            6.0f * block;
  EXPECT_EQ(kernels_of(*gpu_plan(block)).size(), 3u);
}

// On a CPU the same steps are chains, one after the other.
TEST(CpuPlan, TimeStepsAreBlocked) {
  const auto plan = cpu_plan(twelve_steps());
  EXPECT_LE(plan->steps.size(), 4u);
}

// An image cut into blocks does not go through memory, and few elements get few threads.
TEST(GpuPlan, BlocksOfAnImageAreIndexArithmetic) {
  const Image moved = shift(image(), {3, -2}) * 2.0f;
  const auto blocks = reshape(moved, Shape<4>(128, 4, 128, 4));
  const auto plan = gpu_plan(sum(blocks, {1, 3}));
  const auto kernels = kernels_of(*plan);
  ASSERT_EQ(kernels.size(), 1u);
  const auto* reduce = schedule::on_gpu<schedule::RectangleReduce>(kernels[0]->kernel.schedule);
  ASSERT_TRUE(reduce);
  EXPECT_EQ(reduce->columns, 4);
  EXPECT_EQ(reduce->rows, 4);
}

void read_often(std::span<const detail::NodeRef> arrays) {
  for (const detail::NodeRef& array : arrays)
    while (!array->buffer->is_gathered_often()) array->buffer->note_gathered();
}

// Components of pixels that are read at computed indices are interleaved, once read often enough.
TEST(GpuPlan, GatheredTuplesAreJoined) {
  const Array<2, Value3f> pixels(std::vector<Value3f>(64 * 64, {1, 2, 3}), 64, 64);
  pixels.evaluate();
  read_often(pixels.nodes());
  const auto y = index<2>({64, 64}, 0), x = index<2>({64, 64}, 1);
  const auto once = gather(pixels, x / 2, y);
  const auto plan = gpu_plan((once + gather(pixels, x / 3, y)));
  const auto kernels = kernels_of(*plan);
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_EQ(kernels[0]->kernel.sources.size(), 1u);
  EXPECT_EQ(kernels[0]->kernel.sources[0].parts, 4);
  EXPECT_EQ(kernels[0]->kernel.sources[0].members.size(), 3u);
  // A scan that hands its results on does so in pieces: it is left alone.
  const Array<1, Value2f> pairs(std::vector<Value2f>(4096, {1, 2}), 4096);
  const Array<1, int> ones(std::vector<int>(4096, 1), 4096);
  evaluate(pairs, ones);
  read_often(pairs.nodes());
  const auto at = sum_scan(ones);
  const auto scanned = gpu_plan((gather(pairs, at) + gather(pairs, at / 2)));
  ASSERT_EQ(kernels_of(*scanned).size(), 1u);
  EXPECT_EQ(kernels_of(*scanned)[0]->kernel.sources.back().parts, 2);
  const auto apart = gpu_plan(once);
  EXPECT_EQ(kernels_of(*apart)[0]->kernel.sources.size(), 3u);
  // Nor is a copy made of what is read for the first time.
  const Array<2, Value3f> fresh(std::vector<Value3f>(64 * 64, {1, 2, 3}), 64, 64);
  fresh.evaluate();
  const auto first = gpu_plan((gather(fresh, x / 2, y) + gather(fresh, x / 3, y)));
  EXPECT_EQ(kernels_of(*first)[0]->kernel.sources.size(), 3u);
  EXPECT_EQ(kernels_of(*first)[0]->kernel.gathered.size(), 3u);
}

TEST(GpuPlan, SaysHowKernelsRun) {
  const auto strategy = [](std::span<const detail::NodeRef> roots) {
    return compiler::explain(*plan_of(roots, target::h200)).at(0).strategy;
  };
  EXPECT_NE(strategy(box(image()).nodes()).find("register tiles of"), std::string::npos);
  EXPECT_NE(strategy(sum(reshape(image(), Shape<2>(65536, 4)), 1).nodes()).find("4 threads"),
            std::string::npos);
}

}  // namespace
}  // namespace tutti::test
