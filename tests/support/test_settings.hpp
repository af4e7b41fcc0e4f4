// What the environment of a test run may set. All test programs read it here. An empty variable
// counts as not set; an impossible value throws.
//
//   TUTTI_TEST_SEED=N            the first seed of random suites
//   TUTTI_TEST_<THINGS>=N        how many seeds follow: GRAPHS, PROGRAMS, NESTED, INPUTS, ...
//   TUTTI_TEST_FAULTS=all        injected faults: every point
//   TUTTI_TEST_FAULTS=stacks     one allocation of each call stack inside of compilation
//   TUTTI_TEST_PART=3/16         every sixteenth of these points, from the fourth on
//   TUTTI_TEST_DRIVER=file       the GPU driver that the stub driver calls
//   TUTTI_TEST_UPDATE_GOLDEN=1   write the expected texts of passes anew
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace tutti::test {

// The text of a variable; null if it is not set.
inline const char* test_setting(const char* name) {
  const char* text = std::getenv(name);
  return text && *text ? text : nullptr;
}

[[noreturn]] inline void refuse_setting(const char* name, const std::string& expected) {
  throw std::invalid_argument(std::string(name) + "=" + test_setting(name) + ": expected " +
                              expected);
}

inline int64_t number_setting(const char* name, int64_t otherwise) {
  const char* text = test_setting(name);
  if (!text) return otherwise;
  char* end = nullptr;
  const int64_t number = std::strtoll(text, &end, 10);
  if (*end) refuse_setting(name, "a whole number");
  return number;
}

inline int64_t first_seed(int64_t otherwise = 1) {
  return number_setting("TUTTI_TEST_SEED", otherwise);
}

enum class FaultPoints { sampled, all, call_stacks };

inline FaultPoints fault_points() {
  const char* text = test_setting("TUTTI_TEST_FAULTS");
  if (!text) return FaultPoints::sampled;
  if (std::string(text) == "all") return FaultPoints::all;
  if (std::string(text) != "stacks") refuse_setting("TUTTI_TEST_FAULTS", "all or stacks");
  return FaultPoints::call_stacks;
}

// Part `index` of `count` equal parts of the work.
struct WorkPart {
  int index = 0, count = 1;
};

inline WorkPart work_part() {
  WorkPart part;
  const char* text = test_setting("TUTTI_TEST_PART");
  if (text && (std::sscanf(text, "%d/%d", &part.index, &part.count) != 2 || part.index < 0 ||
               part.index >= part.count))
    refuse_setting("TUTTI_TEST_PART", "a part, such as 3/16");
  return part;
}

inline const char* true_driver_file() { return test_setting("TUTTI_TEST_DRIVER"); }
inline bool updates_golden_files() { return test_setting("TUTTI_TEST_UPDATE_GOLDEN") != nullptr; }

}  // namespace tutti::test
