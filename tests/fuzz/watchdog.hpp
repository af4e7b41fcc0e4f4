// Prints the input of a test when the process crashes, and ends a process that hangs. One input may
// take two minutes, which is far more than any needs.
#pragma once
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace tutti::test {

class Watchdog {
 public:
  Watchdog() : thread_([this] { watch(); }) {
    for (const int signal : signals) std::signal(signal, report);
  }
  ~Watchdog() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
    for (const int signal : signals) std::signal(signal, SIG_DFL);
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // The test is at the input of this seed from now on.
  static void at(int64_t seed) { current() = seed; }

 private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

  static std::atomic<int64_t>& current() {
    static std::atomic<int64_t> seed{0};
    return seed;
  }

  // Only what a signal handler may call.
  static void report(int signal) {
    char text[80] = "\nthis happened with TUTTI_TEST_INPUTS=1 TUTTI_TEST_SEED=";
    size_t length = std::strlen(text);
    char digits[24];
    int count = 0;
    uint64_t rest = static_cast<uint64_t>(current().load());
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    while (count > 0) text[length++] = digits[--count];
    text[length++] = '\n';
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, length);
    std::signal(signal, SIG_DFL);
    raise(signal);
  }

  void watch() {
    constexpr auto patience = std::chrono::seconds(120);
    std::unique_lock lock(mutex_);
    int64_t seen = current();
    auto since = std::chrono::steady_clock::now();
    while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) {
      const auto now = std::chrono::steady_clock::now();
      if (const int64_t seed = current(); seed != seen) {
        seen = seed;
        since = now;
      } else if (now - since > patience) {
        std::abort();  // report() says at which input
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tutti::test
