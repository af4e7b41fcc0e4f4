#include "tools/time_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "nesl/io/child_process.hpp"

namespace tutti::tools {
namespace {

// The program itself checks the clock between its steps and may print partial results: it gets this
// much time for that.
constexpr double grace_seconds = 0.5;
constexpr std::string_view message = "tutti: the time limit is over\n";

// Runs no destructor: they would wait for computations in progress.
[[noreturn]] void end_process() {
  nesl::kill_child_processes();
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  _exit(1);
}

}  // namespace

TimeLimit::TimeLimit(double seconds) {
  if (seconds > 0) thread_ = std::thread([this, seconds] { watch(seconds); });
}

TimeLimit::~TimeLimit() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
  nesl::kill_child_processes();
}

void TimeLimit::watch(double seconds) {
  // A longer time would overflow the clock's type; no program waits that long.
  constexpr double longest = 1e9;
  const auto time = std::chrono::duration<double>(std::min(seconds, longest) + grace_seconds);
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, time, [this] { return over_; })) end_process();
}

}  // namespace tutti::tools
