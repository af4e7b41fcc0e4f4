// Values by keys that are compared in full, for all threads: what was made once for a structure
// that comes again.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/hash.hpp"

namespace tutti {

template <class Value>
class ByKey {
 public:
  std::optional<Value> find(const std::vector<uint64_t>& key) {
    std::lock_guard lock(mutex_);
    const auto found = place_of(key);
    return found == entries_.end() ? std::nullopt : std::optional(found->second.second);
  }
  void set(const std::vector<uint64_t>& key, Value value) {
    std::lock_guard lock(mutex_);
    if (const auto found = place_of(key); found != entries_.end()) entries_.erase(found);
    if (entries_.size() >= most) entries_.clear();  // many sizes pass by: start again
    entries_.emplace(hash_words(key), std::pair(key, std::move(value)));
  }
  void forget() {
    std::lock_guard lock(mutex_);
    entries_.clear();
  }

 private:
  using Entries = std::unordered_multimap<uint64_t, std::pair<std::vector<uint64_t>, Value>>;
  typename Entries::iterator place_of(const std::vector<uint64_t>& key) {
    const auto [first, last] = entries_.equal_range(hash_words(key));
    for (auto entry = first; entry != last; ++entry)
      if (entry->second.first == key) return entry;
    return entries_.end();
  }

  static constexpr size_t most = 4096;
  std::mutex mutex_;
  Entries entries_;
};

}  // namespace tutti
