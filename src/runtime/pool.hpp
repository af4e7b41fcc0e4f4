// Memory for arrays. Freed blocks are kept by size for the next array; asking the system, and its
// first touch of each page, cost more than most kernels.
#pragma once
#include <cstddef>

#include "ir/buffer.hpp"

namespace tutti::runtime {

// At least `bytes` bytes, aligned to 256. Throws OutOfMemory when neither the pool nor the system has
// them; everything else stays usable.
ir::BufferRef allocate(size_t bytes);

}  // namespace tutti::runtime
