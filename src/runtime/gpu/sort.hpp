// Sorting on a GPU: by radix, a byte a pass.
#pragma once
#include "runtime/gpu/launches.hpp"

namespace tutti::runtime::gpu {

struct SortCall {
  int64_t count;
  int key_bytes;
  kernels::KeyKind kind;
  bool descending;
  int passes;  // bytes of the key that are looked at
  int64_t keys = 0;
  int64_t sorted_keys = 0;  // 0: not wanted
  int value_bytes = 0;      // 0: no values; 4 or 8
  int64_t values = 0;       // 0: positions
  int64_t out = 0;          // of the values
};

// How the bits of a type are ordered, and how many bytes numbers up to one have.
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
