// Stencils on a GPU. A warp owns a stretch of columns and a few rows; each of its threads computes
// a patch of them (patch.hpp), in which everything that its points share is computed once, and what
// lies to the side comes from the neighbours in the warp. Points near the border, where boundary
// rules matter, are left to threads of their own, one a point.
#pragma once
#include "passes/kernel.hpp"

namespace tutti::passes {

// Decides whether the kernel works by patches and of which size, from its structure and sizes.
void plan_tiling(Kernel& kernel);

}  // namespace tutti::passes
