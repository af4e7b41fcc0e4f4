// Every point at which the system can fail does fail, one after the other, in each of the programs.
// Expected is an exception of Tutti or the right result, no leak, and a right result of the same
// program after it. TUTTI_TEST_FAULTS=all takes every point, days of them inside of compilation;
// TUTTI_TEST_FAULTS=stacks takes one allocation of each call stack there; TUTTI_TEST_PART=3/16
// takes every sixteenth of these, for several processes. Otherwise a sample spread over all is
// taken, from a seed that is printed (TUTTI_TEST_SEED repeats it).
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "engine/background.hpp"
#include "faults/child.hpp"
#include "faults/injection.hpp"
#include "faults/programs.hpp"
#include "support/compare.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

uint64_t seed() {
  static const auto chosen =
      static_cast<uint64_t>(first_seed(static_cast<int64_t>(std::time(nullptr))));
  return chosen;
}

struct Trial {
  FaultProgram program;
  Fault kind;
  Repeat repeat = Repeat::once;
  bool compiles = false;  // every run begins without kernels
  const char* device = "cpu";
  int64_t most_points = 0;
  bool compares() const { return !std::strcmp(device, "cpu") || true_driver_file(); }
};

// Whether the call stacks of the run that counts are asked for.
bool by_call_stack(const Trial& trial) {
  return fault_points() == FaultPoints::call_stacks && trial.compiles &&
         trial.kind == Fault::memory;
}

std::vector<int64_t> part_of(const std::vector<int64_t>& points) {
  const WorkPart part = work_part();
  std::vector<int64_t> chosen;
  for (size_t i = static_cast<size_t>(part.index); i < points.size();
       i += static_cast<size_t>(part.count))
    chosen.push_back(points[i]);
  return chosen;
}

// All points, one of each call stack, or a sample that is evenly spread.
std::vector<int64_t> points_to_try(const Trial& trial, int64_t points) {
  if (by_call_stack(trial)) return part_of(first_points_of_call_stacks());
  int64_t first = 0, step = 1;
  if (fault_points() != FaultPoints::all && points > trial.most_points) {
    step = (points + trial.most_points - 1) / trial.most_points;
    first =
        static_cast<int64_t>((seed() * 0x9e3779b97f4a7c15u >> 32) % static_cast<uint64_t>(step));
  }
  std::vector<int64_t> chosen;
  for (int64_t point = first; point < points; point += step) chosen.push_back(point);
  return chosen;
}

// In a child, before anything of the library runs.
void prepare(const Trial& trial, const std::string& folder) {
  setenv("TUTTI_DEVICE", trial.device, 1);
  setenv("TUTTI_THREADS", "3", 1);
  setenv("TUTTI_CACHE", "0", 1);
  setenv("TUTTI_CACHE_DIR", folder.c_str(), 1);
}

std::string run_cleanly(const Trial& trial) {
  try {
    std::string text = trial.program.run();
    engine::wait_for_background();
    return text;
  } catch (const std::exception& error) {
    fail_child(std::string("a run without faults threw: ") + error.what());
  }
}

// By call stack, kernels are read from disk: the next run with a fault compiles them again.
std::string run_after_fault(const Trial& trial) {
  const WithSettings with([&](Settings& s) { s.disk_cache |= by_call_stack(trial); });
  return run_cleanly(trial);
}

// The text of a run with a fault; empty if it ended in an exception that is allowed.
std::string run_with_fault(const Trial& trial, int64_t point) {
  std::string text;
  try {
    fail_at(trial.kind, point, trial.repeat);
    text = trial.program.run();
    stop_faults();
  } catch (const Error&) {
    stop_faults();
  } catch (const std::bad_alloc&) {
    stop_faults();
  } catch (const std::exception& error) {
    stop_faults();
    fail_child(std::string("a foreign exception: ") + error.what());
  }
  return text;
}

void forget_kernels(const Trial& trial) {
  if (trial.compiles) clear_kernel_cache();
}

int64_t bytes_in_use() { return statistics().bytes_in_use; }

// What a run without faults leaves behind; nothing, as a rule.
int64_t blocks_of_a_run(const Trial& trial) {
  constexpr int runs = 4;
  const int64_t before = live_blocks();
  for (int i = 0; i < runs; ++i) run_cleanly(trial);
  return std::max<int64_t>(0, live_blocks() - before + runs - 1) / runs;
}

// Runs that were cut short leave other groups of nodes to the next, and their plans fill the
// caches: 4,800 blocks after 98 faults in nested sequences, 9,000 after 5,216. What LLVM had made
// when it did not come back is lost: compilations without any memory are left out.
void expect_no_leak(const Trial& trial, Shared& shared, int64_t grown, int64_t a_run) {
  constexpr int64_t few = 40, once = 3000;
  shared.grown = grown;
  if (trial.compiles && trial.repeat == Repeat::from_then_on) return;
  if (grown > shared.tried * (2 * a_run + few) + once)
    fail_child("memory is lost: " + std::to_string(grown) + " blocks after " +
               std::to_string(shared.tried) + " faults");
}

void run_points(const Trial& trial, Shared& shared) {
  const std::string expected = run_cleanly(trial);
  for (int i = 0; i < 4; ++i) run_cleanly(trial);  // now every cache knows it
  const int64_t a_run = blocks_of_a_run(trial);
  forget_kernels(trial);
  by_call_stack(trial) ? count_call_stacks() : count_points();
  run_cleanly(trial);
  stop_faults();
  shared.points = points_of(trial.kind);
  const std::vector<int64_t> chosen = points_to_try(trial, shared.points);
  const int64_t in_use = bytes_in_use(), live = live_blocks();
  for (; shared.next < std::ssize(chosen); ++shared.next) {
    shared.point = chosen[static_cast<size_t>(shared.next)];
    forget_kernels(trial);
    const std::string text = run_with_fault(trial, shared.point);
    if (!text.empty() && trial.compares() && text != expected)
      fail_child("a wrong result:\n" + text + "instead of\n" + expected);
    forget_kernels(trial);
    const std::string after = run_after_fault(trial);
    if (trial.compares() && after != expected)
      fail_child("a wrong result after the fault:\n" + after + "instead of\n" + expected);
    if (bytes_in_use() != in_use)
      fail_child("arrays are lost: " + std::to_string(bytes_in_use() - in_use) + " bytes");
    ++shared.tried;
    shared.thrown += text.empty();
  }
  expect_no_leak(trial, shared, live_blocks() - live, a_run);
}

// In one child after the other: the next begins after the point at which the last one ended.
void expect_no_harm(const Trial& trial) {
  if (!can_inject()) GTEST_SKIP() << "a sanitizer has these functions";
  const TemporaryFolder folder;
  SharedMemory memory;
  Shared& shared = *memory;
  int failures = 0;
  while (failures < 5) {
    const std::string problem = run_child(shared, [&] {
      prepare(trial, folder.path());
      run_points(trial, shared);
    });
    if (problem.empty()) break;
    ++failures;
    ADD_FAILURE() << trial.program.name << ", " << name_of(trial.kind) << " " << shared.point
                  << " of " << shared.points << (trial.compiles ? ", compiling" : "")
                  << (trial.repeat == Repeat::once ? "" : " and all that follow") << ", seed "
                  << seed() << ": " << problem;
    if (shared.points == 0) break;
    ++shared.next;
  }
  std::printf("%s: %lld of %lld points (%s%s%s), %lld exceptions, %lld blocks, seed %llu\n",
              trial.program.name, static_cast<long long>(shared.tried),
              static_cast<long long>(shared.points), name_of(trial.kind),
              trial.compiles ? ", compiling" : "",
              trial.repeat == Repeat::once ? "" : ", all that follow",
              static_cast<long long>(shared.thrown), static_cast<long long>(shared.grown),
              static_cast<unsigned long long>(seed()));
}

class Faults : public ::testing::TestWithParam<int> {
 protected:
  const FaultProgram& program() { return fault_programs()[static_cast<size_t>(GetParam())]; }
};

TEST_P(Faults, NoMemory) {
  expect_no_harm({.program = program(), .kind = Fault::memory, .most_points = 100});
}
TEST_P(Faults, NoMemoryAnyMore) {
  expect_no_harm({.program = program(),
                  .kind = Fault::memory,
                  .repeat = Repeat::from_then_on,
                  .most_points = 100});
}
TEST_P(Faults, NoMemoryToCompile) {
  expect_no_harm(
      {.program = program(), .kind = Fault::memory, .compiles = true, .most_points = 25});
}
TEST_P(Faults, NoMemoryAnyMoreToCompile) {
  expect_no_harm({.program = program(),
                  .kind = Fault::memory,
                  .repeat = Repeat::from_then_on,
                  .compiles = true,
                  .most_points = 15});
}
TEST_P(Faults, FilesThatFail) {
  expect_no_harm({.program = program(), .kind = Fault::file, .compiles = true, .most_points = 60});
}
TEST_P(Faults, DriverCallsThatFail) {
  if (!program().on_gpu) GTEST_SKIP() << "needs kernels that compute";
  expect_no_harm(
      {.program = program(), .kind = Fault::driver, .device = "cuda", .most_points = 60});
}
TEST_P(Faults, DriverCallsThatFailAtTheFirstRun) {
  if (!program().on_gpu) GTEST_SKIP() << "needs kernels that compute";
  expect_no_harm({.program = program(),
                  .kind = Fault::driver,
                  .compiles = true,
                  .device = "cuda",
                  .most_points = 6});
}
TEST_P(Faults, NoMemoryForTheDevice) {
  if (!program().on_gpu) GTEST_SKIP() << "needs kernels that compute";
  expect_no_harm(
      {.program = program(), .kind = Fault::memory, .device = "cuda", .most_points = 60});
}

// Threads are started once: each point has a process of its own.
TEST_P(Faults, NoThreads) {
  if (!can_inject()) GTEST_SKIP() << "a sanitizer has these functions";
  const TemporaryFolder folder;
  const Trial trial{.program = program(), .kind = Fault::thread};
  for (const Repeat repeat : {Repeat::once, Repeat::from_then_on})
    for (int64_t point = 0;; ++point) {
      SharedMemory memory;
      Shared& shared = *memory;
      const std::string problem = run_child(shared, [&] {
        prepare(trial, folder.path());
        fail_at(Fault::thread, point, repeat);
        std::string text;
        try {
          text = trial.program.run();
        } catch (const Error&) {
          ++shared.thrown;
        }
        engine::wait_for_background();
        shared.tried = has_failed();
        stop_faults();
        const std::string expected = run_cleanly(trial);
        if (!text.empty() && text != expected) fail_child("a wrong result:\n" + text + expected);
      });
      EXPECT_EQ(problem, "") << program().name << ", thread start " << point
                             << (repeat == Repeat::once ? "" : " and all that follow");
      if (!shared.tried) break;
    }
}

std::string name_of_program(const ::testing::TestParamInfo<int>& info) {
  std::string name;
  for (const char* c = fault_programs()[static_cast<size_t>(info.param)].name; *c; ++c)
    name += std::isalnum(static_cast<unsigned char>(*c)) ? *c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Programs, Faults,
                         ::testing::Range(0, static_cast<int>(fault_programs().size())),
                         name_of_program);

}  // namespace
}  // namespace tutti::test
