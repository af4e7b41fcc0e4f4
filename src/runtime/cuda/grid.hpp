// How many blocks and threads a launch has.
#pragma once
#include <cstdint>

#include "passes/plan.hpp"

namespace tutti::runtime::cuda {

struct Grid {
  unsigned x = 1, y = 1, threads_x = 1, threads_y = 1;
};

// Blocks for so many things, each of which takes a few.
unsigned blocks(int64_t count, int64_t each, int64_t most);

Grid grid_of(const passes::KernelStep& step);

}  // namespace tutti::runtime::cuda
