// Long work, such as compiling a kernel: the first thread that requests a key does the work, and
// other threads that request it wait until it has ended. Only keys in progress are stored.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace tutti::runtime {

template <class Key>
class OncePerKey {
 public:
  // Held while the work for a key is in progress. The constructor waits for another thread that
  // does it; the caller must then look for its result again.
  class Turn {
   public:
    Turn(OncePerKey& all, const Key& key) : all_(all), key_(key) {
      std::unique_lock lock(all_.mutex_);
      all_.changed_.wait(lock, [&] { return !std::ranges::count(all_.in_progress_, key_); });
      all_.in_progress_.push_back(key_);
    }
    ~Turn() {
      {
        std::lock_guard lock(all_.mutex_);
        std::erase(all_.in_progress_, key_);
      }
      all_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    OncePerKey& all_;
    const Key key_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Key> in_progress_;  // at most one for each thread
};

}  // namespace tutti::runtime
