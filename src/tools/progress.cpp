#include "tools/progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "core/escape.hpp"

namespace tutti::tools {

Progress::Progress(std::string what) : Progress([what = std::move(what)] { return what; }) {}

Progress::Progress(std::function<std::string()> what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Progress::hide() {
  std::lock_guard lock(mutex_);
  hide_locked();
}

void Progress::hide_locked() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

void Progress::show() {
  using namespace std::chrono;
  constexpr milliseconds patience(2000), between(500);
  constexpr size_t longest = 70;
  const auto start = steady_clock::now();
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, patience, [this] { return ended_; })) return;
  while (!ended_) {
    const auto took = duration_cast<seconds>(steady_clock::now() - start).count();
    std::fprintf(stderr, "\r\x1b[K%s, %lld s", escaped(what_()).substr(0, longest).c_str(),
                 static_cast<long long>(took));
    std::fflush(stderr);
    shown_ = true;
    changed_.wait_for(lock, between, [this] { return ended_; });
  }
  hide_locked();
}

}  // namespace tutti::tools
