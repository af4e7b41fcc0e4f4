// Radix sort on a GPU, one pass for each byte of the keys.
#pragma once
#include "runtime/gpu/launches.hpp"

namespace tutti::runtime::gpu {

struct SortCall {
  int64_t count;
  int key_bytes;
  kernels::KeyKind kind;
  bool descending;
  int passes;  // the number of low bytes of the key that are sorted by
  int64_t keys = 0;
  int64_t sorted_keys = 0;  // 0: not needed
  int value_bytes = 0;      // 0: no values; 4 or 8
  int64_t values = 0;       // 0: positions
  int64_t out = 0;          // of the values
};

// Return the order of the bits of a type, and the number of bytes of integers up to `greatest`.
kernels::KeyKind key_kind(ElementType type);
int bytes_needed(uint64_t greatest);

class SortLaunches : public Launches {
 public:
  using Launches::Launches;
  void sort();

 protected:
  void radix_sort(const SortCall& s);

 private:
  void gather_values(int64_t order);
  void sort_segments(size_t offsets_input);
};

}  // namespace tutti::runtime::gpu
