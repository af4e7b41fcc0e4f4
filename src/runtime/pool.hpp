// Memory for arrays on the host. Freed blocks are kept by size for the next array; asking the
// system, and its first touch of each page, cost more than most kernels.
#pragma once
#include <cstddef>

#include "ir/buffer.hpp"

namespace tutti::runtime {

class HostPool {
 public:
  virtual ~HostPool() = default;
  // At least `bytes` bytes, aligned to 256. Throws OutOfMemory when neither the pool nor the system
  // has them; everything else stays usable.
  virtual void* take(size_t bytes) = 0;
  virtual void give_back(void* block, size_t bytes) = 0;
};

HostPool& host_pool();

// Sizes grow in steps of an eighth of a power of two: at most 12.5 % is unused.
size_t size_class(size_t bytes);

// A buffer on the host.
ir::BufferRef allocate(size_t bytes);

}  // namespace tutti::runtime
