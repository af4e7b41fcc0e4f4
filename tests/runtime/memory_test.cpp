// Memory: laziness is bounded, limits are kept, what is freed comes back.
#include <sys/resource.h>

#include <algorithm>
#include <barrier>
#include <cstring>
#include <thread>

#include "runtime/memory/pool.hpp"
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// The same elements of several arrays must not compete for the same cache sets.
TEST(HostPool, LargeBlocksStartAtDifferentOffsetsInAPage) {
  for (const size_t bytes : {size_t{64} << 10, size_t{1} << 20, size_t{4} << 20}) {
    trim_pool();
    std::vector<runtime::HostBlock> blocks;
    std::vector<uintptr_t> offsets;
    for (int i = 0; i < 16; ++i) {
      blocks.push_back(runtime::host_pool().take(bytes));
      const auto address = reinterpret_cast<uintptr_t>(blocks.back().memory);
      EXPECT_EQ(address % 256, 0u);
      offsets.push_back(address % 4096);
      std::memset(blocks.back().memory, 1, bytes);  // all of it is there
    }
    std::sort(offsets.begin(), offsets.end());
    EXPECT_EQ(std::unique(offsets.begin(), offsets.end()) - offsets.begin(), 16);
    for (const runtime::HostBlock& block : blocks) runtime::host_pool().give_back(block);
  }
  trim_pool();  // gives the system what it gave
}

// Blocks that fit nothing any more are given back before others are asked for.
TEST(HostPool, FreeBlocksAreBoundedByThoseInUse) {
  trim_pool();
  constexpr size_t step = size_t{8} << 20, largest = 12 * step;
  for (size_t bytes = 2 * step; bytes <= largest; bytes += step)
    runtime::host_pool().give_back(runtime::host_pool().take(bytes));
  EXPECT_LT(statistics().bytes_in_pool, 3 * static_cast<int64_t>(largest));
  trim_pool();
}

TEST(Laziness, IsBoundedInOperations) {
  Array<1, float> x(Shape<1>(100), 0.0f);
  const int64_t in_use = statistics().bytes_in_use;
  for (int i = 0; i < 100000; ++i) x += 1.0f;
  EXPECT_LT(statistics().bytes_in_use - in_use, 1 << 20);
  EXPECT_EQ(x.to_vector(), std::vector<float>(100, 100000.0f));
}

TEST(Laziness, IsBoundedWhenOperandsAreShared) {
  Array<1, double> x(std::vector<double>(10, 1.0));
  for (int i = 0; i < 1000; ++i) x = (x + x) * 0.5;  // 2 to the 1000 paths, 2000 operations
  EXPECT_EQ(x.to_vector(), std::vector<double>(10, 1.0));
}

// Else every run of a program would make plans and kernels of its own.
TEST(Laziness, CutsTheSameGraphAtTheSameNodes) {
  const WithSettings tight([](Settings& s) { s.max_pending_operations = 100; });
  const Array<1, float> start(std::vector<float>(64, 1.0f));
  int64_t evaluations = 0;
  for (int run = 0; run < 6; ++run) {
    const int64_t before = statistics().evaluations, plans = statistics().plans_built;
    Array<1, float> x = start;
    for (int i = 0; i < 77; ++i) x = x * 0.5f + sin(x) + (x - 0.25f);
    EXPECT_GT(sum(x).item(), -1e9f);
    if (run == 0) evaluations = statistics().evaluations - before;
    EXPECT_EQ(statistics().evaluations - before, evaluations) << "run " << run;
    if (run > 1) {
      EXPECT_EQ(statistics().plans_built, plans) << "run " << run;
    }
  }
  EXPECT_GT(evaluations, 2);
}

TEST(Laziness, IsBoundedInBytes) {
  const WithSettings tight([](Settings& s) { s.max_pending_bytes = 10 << 20; });
  Array<1, float> total(Shape<1>(1 << 18), 0.0f);
  const int64_t in_use = statistics().bytes_in_use;
  int64_t most = 0;
  for (int i = 0; i < 100; ++i) {
    total += Array<1, float>(std::vector<float>(1 << 18, 1.0f));  // pins a new MB each time
    most = std::max(most, statistics().bytes_in_use - in_use);
  }
  EXPECT_LT(most, 16 << 20);
  EXPECT_EQ(total.to_vector()[12345], 100.0f);
}

// To compute would free nothing, and every operation would be a kernel of its own.
TEST(Laziness, ArraysThatTheProgramHoldsAreNotPinned) {
  const WithSettings tight([](Settings& s) { s.max_pending_bytes = 1 << 20; });
  const std::vector<float> ones(1 << 18, 1.0f);
  const Array<1, float> a(ones), b(ones), c(ones), d(ones);  // 1 MB each
  EXPECT_GT(sum(a + b + c + d).item(), 0.0f);
  const int64_t evaluations = statistics().evaluations;
  const Array<1, float> e = (a - (b + 3.75f * c) + d - 0.24f * b) / 27.51f + a - 0.25f * b;
  EXPECT_EQ(statistics().evaluations, evaluations);
  EXPECT_EQ(explain(e).kernels().size(), 1u) << explain(e);
}

TEST(Laziness, DeepGraphsAreDestroyedWithoutRecursion) {
  const WithSettings patient([](Settings& s) { s.max_pending_operations = 1 << 30; });
  Array<1, float> x(std::vector<float>(4, 1.0f));
  for (int i = 0; i < 300000; ++i) x = x + 1.0f;
  x = Array<1, float>(4);  // 300000 nodes go
  EXPECT_EQ(x.to_vector(), std::vector<float>(4, 0.0f));
}

TEST(Limit, IsKeptAndEverythingStaysUsable) {
  const Array<1, float> a(std::vector<float>(1 << 18, 1.0f));  // 1 MB
  const auto x = a + 1.0f, y = a * 3.0f;
  EXPECT_GT(sum(a).item(), 0.0f);  // from here on it is on the device
  trim_pool();
  {
    const WithSettings limited([](Settings& s) { s.max_bytes = statistics().bytes_in_use + 4000; });
    try {
      x.evaluate();
      FAIL() << "the limit was not kept";
    } catch (const OutOfMemory& e) {
      EXPECT_NE(std::string(e.what()).find("TUTTI_MAX_BYTES"), std::string::npos) << e.what();
    }
    EXPECT_THROW(y.to_vector(), OutOfMemory);
    EXPECT_THROW((Array<1, float>(std::vector<float>(1 << 18, 2.0f))), OutOfMemory);
    EXPECT_THROW(x.evaluate(), OutOfMemory) << "again";
    EXPECT_EQ(sum(a).item(), static_cast<float>(1 << 18)) << "what is small enough still works";
  }
  EXPECT_EQ(x.to_vector()[100], 2.0f);
  EXPECT_EQ(y.to_vector()[100], 3.0f);
}

TEST(Limit, IsKeptByThreadsTogether) {
  constexpr int threads = 16, fit = 8;
  constexpr size_t bytes = size_t{1} << 20;
  for (int round = 0; round < 100; ++round) {
    trim_pool();
    const int64_t limit = statistics().bytes_in_use + fit * static_cast<int64_t>(bytes);
    const WithSettings limited([&](Settings& s) { s.max_bytes = limit; });
    std::barrier start(threads);
    std::vector<ir::BufferRef> taken(threads);
    std::vector<std::thread> takers;
    for (int t = 0; t < threads; ++t)
      takers.emplace_back([&, t] {
        start.arrive_and_wait();
        try {
          taken[static_cast<size_t>(t)] = runtime::allocate(bytes);
        } catch (const OutOfMemory&) {
        }
      });
    for (std::thread& taker : takers) taker.join();
    EXPECT_LE(statistics().bytes_in_use, limit);
    ASSERT_EQ(std::count(taken.begin(), taken.end(), nullptr), threads - fit);
  }
}

TEST(Limit, InTheMiddleOfAPlan) {
  const Array<1, float> a(std::vector<float>(1 << 18, 2.0f));
  EXPECT_GT(sum(a).item(), 0.0f);  // from here on it is on the device
  // Two megabytes for two results of two kernels: the second does not fit.
  const auto first = a / sum(a), second = shift(first * first, {1}) + rotate(exp(first), {7});
  {
    const WithSettings limited(
        [](Settings& s) { s.max_bytes = statistics().bytes_in_use + (3 << 19); });
    EXPECT_THROW(evaluate(first, second, inner_product(first, second)), OutOfMemory);
  }
  EXPECT_EQ(first.to_vector()[5], 1.0f / (1 << 18));
  EXPECT_EQ(second.to_vector().size(), size_t{1} << 18);
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // those reserve terabytes themselves
TEST(Limit, WhenTheSystemHasNoMoreMemory) {
  const Array<2, int8_t> tiny(std::vector<int8_t>{1}, 1, 1);
  const auto huge =
      broadcast(tiny, Shape<2>(int64_t{1} << 20, int64_t{1} << 20));  // a terabyte, pending
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit low = before;
  low.rlim_cur = rlim_t{64} << 30;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &low), 0);
  EXPECT_THROW(huge.evaluate(), OutOfMemory);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ((tiny + int8_t{1}).to_vector()[0], 2);
}
#endif

TEST(Pool, KeepsAndGivesBack) {
  trim_pool();
  EXPECT_EQ(statistics().bytes_in_pool, 0);
  const int64_t in_use = statistics().bytes_in_use;
  {
    const Array<1, float> a(std::vector<float>(100000, 1.0f));
    EXPECT_GE(statistics().bytes_in_use - in_use, 400000);
    EXPECT_LE(statistics().bytes_in_use - in_use, 460000);
    EXPECT_GE(statistics().peak_bytes_in_use, statistics().bytes_in_use);
  }
  EXPECT_EQ(statistics().bytes_in_use, in_use);
  EXPECT_GE(statistics().bytes_in_pool, 400000);
  trim_pool();
  EXPECT_EQ(statistics().bytes_in_pool, 0);
}

TEST(Pool, HasALimit) {
  trim_pool();
  const WithSettings none([](Settings& s) { s.pool_bytes = 100000; });
  {
    const Array<1, float> a(std::vector<float>(100000, 1.0f));
  }
  EXPECT_EQ(statistics().bytes_in_pool, 0);
  {
    const Array<1, float> a(std::vector<float>(10000, 1.0f));
  }
  EXPECT_GT(statistics().bytes_in_pool, 0);
}

TEST(Memory, NothingIsLeftBehind) {
  const auto work = [] {
    const Array<2, float> a = plain_array<2>({100, 100});
    const auto x = rotate(a, {1, 1}) / sum(a), y = inner_product(x, transpose(a));
    return (y + max_val(x, 0)).to_vector();
  };
  work();
  const int64_t in_use = statistics().bytes_in_use;
  for (int i = 0; i < 20; ++i) work();
  EXPECT_EQ(statistics().bytes_in_use, in_use);
}

}  // namespace
}  // namespace tutti::test
