#include "support/seeds.hpp"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

constexpr int most_failures = 5;

// What a process that is killed by a signal writes before it ends. The text is made beforehand,
// because a signal handler may only call write().
char last_words[300];
std::atomic<size_t> last_words_length = 0;
std::atomic<size_t> signal_digits = 0;  // where the two digits of the signal stand in it

extern "C" void name_the_seed(int signal) {
  const size_t length = last_words_length.load(), digits = signal_digits.load();
  last_words[digits] = static_cast<char>('0' + signal / 10 % 10);
  last_words[digits + 1] = static_cast<char>('0' + signal % 10);
  if (length > 0 && ::write(STDERR_FILENO, last_words, length) < 0) _exit(128 + signal);
  ::raise(signal);  // the default action was restored by SA_RESETHAND
}

// SIGTERM too: a program that hangs is ended by `timeout`.
void handle_signals() {
  struct sigaction action{};
  action.sa_handler = name_the_seed;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM})
    ::sigaction(signal, &action, nullptr);
}

std::string command_for(const RandomSuite& suite, int64_t seed) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return "TUTTI_TEST_SEED=" + std::to_string(seed) + " " + suite.variable + "=1 " +
         program_invocation_short_name + " --gtest_filter=" + test.test_suite_name() + "." +
         test.name();
}

void announce(const RandomSuite& suite, int64_t seed) {
  last_words_length = 0;
  const std::string text = "seed " + std::to_string(seed) + ": ended by signal ";
  signal_digits = text.size();
  const int length = std::snprintf(last_words, sizeof last_words, "%s??\nrepeat: %s\n",
                                   text.c_str(), command_for(suite, seed).c_str());
  last_words_length = std::min(static_cast<size_t>(length), sizeof last_words - 1);
}

testing::AssertionResult outcome_of(const SeedBody& body, int64_t seed) {
  try {
    return body(static_cast<uint64_t>(seed));
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "exception: " << error.what();
  }
}

}  // namespace

void compare_seeds(const RandomSuite& suite, const SeedBody& body) {
  const int64_t first = first_seed();
  const int64_t count = number_setting(suite.variable, suite.count);
  handle_signals();
  int failures = 0;
  int64_t compared = 0;
  for (int64_t seed = first; seed < first + count && failures < most_failures; ++seed) {
    announce(suite, seed);
    if (const testing::AssertionResult outcome = outcome_of(body, seed); !outcome) {
      ++failures;
      ADD_FAILURE() << "seed " << seed << ": " << outcome.message()
                    << "\nrepeat: " << command_for(suite, seed);
    }
    ++compared;
  }
  last_words_length = 0;
  std::printf("%lld random %s compared\n", static_cast<long long>(compared), suite.things);
  std::fflush(stdout);
}

}  // namespace tutti::test
