// An array in host memory by its bytes: how a benchmark's inputs and results are handed to a
// baseline that another compiler built. Plain C++17, which nvcc reads too.
#pragma once
#include <cstddef>

namespace tutti::bench {

struct HostArray {
  void* data;
  size_t bytes;
};

}  // namespace tutti::bench
