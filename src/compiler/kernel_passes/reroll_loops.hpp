// The counterpart of unrolling: code of a kernel that repeats one step, as programs write it that
// loop over candidates, becomes a loop (Repeat). Steps may differ in constants, and in offsets that
// form an arithmetic progression.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// Call before normalise_kernel(). Returns false, with the kernel unchanged, if nothing is repeated.
bool reroll(Kernel& kernel);

}  // namespace tutti::compiler
