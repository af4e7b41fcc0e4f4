// Keys of work that is in progress in the background. There is one such object. Threads query
// whether a key is in progress, or wait until its work has ended, successfully or not.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "core/process/fork.hpp"
#include "core/process/interruption.hpp"

namespace tutti::engine {

class KeysInProgress {
 public:
  using Key = std::vector<uint64_t>;

  KeysInProgress() { hold_across_fork(ForkOrder::background_keys, mutex_); }

  bool contains(const Key& key) {
    std::lock_guard lock(mutex_);
    return keys_.contains(key);
  }
  // Returns false if the key is present already.
  bool add(const Key& key) {
    std::lock_guard lock(mutex_);
    return keys_.insert(key).second;
  }
  void remove(const Key& key) {
    {
      std::lock_guard lock(mutex_);
      keys_.erase(key);
    }
    changed_.notify_all();
  }
  // Throws if the thread is interrupted.
  void wait_for(const Key& key) {
    constexpr std::chrono::milliseconds between_looks(10);
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, between_looks, [&] { return !keys_.contains(key); })) {
      lock.unlock();
      stop_if_interrupted();
      lock.lock();
    }
  }

  // Removes a key at the end of its lifetime.
  class Removal {
   public:
    Removal(KeysInProgress& keys, const Key& key) : keys_(keys), key_(key) {}
    ~Removal() { keys_.remove(key_); }
    Removal(const Removal&) = delete;
    Removal& operator=(const Removal&) = delete;

   private:
    KeysInProgress& keys_;
    const Key key_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Key> keys_;
};

}  // namespace tutti::engine
