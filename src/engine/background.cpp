#include "engine/background.hpp"

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "core/process/fork.hpp"
#include "core/process/process_end.hpp"
#include "core/process/thread.hpp"
#include "core/settings/settings.hpp"

namespace tutti::engine {
namespace {

class Background {
 public:
  // Adds work. The thread is started when it is first needed. If the system refuses a thread, the
  // work is dropped: all background work is optional.
  void add(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      if (ending_) return;
      if (!started_) started_ = start_thread(compiler_stack_bytes, run_all, this);
      if (!started_) return;
      waiting_.push_back(std::move(work));
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return (waiting_.empty() && !busy_) || ending_; });
  }
  // Blocks until the thread is idle. Work that has not started is dropped.
  void end() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    changed_.wait(lock, [&] { return !busy_; });
  }
  bool has_room() {
    std::lock_guard lock(mutex_);
    return waiting_.size() < most_waiting;
  }
  bool is_ending() {
    std::lock_guard lock(mutex_);
    return ending_;
  }

  // In a child of fork(): drops the work of the thread, which does not exist there.
  void forget_thread() noexcept {
    started_ = busy_ = false;
    waiting_.clear();
    new (&changed_) std::condition_variable;
  }
  void stay_whole_across_fork() noexcept {
    hold_across_fork(ForkOrder::background_work, working_);
    hold_across_fork(ForkOrder::background_list, mutex_);
  }

 private:
  static void run_all(void* background) { static_cast<Background*>(background)->run(); }

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
      lock.unlock();
      {
        std::lock_guard at_work(working_);
        do_now(work);
        work = nullptr;
      }
      lock.lock();
      busy_ = false;
      changed_.notify_all();
    }
  }

  // There is no caller to report a failure to: the work is dropped and the error logged.
  static void do_now(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      if (live_settings().log)
        std::fprintf(stderr, "tutti: work in the background: %s\n", error.what());
    }
  }

  static constexpr size_t most_waiting = 64;
  std::mutex mutex_;
  std::mutex working_;  // held while work runs; never taken together with the other
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool started_ = false, busy_ = false, ending_ = false;
};

Background& background() {
  static Background* instance = [] {
    auto* made = new Background;
    made->stay_whole_across_fork();
    in_forked_child([] { background().forget_thread(); });
    // A compiler must not run while its static objects are destroyed.
    if (!static_objects_live_on()) at_process_exit([](void*) { background().end(); });
    return made;
  }();
  return *instance;
}

}  // namespace

void in_background(std::function<void()> work) { background().add(std::move(work)); }
void end_background_at_exit() {
  static const bool once = [] {
    if (static_objects_live_on()) at_process_exit([](void*) { background().end(); });
    return true;
  }();
  static_cast<void>(once);
}
void wait_for_background() { background().wait(); }
bool background_has_room() { return background().has_room(); }
bool background_is_ending() { return background().is_ending(); }

}  // namespace tutti::engine
