// Things that take long to make, each made once for its key: by the thread that asks first, while
// others that ask for the same wait for it.
#pragma once
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tutti::runtime {

template <class Thing>
class MadeOnce {
 public:
  template <class Make>
  Thing find(const std::string& key, const Make& make) {
    {
      std::unique_lock lock(mutex_);
      while (true) {
        if (const auto found = ready_.find(key); found != ready_.end()) return found->second;
        if (in_progress_.insert(key).second) break;
        changed_.wait(lock);
      }
    }
    const Finish finish{*this, key};
    Thing thing = make();
    std::lock_guard lock(mutex_);
    return ready_[key] = std::move(thing);
  }

  // Forgets all that is ready, and hands it over.
  std::vector<Thing> forget() {
    std::lock_guard lock(mutex_);
    std::vector<Thing> things;
    for (auto& [key, thing] : ready_) things.push_back(std::move(thing));
    ready_.clear();
    return things;
  }

 private:
  // Whether it was made or an exception stands in the way: then the next one tries.
  struct Finish {
    MadeOnce& all;
    const std::string& key;
    ~Finish() {
      {
        std::lock_guard lock(all.mutex_);
        all.in_progress_.erase(key);
      }
      all.changed_.notify_all();
    }
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Thing> ready_;
  std::set<std::string> in_progress_;
};

}  // namespace tutti::runtime
