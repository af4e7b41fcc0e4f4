// How many elements the body of a kernel computes at a time, and how heavy it is.
#pragma once
#include "codegen/emit/machine.hpp"
#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

// Returns the number of lanes: as many elements of the widest type as fill a register. Bytes alone
// would have more lanes than masks and gathers handle well.
int choose_lanes(const compiler::Kernel& kernel, const Machine& machine);

// Returns whether a body is compiled only once, under masks, if the machine has efficient ones. The
// cost of the mask is negligible then, and a second copy would double the compile time.
bool has_heavy_body(const compiler::Kernel& kernel);

}  // namespace tutti::codegen
