// The threads that run tasks: every task once, on any thread, and exceptions come back.
#include "runtime/cpu/thread_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tutti::test {
namespace {

void expect_each_once(int64_t count, int threads) {
  std::vector<std::atomic<int>> times(static_cast<size_t>(count));
  runtime::thread_pool().run(count, threads,
                             [&](int64_t task) { ++times[static_cast<size_t>(task)]; });
  for (const auto& n : times) ASSERT_EQ(n, 1) << count << " tasks, " << threads << " threads";
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int64_t count : {1, 2, 3, 7, 64, 1000, 20'000})
    for (const int threads : {1, 2, 5, 13, 40}) expect_each_once(count, threads);
}

TEST(ThreadPool, ServesManyCallersAndCallsWithinCalls) {
  std::vector<std::thread> callers;
  for (int c = 0; c < 24; ++c)
    callers.emplace_back([c] {
      for (int i = 0; i < 50; ++i)
        runtime::thread_pool().run(5, 3, [&](int64_t task) { expect_each_once(c + task + 1, 4); });
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPool, ExceptionsOfTasksComeBack) {
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(runtime::thread_pool().run(1000, 4,
                                            [&](int64_t task) {
                                              if (task == 10 * round)
                                                throw std::runtime_error("no");
                                            }),
                 std::runtime_error);
    expect_each_once(100, 4);
  }
}

// The first task waits until all others are done. So they run, although it blocks its thread.
TEST(ThreadPool, OthersTakeTheTasksOfThreadsThatAreSlow) {
  constexpr int64_t count = 64;
  std::atomic<int64_t> done{0};
  runtime::thread_pool().run(count, 2, [&](int64_t task) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (task == 0 && done < count - 1 && std::chrono::steady_clock::now() < give_up)
      std::this_thread::yield();
    if (task == 0) EXPECT_EQ(done, count - 1);
    ++done;
  });
}

}  // namespace
}  // namespace tutti::test
