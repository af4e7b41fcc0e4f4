// The counterpart of unrolling: where the code of a kernel is the same step again and again, as
// programs write it that loop over candidates, it becomes a loop (Repeat). A step may differ from
// the others in constants, and in offsets that grow evenly.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// Call before normalise_kernel(). False if nothing is repeated; then the kernel is as it was.
bool reroll(Kernel& kernel);

}  // namespace tutti::compiler
