// A thread-safe cache of values by structure, with keys that are compared in full. The number of
// values is limited; the least recently used are evicted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/caching/hash.hpp"
#include "core/process/fork.hpp"

namespace tutti {

template <class Value>
class StructuralCache {
 public:
  explicit StructuralCache(size_t most) : most_(most) {}

  std::optional<Value> find(const std::vector<uint64_t>& key) {
    const auto lock = lock_renewable(mutex_, entries_);
    const auto found = place_of(key);
    if (found == entries_.end()) return std::nullopt;
    found->second.last_use = ++clock_;
    return found->second.value;
  }
  void set(const std::vector<uint64_t>& key, Value value) {
    std::vector<Entry> dropped;  // destroyed after the lock is gone
    const auto lock = lock_renewable(mutex_, entries_);
    if (const auto found = place_of(key); found != entries_.end()) {
      std::swap(found->second.value, value);
      found->second.last_use = ++clock_;
      return;
    }
    if (entries_.size() >= most_) drop_oldest(dropped);
    entries_.emplace(hash_words(key), Entry{key, std::move(value), ++clock_});
  }
  void forget() {
    Entries dropped;
    const auto lock = lock_renewable(mutex_, entries_);
    dropped.swap(entries_);
  }

  size_t size() {
    const auto lock = lock_renewable(mutex_, entries_);
    return entries_.size();
  }
  void set_most(size_t most) {
    const auto lock = lock_renewable(mutex_, entries_);
    most_ = most;
  }

 private:
  struct Entry {
    std::vector<uint64_t> key;
    Value value;
    int64_t last_use;
  };
  using Entries = std::unordered_multimap<uint64_t, Entry>;

  typename Entries::iterator place_of(const std::vector<uint64_t>& key) {
    const auto [first, last] = entries_.equal_range(hash_words(key));
    for (auto entry = first; entry != last; ++entry)
      if (entry->second.key == key) return entry;
    return entries_.end();
  }

  // Evicts an eighth and the excess over the limit, so that eviction is rare.
  void drop_oldest(std::vector<Entry>& dropped) {
    std::vector<int64_t> ages;
    ages.reserve(entries_.size());
    for (const auto& [hash, entry] : entries_) ages.push_back(entry.last_use);
    const size_t count = std::min(entries_.size(), entries_.size() - most_ + most_ / 8 + 1);
    const auto last = ages.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::ranges::nth_element(ages, last);
    dropped.reserve(count);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      if (entry->second.last_use > *last) {
        ++entry;
        continue;
      }
      dropped.push_back(std::move(entry->second));
      entry = entries_.erase(entry);
    }
  }

  size_t most_;
  ForkMutex mutex_;
  Entries entries_;
  int64_t clock_ = 0;
};

}  // namespace tutti
