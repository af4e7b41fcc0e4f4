// The end of processes and threads, fork(), small stacks and limits on memory: never a crash, never
// a wait without end; a right result or an error of ours.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/tutti.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/caching/structural_cache.hpp"
#include "core/process/fork.hpp"
#include "core/process/process_end.hpp"
#include "core/process/thread.hpp"
#include "engine/background.hpp"
#include "faults/child.hpp"
#include "faults/injection.hpp"
#include "faults/programs.hpp"
#include "nesl/eval/host/blocks.hpp"

namespace tutti::test {
namespace {

// What a child of this process does, which must end by itself.
std::string in_fork(const std::function<void()>& work) {
  SharedMemory memory;
  return run_child(*memory, work);
}

// What a command writes, and how it ended.
std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 256> part;
  while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
  const int status = pclose(pipe);
  if (status != 0) text += "status " + std::to_string(status);
  return text;
}
std::string limited(const std::string& command) { return "TUTTI_DEVICE=cpu timeout 60 " + command; }

TEST(ProcessEnd, DestructorsOfStaticObjectsCompute) {
  if (!static_objects_live_on()) GTEST_SKIP() << "a static library cannot";
  EXPECT_EQ(output_of(limited(TUTTI_END_PROBE " static")), "right\nright\n");
}
TEST(ProcessEnd, DestructorsOfThreadLocalObjectsCompute) {
  if (!static_objects_live_on()) GTEST_SKIP() << "a static library cannot";
  EXPECT_EQ(output_of(limited(TUTTI_END_PROBE " thread_local")), "right\nright\nright\nright\n");
}
TEST(ProcessEnd, DetachedThreadsGoOnComputing) {
  if (!static_objects_live_on()) GTEST_SKIP() << "a static library cannot";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(output_of(limited(TUTTI_END_PROBE " detached")), "right\n");
}
TEST(ProcessEnd, PluginsAreLoadedByThreadsThatEnd) {
  EXPECT_EQ(output_of(limited(TUTTI_PLUGIN_HOST " " TUTTI_PLUGIN)), "right\nright\nright\n");
}

// ---- stacks

TEST(Stacks, SmallOnesDoForAProcess) {
  for (const int kilobytes : {64, 128, 256})
    EXPECT_EQ(
        output_of("(ulimit -s " + std::to_string(kilobytes) +
                  "; env -i PATH=$PATH TUTTI_CACHE=0 TUTTI_DEVICE=cpu timeout 60 " TUTTI_END_PROBE
                  " compute)"),
        "right\n")
        << kilobytes;
}

struct SmallThread {
  const FaultProgram& program;
  std::string text;
};

// Returns what is wrong with a program on a thread of 64 KiB, in a child process.
std::string run_on_small_thread(const FaultProgram& program, const char* device) {
  SharedMemory memory;
  return run_child(*memory, [&] {
    setenv("TUTTI_DEVICE", device, 1);
    setenv("TUTTI_CACHE", "0", 1);
    SmallThread there{program, ""};
    run_with_stack(
        64 << 10,
        [](void* argument) {
          auto& now = *static_cast<SmallThread*>(argument);
          now.text = now.program.run();
        },
        &there);
    const bool computes = std::string_view(device) == "cpu";  // a stub of a driver does not
    if (computes && there.text != program.run()) fail_child("a wrong result");
  });
}

TEST(Stacks, SmallOnesDoForAThread) {
  for (const FaultProgram& program : fault_programs())
    EXPECT_EQ(run_on_small_thread(program, "cpu"), "") << program.name;
}

// Calls of a driver take more of the stack than the rest of a computation.
TEST(Stacks, SmallOnesDoForAThreadWithAGpu) {
  for (const FaultProgram& program : fault_programs()) {
    if (!program.on_gpu) continue;  // needs kernels that compute
    EXPECT_EQ(run_on_small_thread(program, "cuda"), "") << program.name;
  }
}

// Blocks of values that are packed lie on the stack, and the calling thread packs its share of
// them.
TEST(Stacks, SmallOnesDoForPacks) {
  const auto compute = [](void* result) {
    const auto a = arange<double>(0, 100'000);
    *static_cast<double*>(result) = sum(pack(a, a > 10.0)).item();
  };
  EXPECT_EQ(in_fork([&] {
              setenv("TUTTI_DEVICE", "cpu", 1);
              double result = 0, expected = 0;
              compute(&expected);
              run_with_stack(64 << 10, compute, &result);
              if (result != expected) fail_child("a wrong result");
            }),
            "");
}

// A plan is made by recursion over the operations of its kernels.
TEST(Stacks, SmallOnesDoForLongExpressions) {
  const auto compute = [](void* result) {
    const Array<1, float> a(std::vector<float>(1000, 1.5f));
    Array<1, float> b = a;
    for (int i = 0; i < 1000; ++i) b = sqrt(b) * a + 0.5f;
    *static_cast<float*>(result) = b.to_vector()[999];
  };
  SharedMemory memory;
  EXPECT_EQ(run_child(*memory,
                      [&] {
                        setenv("TUTTI_DEVICE", "cpu", 1);
                        float result = 0, expected = 0;
                        compute(&expected);
                        clear_kernel_cache();  // and plans
                        run_with_stack(size_t{128} << 10, compute, &result);
                        if (result != expected) fail_child("a wrong result");
                      }),
            "");
}

// ---- memory

// Limits the address space to what the process has, and `megabytes` more.
void limit_address_space(int64_t megabytes) {
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const auto limit = static_cast<rlim_t>(pages * getpagesize() + (megabytes << 20));
  const rlimit now{limit, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &now);
}

TEST(Limits, ErrorsNameTheBytesOfOtherArrays) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers take terabytes";
  EXPECT_EQ(in_fork([] {
              setenv("TUTTI_DEVICE", "cpu", 1);
              const Array<1, float> other(std::vector<float>(1 << 20, 1.0f));
              limit_address_space(500);
              try {
                (Array<1, float>(Shape<1>(1'000'000'001), 1.0f) * 2.0f).evaluate();
                fail_child("there was memory");
              } catch (const OutOfMemory& error) {
                const char* in_use = std::strstr(error.what(), "an array of 4000000004 bytes; ");
                if (!in_use || std::atoll(in_use + 30) < (4 << 20) ||
                    std::atoll(in_use + 30) > (64 << 20))
                  fail_child(error.what());
              }
            }),
            "");
}

TEST(Limits, OfAddressSpaceEndInErrorsOrResults) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers take terabytes";
  int thrown = 0, right = 0;
  for (const FaultProgram& program : fault_programs())
    for (const int64_t megabytes : {1, 30, 75, 110, 240, 1000}) {
      SharedMemory memory;
      Shared& shared = *memory;
      const std::string problem = run_child(shared, [&] {
        setenv("TUTTI_DEVICE", "cpu", 1);
        setenv("TUTTI_CACHE", "0", 1);
        setenv("TUTTI_THREADS", "3", 1);
        limit_address_space(megabytes);
        std::string text;
        try {
          text = program.run();
        } catch (const Error&) {
          shared.thrown = 1;
        } catch (const std::bad_alloc&) {
          shared.thrown = 1;
        }
        engine::wait_for_background();
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &none);
        const std::string again = program.run();
        if (!shared.thrown && text != again) fail_child("a wrong result:\n" + text + again);
      });
      EXPECT_EQ(problem, "") << program.name << " with " << megabytes << " MB";
      thrown += static_cast<int>(shared.thrown);
      right += !shared.thrown;
    }
  EXPECT_GT(thrown, 0);
  EXPECT_GT(right, 0);
}

// The columns that NESL's evaluator keeps for each thread: the first use on a thread, where any
// allocation fails.
TEST(Threads, WithoutMemoryForTheirColumnsThrow) {
  if (!can_inject()) GTEST_SKIP() << "a sanitizer has these functions";
  EXPECT_EQ(in_fork([] {
              bool failed = true;
              for (int64_t point = 0; failed; ++point) {
                std::thread([&] {
                  void* column = nullptr;
                  fail_at(Fault::memory, point, Repeat::once);
                  try {
                    column = nesl::host::take_column();
                  } catch (const std::bad_alloc&) {
                  }
                  stop_faults();
                  failed = has_failed();
                  if (failed == (column != nullptr)) fail_child("a column without memory, or none");
                  if (column) nesl::host::give_column(column);
                }).join();
                if (point > 100) fail_child("it does not end");
              }
            }),
            "");
}

// ---- fork

float compute(float factor) {
  const Array<1, float> a(std::vector<float>(200'000, 2.0f));
  return sum(sqrt(a * factor) + a * factor).item();
}
void expect_right(float factor) {
  try {
    const float got = compute(factor), want = 200'000 * (std::sqrt(2 * factor) + 2 * factor);
    if (std::abs(got - want) > 1e-4f * want) fail_child("a wrong result");
  } catch (const std::exception& error) {
    fail_child(error.what());
  }
}

TEST(Fork, ChildrenComputeAndEnd) {
  EXPECT_EQ(in_fork([] {
              setenv("TUTTI_DEVICE", "cpu", 1);
              setenv("TUTTI_THREADS", "4", 1);
              expect_right(1);
              fault_programs()[7].run();  // starts work in the background
              for (int i = 2; i < 6; ++i) {
                const std::string child = in_fork([i] {
                  expect_right(static_cast<float>(i));  // with threads of its own
                  fault_programs()[7].run();
                  engine::wait_for_background();
                  const std::string grandchild = in_fork([] { expect_right(7); });
                  if (!grandchild.empty()) fail_child("grandchild: " + grandchild);
                });
                if (!child.empty()) fail_child("child: " + child);
                expect_right(static_cast<float>(i) + 0.5f);
              }
            }),
            "");
}

TEST(Fork, WhileOthersComputeChildrenThrowAndEnd) {
  EXPECT_EQ(in_fork([] {
              setenv("TUTTI_DEVICE", "cpu", 1);
              setenv("TUTTI_CACHE", "0", 1);
              std::atomic<bool> stop{false};
              std::vector<std::thread> threads;
              for (int t = 0; t < 3; ++t)
                threads.emplace_back([&, t] {
                  for (int i = 0; !stop; ++i) {
                    Array<1, float> a(std::vector<float>(5'000, 1.0f));
                    for (int k = 0; k < i % 11 + 3 * t; ++k) a = a * 0.5f + shift(a, {k % 3});
                    a.evaluate();
                    if (i % 50 == 0) clear_kernel_cache();
                  }
                });
              for (int i = 0; i < 40; ++i) {
                const std::string child = in_fork([] {
                  try {
                    compute(3);
                  } catch (const Error& error) {
                    if (!std::strstr(error.what(), "fork()")) fail_child(error.what());
                  }
                });
                if (!child.empty()) fail_child("child: " + child);
              }
              stop = true;
              for (std::thread& thread : threads) thread.join();
              expect_right(2);
            }),
            "");
}

// Forks while another thread does some work again and again. Locks of that thread must not outlive
// it in the children.
void fork_beside(const std::function<void()>& work, const std::function<void()>& in_child) {
  setenv("TUTTI_DEVICE", "cpu", 1);
  expect_right(1);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) work();
  });
  for (int i = 0; i < 60; ++i)
    if (const std::string child = in_fork(in_child); !child.empty()) fail_child("child: " + child);
  stop = true;
  other.join();
}

TEST(Fork, WhileOthersMakeArraysChildrenCompute) {
  EXPECT_EQ(in_fork([] {
              const std::vector<float> elements(20'000);
              fork_beside(
                  [&] {
                    const Array<1, float> made(elements);
                    settings();
                  },
                  [] { expect_right(2); });
            }),
            "");
}

TEST(Fork, WhileOthersReadAnArrayChildrenAreRightOrThrow) {
  EXPECT_EQ(in_fork([] {
              const Array<1, float> array(std::vector<float>(1'000'000, 3.0f));
              fork_beside([&] { array.to_vector(); },
                          [&] {
                            try {
                              if (array.to_vector().back() != 3.0f) fail_child("a wrong element");
                            } catch (const Error& error) {
                              if (!std::strstr(error.what(), "fork()")) fail_child(error.what());
                            }
                          });
            }),
            "");
}

TEST(Fork, MutexesOfLostThreadsThrow) {
  ForkMutex held, unlocked;
  std::atomic<int> stage{0};
  std::thread holder([&] {
    const std::lock_guard lock(held);
    stage = 1;
    stage.notify_one();
    stage.wait(1);
  });
  stage.wait(0);
  const std::string child = in_fork([&] {
    if (!held.is_abandoned() || held.try_lock()) fail_child("the lock of a lost thread was taken");
    try {
      held.lock();
      fail_child("locked");
    } catch (const Error& error) {
      if (!std::strstr(error.what(), "fork()")) fail_child(error.what());
    }
    for (int i = 0; i < 2; ++i) const std::lock_guard lock(unlocked);
    const std::lock_guard own(unlocked);
    if (unlocked.is_abandoned() || unlocked.try_lock()) fail_child("it was not locked");
  });
  EXPECT_EQ(child, "");
  stage = 2;
  stage.notify_one();
  holder.join();
  EXPECT_FALSE(held.is_abandoned());
  EXPECT_TRUE(held.try_lock());
  held.unlock();
}

// A value whose copy waits: a thread that finds it holds the lock of the cache.
struct SlowToCopy {
  static inline std::atomic<int> stage{0};
  SlowToCopy() = default;
  SlowToCopy(const SlowToCopy&) {
    if (int idle = 1; !stage.compare_exchange_strong(idle, 2)) return;
    stage.notify_one();
    stage.wait(2);
  }
  SlowToCopy& operator=(const SlowToCopy&) = default;
};

TEST(Fork, CachesOfLostThreadsBeginEmpty) {
  StructuralCache<SlowToCopy> cache(8);
  const std::vector<uint64_t> key{1, 2};
  cache.set(key, {});
  SlowToCopy::stage = 1;
  std::thread finder([&] { cache.find(key); });
  SlowToCopy::stage.wait(1);
  const std::string child = in_fork([&] {
    if (cache.find(key)) fail_child("what a lost thread was reading is still there");
    cache.set(key, {});
    if (!cache.find(key) || cache.size() != 1) fail_child("the cache does not work");
  });
  EXPECT_EQ(child, "");
  SlowToCopy::stage = 3;
  SlowToCopy::stage.notify_one();
  finder.join();
  EXPECT_EQ(cache.size(), 1u);
}

// Programs, their modes, tables of transforms and kernels of expressions are found in caches.
TEST(Fork, WhileOthersCaptureChildrenCompute) {
  EXPECT_EQ(in_fork([] {
              setenv("TUTTI_DEVICE", "cpu", 1);  // the stub of a GPU computes nothing
              const Array<1, float> table(std::vector<float>{1, 2, 3});
              const auto capture = [&] {
                const Program looked_up = program([&](Value1f x) { return table[Value1i(x)]; });
                return Array<1, float>(looked_up(table));
              };
              capture().to_vector();
              fork_beside([&] { capture(); },
                          [&] {
                            if (capture().to_vector() != std::vector<float>{2, 3, 3})
                              fail_child("a wrong result");
                          });
            }),
            "");
}

TEST(Fork, MutexesExcludeOtherThreads) {
  ForkMutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 80'000);
}

TEST(Fork, GpusAreLeftToTheParent) {
  EXPECT_EQ(in_fork([] {
              setenv("TUTTI_DEVICE", "cuda", 1);
              const Array<1, float> there = Array<1, float>(std::vector<float>(100, 2.0f)) * 2.0f;
              there.evaluate();
              const std::string child = in_fork([&] {
                expect_right(2);  // on the CPU
                try {
                  use("cuda");
                  compute(2);
                  fail_child("the GPU was used");
                } catch (const DeviceError&) {
                }
              });
              if (!child.empty()) fail_child("child: " + child);
            }),
            "");
}

}  // namespace
}  // namespace tutti::test
