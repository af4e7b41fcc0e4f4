// Divides a range into parts for all threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <limits>

#include "graph/segment_offsets.hpp"
#include "runtime/cpu/threads.hpp"

namespace tutti::runtime {

// Calls body(begin, end) for parts of [0, count) of about `size`, on all threads.
template <class F>
void in_parts(int64_t count, int64_t size, F body) {
  const int64_t parts = (count + size - 1) / size;
  if (parts <= 1 || cpu_threads() == 1) return body(int64_t{0}, count);
  parallel_for(parts, [&](int64_t part) { body(part * size, std::min(count, (part + 1) * size)); });
}

// Calls body(first, last) for ranges of segments with about equal work, on all threads: an element
// costs 1, a segment `segment_cost` more. If offsets do not ascend, some segments may occur twice.
template <class F>
void in_segment_parts(const ir::Offsets& offsets, int64_t elements, int64_t segment_cost, F body) {
  constexpr int64_t least = 1 << 15;  // of a part
  const int64_t segments = offsets.segments(), work = elements + segment_cost * segments;
  const int64_t parts = std::clamp<int64_t>(work / least, 1, 8 * cpu_threads());
  if (parts == 1 || cpu_threads() == 1) return body(int64_t{0}, segments);
  const auto first_of = [&](int64_t part) {
    if (part == parts) return segments;
    int64_t low = 0, high = segments;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (offsets[middle] + segment_cost * middle < work / parts * part)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  parallel_for(parts, [&](int64_t part) { body(first_of(part), first_of(part + 1)); });
}

// The least of the indices at which threads have found an error.
class FirstWrong {
 public:
  void note(int64_t place) {  // -1: no error
    if (place < 0) return;
    int64_t known = place_;
    while (place < known && !place_.compare_exchange_weak(known, place)) {
    }
  }
  bool any() const { return place_ != none; }
  int64_t place() const { return place_; }

 private:
  static constexpr int64_t none = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> place_{none};
};

}  // namespace tutti::runtime
