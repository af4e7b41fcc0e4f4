// Plans that were made before, by the graphs they were made for.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/hash.hpp"
#include "passes/collect.hpp"
#include "passes/plan.hpp"

namespace tutti::runtime {

// Values by keys that are compared in full.
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

class Plans {
 public:
  // One that was made before, or from one that was made for other lengths, or a new one. Call with
  // graph_mutex() held.
  std::shared_ptr<const passes::Plan> get(passes::Collected& graph, bool for_gpu);
  // The same for the CPU, if nothing has to be compiled for it. Else null, and if this is the
  // `times`th time or more that it, or a graph that differs from it in lengths alone, comes by, it
  // is compiled in the background.
  std::shared_ptr<const passes::Plan> get_if_compiled(passes::Collected& graph, int times);
  void forget();

 private:
  using PlanRef = std::shared_ptr<const passes::Plan>;
  // A plan, and the lengths that its graph had.
  struct Sized {
    PlanRef plan;
    std::vector<int64_t> lengths;
  };
  struct Seen {
    int times = 0;
    bool is_being_compiled = false;
  };

  PlanRef from_other_lengths(const std::vector<uint64_t>& key, const passes::SizeClass& sizes);
  void add(const std::vector<uint64_t>& key, const passes::SizeClass& sizes, PlanRef plan);
  void compile_in_background(const passes::Collected& graph, const passes::SizeClass& sizes);

  ByKey<PlanRef> same_;  // by the key of the graph
  ByKey<Sized> alike_;   // by its size class
  ByKey<Seen> seen_;     // the same, of graphs whose kernels are not there
};

Plans& plans();

}  // namespace tutti::runtime
