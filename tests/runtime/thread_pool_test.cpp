// The threads that run tasks: every task once, on any thread, and exceptions come back.
#include "runtime/cpu/thread_pool.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace tutti::test {
namespace {

void expect_each_once(int64_t count, int threads, bool task_by_task) {
  std::vector<std::atomic<int>> times(static_cast<size_t>(count));
  runtime::thread_pool().run(count, threads, task_by_task,
                             [&](int64_t task) { ++times[static_cast<size_t>(task)]; });
  for (const auto& n : times) ASSERT_EQ(n, 1) << count << " tasks, " << threads << " threads";
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int64_t count : {1, 2, 3, 7, 64, 1000, 20'000})
    for (const int threads : {1, 2, 5, 13, 40})
      for (const bool task_by_task : {false, true}) expect_each_once(count, threads, task_by_task);
}

TEST(ThreadPool, ServesManyCallersAndCallsWithinCalls) {
  std::vector<std::thread> callers;
  for (int c = 0; c < 24; ++c)
    callers.emplace_back([c] {
      for (int i = 0; i < 50; ++i)
        runtime::thread_pool().run(5, 3, i % 2 == 0,
                                   [&](int64_t task) { expect_each_once(c + task + 1, 4, true); });
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPool, ExceptionsOfTasksComeBack) {
  for (const bool task_by_task : {false, true})
    for (int round = 0; round < 100; ++round) {
      EXPECT_THROW(runtime::thread_pool().run(1000, 4, task_by_task,
                                              [&](int64_t task) {
                                                if (task == 10 * round)
                                                  throw std::runtime_error("no");
                                              }),
                   std::runtime_error);
      expect_each_once(100, 4, task_by_task);
    }
}

}  // namespace
}  // namespace tutti::test
