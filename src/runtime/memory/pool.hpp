// Memory for arrays on the host. Freed blocks are kept by size for the next array, because
// allocating from the system, and the first access to each page, cost more than most kernels.
#pragma once
#include <cstddef>

#include "graph/buffer.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

// Memory and its actual size, which may exceed the requested size.
struct HostBlock {
  void* memory = nullptr;
  size_t bytes = 0;
};

class HostPool {
 public:
  virtual ~HostPool() = default;
  // Returns at least `bytes` bytes, aligned to 256. Throws OutOfMemory if neither the pool nor the
  // system has them; everything else stays usable.
  virtual HostBlock take(size_t bytes) = 0;
  // For destructors: allocates nothing and does not fail.
  virtual void give_back(const HostBlock& block) noexcept = 0;
};

TUTTI_EXPORT HostPool& host_pool();

// Rounds up to a size class. Sizes grow in steps of an eighth of a power of two: at most 12.5 % is
// unused.
size_t size_class(size_t bytes);
// Returns the number of a size class, in order of size from 0.
constexpr size_t size_classes = 432;
size_t index_of_class(size_t size);

// Makes a buffer on the host.
TUTTI_EXPORT ir::BufferRef allocate(size_t bytes);

}  // namespace tutti::runtime
