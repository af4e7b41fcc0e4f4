#include "runtime/background.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace tutti::runtime {
namespace {

class Background {
 public:
  Background() : thread_([this] { run(); }) {}

  void add(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      if (ending_) return;
      waiting_.push_back(std::move(work));
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return (waiting_.empty() && !busy_) || ending_; });
  }
  void end() {
    {
      std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  bool has_room() {
    std::lock_guard lock(mutex_);
    return waiting_.size() < most_waiting;
  }
  bool is_ending() {
    std::lock_guard lock(mutex_);
    return ending_;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
      lock.unlock();
      work();
      lock.lock();
      busy_ = false;
      changed_.notify_all();
    }
  }

  static constexpr size_t most_waiting = 64;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool busy_ = false, ending_ = false;
  std::thread thread_;  // last: it uses the others
};

Background& background() {
  static Background* instance = new Background;
  return *instance;
}

// As a rule the main thread.
const std::thread::id loading_thread = std::this_thread::get_id();

// A compiler must not run while static variables are destroyed, its own among them. Variables of
// the main thread go before those, so one of them sees to it; other threads let it finish.
struct AtThreadEnd {
  ~AtThreadEnd() {
    if (std::this_thread::get_id() == loading_thread)
      background().end();
    else
      background().wait();
  }
};

}  // namespace

void in_background(std::function<void()> work) {
  thread_local const AtThreadEnd at_thread_end;
  background().add(std::move(work));
}
void wait_for_background() { background().wait(); }
bool background_has_room() { return background().has_room(); }
bool background_is_ending() { return background().is_ending(); }

}  // namespace tutti::runtime
