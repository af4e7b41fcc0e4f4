// The driver of the random suites reports differences, exceptions and signals with their seeds.
#include "support/seeds.hpp"

#include <gtest/gtest-spi.h>

#include <csignal>
#include <stdexcept>

#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

const RandomSuite suite{"TUTTI_TEST_THINGS", 3, "things"};

uint64_t second_seed() { return static_cast<uint64_t>(first_seed()) + 1; }

void differ() {
  compare_seeds(suite, [](uint64_t seed) {
    if (seed == second_seed()) return testing::AssertionFailure() << "5, not 6";
    return testing::AssertionSuccess();
  });
}
void throw_an_exception() {
  compare_seeds(suite, [](uint64_t seed) -> testing::AssertionResult {
    if (seed == second_seed()) throw std::runtime_error("no such thing");
    return testing::AssertionSuccess();
  });
}
void end_by_a_signal() {
  compare_seeds(suite, [](uint64_t seed) {
    if (seed == second_seed()) std::raise(SIGSEGV);
    return testing::AssertionSuccess();
  });
}

TEST(Seeds, OfDifferencesAreNamed) {
  EXPECT_NONFATAL_FAILURE(differ(), "seed " + std::to_string(second_seed()) + ": 5, not 6");
}

TEST(Seeds, OfExceptionsAreNamed) {
  EXPECT_NONFATAL_FAILURE(throw_an_exception(), "exception: no such thing");
}

TEST(SeedsDeathTest, OfSignalsAreNamed) {
  EXPECT_EXIT(end_by_a_signal(), testing::KilledBySignal(SIGSEGV),
              "seed " + std::to_string(second_seed()) + ": ended by signal 11");
}

}  // namespace
}  // namespace tutti::test
