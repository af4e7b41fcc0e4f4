// Memory for arrays on the host. Freed blocks are kept by size for the next array; asking the
// system, and its first touch of each page, cost more than most kernels.
#pragma once
#include <cstddef>

#include "graph/buffer.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

// Memory and its true size, which may exceed what was asked for.
struct HostBlock {
  void* memory = nullptr;
  size_t bytes = 0;
};

class HostPool {
 public:
  virtual ~HostPool() = default;
  // At least `bytes` bytes, aligned to 256. Throws OutOfMemory when neither the pool nor the system
  // has them; everything else stays usable.
  virtual HostBlock take(size_t bytes) = 0;
  // For destructors: takes no memory and does not fail.
  virtual void give_back(const HostBlock& block) noexcept = 0;
};

TUTTI_EXPORT HostPool& host_pool();

// Sizes grow in steps of an eighth of a power of two: at most 12.5 % is unused.
size_t size_class(size_t bytes);
// The classes in order of size, numbered from 0; `size` is that of a class.
constexpr size_t size_classes = 432;
size_t index_of_class(size_t size);

// A buffer on the host.
TUTTI_EXPORT ir::BufferRef allocate(size_t bytes);

}  // namespace tutti::runtime
