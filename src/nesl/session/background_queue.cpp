#include "nesl/session/background_queue.hpp"

#include <algorithm>
#include <thread>

#include "nesl/session/background.hpp"

namespace tutti::nesl {

BackgroundQueue::BackgroundQueue()
    : most_(std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

void BackgroundQueue::add(Background& work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(&work);
  start_some();
}

void BackgroundQueue::start_now(Background& work) {
  {
    const std::lock_guard lock(mutex_);
    if (!take_out(work)) return;
    if (work.start()) {
      ++running_;
      return;
    }
  }
  work.run();
}

void BackgroundQueue::remove(Background& work) {
  const std::lock_guard lock(mutex_);
  take_out(work);
}

void BackgroundQueue::note_end() {
  const std::lock_guard lock(mutex_);
  --running_;
  start_some();
}

// With the lock held. One for which there is no thread waits until another has ended, or until the
// session waits for it.
void BackgroundQueue::start_some() {
  while (running_ < most_ && !waiting_.empty() && waiting_.front()->start()) {
    waiting_.pop_front();
    ++running_;
  }
}

// With the lock held: whether it still waited.
bool BackgroundQueue::take_out(Background& work) { return std::erase(waiting_, &work) > 0; }

}  // namespace tutti::nesl
