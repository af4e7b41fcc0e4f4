// One graph for each strategy of a GPU schedule: the strategy is chosen, and the emulated GPU gives
// the interpreter's bits.
#include <gtest/gtest.h>

#include <tutti/keywords.hpp>
#include <tutti/recurrence.hpp>
#include <tutti/tutti.hpp>

#include "compiler/kernel/register_tile.hpp"
#include "runtime/device.hpp"
#include "support/compare.hpp"
#include "support/plan_of.hpp"

namespace tutti::test {
namespace {

Array<1, float> line(int n) {
  std::vector<float> numbers(static_cast<size_t>(n));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i % 1013) * 0.37f - 150.0f;
  return Array<1, float>(numbers);
}
Array<2, float> image(int rows, int columns) {
  return reshape(line(rows * columns), Shape<2>(rows, columns));
}

template <class Strategy, class A>
bool some_kernel_has(const A& array) {
  const auto plan = gpu_plan(array);
  for (const compiler::KernelStep* step : kernels_of(*plan))
    if (schedule::on_gpu<Strategy>(step->kernel.schedule)) return true;
  return false;
}

// `make` builds the array anew, since an array is computed once.
template <class Strategy, class Make>
void expect_strategy(Make make) {
  EXPECT_TRUE(some_kernel_has<Strategy>(make()))
      << "other strategies were chosen: " << explain(make());
  expect_same(make);
}

TEST(EmulatedStrategies, LinearMap) {
  for (int n : {1, 31, 1000, 4096, 10007})
    expect_strategy<schedule::LinearMap>([&] { return line(n) * 2.0f + 1.0f; });
}

TEST(EmulatedStrategies, PointMap) {
  expect_strategy<schedule::PointMap>(
      [] { return section(image(37, 200), {{0, 37}, {3, 90, 2}}) + 1.0f; });
  expect_strategy<schedule::PointMap>(
      [] { return section(line(5000), {{4999, 5000, -1}}) + line(5000); });
}

TEST(EmulatedStrategies, WarpTileMap) {
  const Program sum_below = BEGIN {
    In<Value1i> n;
    Out<Value1i> total = 0;
    FOR(Value1i i = 0, i < n, i++) { total += i; }
    ENDFOR;
  }
  END;
  expect_strategy<schedule::WarpTileMap>([&]() -> Array<2, int> {
    const Array<2, float> every_other = section(image(37, 200), {{0, 37}, {3, 90, 2}});
    return sum_below(cast<int>(abs(every_other)) % 7);
  });
  // More rows than a launch has blocks for.
  expect_strategy<schedule::WarpTileMap>([] { return transpose(image(2, 300001)) + 1.0f; });
}

TEST(EmulatedStrategies, RegisterTiles) {
  expect_strategy<schedule::RegisterTiles>([] {
    const Array<2, float> a = image(300, 517);
    return shift(a, {0, 1}) + shift(a, {0, -1}) + shift(a, {1, 0}) + shift(a, {-1, 0}) - 4.0f * a;
  });
  expect_strategy<schedule::RegisterTiles>([] { return transpose(image(512, 260)) * 2.0f; });
}

// Threads of a warp without results of their own, whose values others get by shuffles.
template <class A>
int threads_of_halos(const A& array) {
  int most = 0;
  const auto plan = gpu_plan(array);
  for (const compiler::KernelStep* step : kernels_of(*plan))
    if (const auto* tiles = schedule::on_gpu<schedule::RegisterTiles>(step->kernel.schedule)) {
      const compiler::TileParts parts(step->kernel, tiles->rows, tiles->columns);
      most = std::max(most, parts.halo_left() + parts.halo_right());
    }
  return most;
}

TEST(EmulatedStrategies, RegisterTilesWithShuffles) {
  const auto make = [] {
    const Array<2, float> a = image(200, 417);
    const Array<2, float> costly = exp(a * 0.01f) * a + sqrt(abs(a));
    Array<2, float> total = costly;
    for (int d = 1; d <= 3; ++d) total += shift(costly, {0, d}) + shift(costly, {0, -d});
    return total;
  };
  EXPECT_GT(threads_of_halos(make()), 0);
  expect_strategy<schedule::RegisterTiles>(make);
}

TEST(EmulatedStrategies, RegisterTilesInLoops) {
  const WithSettings with([](Settings& s) { s.max_pending_operations = 1 << 20; });
  expect_strategy<schedule::RegisterTiles>([] {
    const Array<2, float> left = image(256, 512), right = image(256, 512);
    Array<2, float> least(left.shape(), 1e30f), best(left.shape(), 0.0f);
    for (int d = 0; d < 32; ++d) {
      Array<2, float> cost = left - shift(right, {0, d});
      for (int i = 1; i <= 3; ++i) cost += shift(cost, {0, i}) + shift(cost, {i, 0});
      best = cond(cost < least, static_cast<float>(d), best);
      least = min(cost, least);
    }
    return best;
  });
}

TEST(EmulatedStrategies, LineMap) {
  const auto step = [](auto y, auto x) { return 0.25f * x + 0.75f * y; };
  for (int axis : {0, 1})
    for (const Direction direction : {Direction::forward, Direction::backward})
      expect_strategy<schedule::LineMap>(
          [&] { return recurrence(step, 1.0f, image(57, 200) * 2.0f, axis, direction); });
  const auto states = [](Value2f y, Value1f x) { return Value2f(y(1) + x, 0.5f * y(0)); };
  expect_strategy<schedule::LineMap>([&] {
    const Array<3, float> a = reshape(image(60, 200), Shape<3>(3, 20, 200));
    return recurrence(states, Value2f(1.0f, 2.0f), a, 1);
  });
}

TEST(EmulatedStrategies, RectangleReduce) {
  expect_strategy<schedule::RectangleReduce>(
      [] { return sum(reshape(image(132, 260), Shape<4>(33, 4, 65, 4)), {1, 3}); });
}

TEST(EmulatedStrategies, SubwarpReduce) {
  for (int length : {3, 7, 16, 31})
    expect_strategy<schedule::SubwarpReduce>([&] { return sum(image(1001, length) * 2.0f, 1); });
}

TEST(EmulatedStrategies, BlockReduce) {
  for (int n : {300, 5000, 100003})
    expect_strategy<schedule::BlockReduce>([&] { return sum(line(n) * 0.5f); });
}

TEST(EmulatedStrategies, WarpReduce) {
  expect_strategy<schedule::WarpReduce>([] { return sum(image(2000, 400) * 2.0f, 1); });
  // Of a vector in order, in wide accesses.
  expect_strategy<schedule::WarpReduce>([] { return sum(line(9000001) * 2.0f); });
}

TEST(EmulatedStrategies, ColumnReduce) {
  expect_strategy<schedule::ColumnReduce>([] { return sum(image(3001, 70) * 2.0f, 0); });
  expect_strategy<schedule::ColumnReduce>([] { return sum(image(5, 5000), 0); });
}

// Elements that a primitive computes: the emulated GPU has no primitives, and the CPU computes them
// from the same kernel.
TEST(EmulatedStrategies, FusedElements) {
  const auto make = [] { return sum_scan(line(5000) * 2.0f); };
  const auto plan = gpu_plan(make());
  const auto* step = std::get_if<compiler::PrimitiveStep>(&plan->steps.at(0));
  ASSERT_TRUE(step && step->elements);
  EXPECT_TRUE(schedule::on_gpu<schedule::FusedElements>(step->elements->kernel.schedule));
  EXPECT_FALSE(runtime::current_device().can_run(*step));
  expect_same(make);
}

}  // namespace
}  // namespace tutti::test
