// Returns the alignment, in bytes, of the address of a load of `lanes` neighbours, the first of
// which has an index that is a multiple of `lanes`. All wide accesses rely on this function alone.
// Arrays begin at multiples of at least 32 bytes (see runtime/gpu/unaligned.hpp).
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

int alignment_of(const compiler::Kernel& kernel, const compiler::Load& load, int lanes);

}  // namespace tutti::codegen
