// Random suites: compare_seeds() runs one independent program for each seed. TUTTI_TEST_SEED=N is
// the first seed, the variable of the suite says how many follow. A difference, an exception and a
// crash all name their seed and the command that repeats it; the last line counts what was
// compared.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

namespace tutti::test {

struct RandomSuite {
  const char* variable;  // TUTTI_TEST_<THINGS>: how many programs
  int64_t count;         // how many, unless the variable says otherwise
  const char* things;    // what the last line calls them
};

using SeedBody = std::function<testing::AssertionResult(uint64_t seed)>;

// Stops after five differences.
void compare_seeds(const RandomSuite& suite, const SeedBody& body);

}  // namespace tutti::test
