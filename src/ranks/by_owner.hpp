// Items in the order of the ranks that they go to: a stable counting sort on all threads. Input:
// the number of items, and a function that returns the rank of each.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/cpu/threads.hpp"

namespace tutti::ranks {

class ByOwner {
 public:
  // owner_of(i) is called from several threads. It returns -1 for an item that goes to no rank.
  template <class OwnerOf>
  ByOwner(int64_t items, int ranks, OwnerOf owner_of)
      : items_(items),
        ranks_(static_cast<size_t>(ranks)),
        chunks_((items + chunk_items - 1) / chunk_items),
        owners_(static_cast<size_t>(items)),
        next_(static_cast<size_t>(chunks_) * ranks_),
        begins_(ranks_ + 1) {
    runtime::parallel_for(chunks_, [&](int64_t chunk) {
      int64_t* counts = &next_[static_cast<size_t>(chunk) * ranks_];
      for (int64_t i = chunk * chunk_items; i < end_of(chunk); ++i) {
        const int owner = owner_of(i);
        owners_[static_cast<size_t>(i)] = owner;
        if (owner >= 0) ++counts[owner];
      }
    });
    int64_t at = 0;
    for (size_t r = 0; r < ranks_; ++r) {
      begins_[r] = at;
      for (size_t chunk = 0; chunk < static_cast<size_t>(chunks_); ++chunk) {
        const int64_t count = next_[chunk * ranks_ + r];
        next_[chunk * ranks_ + r] = at;
        at += count;
      }
    }
    begins_[ranks_] = at;
  }

  // Returns the first slot of each rank, and the number of items that go to a rank.
  const std::vector<int64_t>& begins() const { return begins_; }
  int64_t count() const { return begins_.back(); }

  // Calls put(i, slot) for every item that goes to a rank, on several threads.
  template <class Put>
  void place(Put put) const {
    runtime::parallel_for(chunks_, [&](int64_t chunk) {
      const auto first =
          next_.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(chunk) * ranks_);
      std::vector<int64_t> next(first, first + static_cast<ptrdiff_t>(ranks_));
      for (int64_t i = chunk * chunk_items; i < end_of(chunk); ++i)
        if (const int owner = owners_[static_cast<size_t>(i)]; owner >= 0)
          put(i, next[static_cast<size_t>(owner)]++);
    });
  }

 private:
  static constexpr int64_t chunk_items = 1 << 16;
  int64_t end_of(int64_t chunk) const { return std::min(items_, (chunk + 1) * chunk_items); }

  int64_t items_;
  size_t ranks_;
  int64_t chunks_;
  std::vector<int32_t> owners_;
  std::vector<int64_t> next_;  // by chunk and rank: the slot of its first item
  std::vector<int64_t> begins_;
};

}  // namespace tutti::ranks
