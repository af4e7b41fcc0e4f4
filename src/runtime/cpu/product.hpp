// Matrix products on the CPU: OpenBLAS for float and double where it is installed; otherwise, and
// in reproducible mode, a blocked product of Tutti for every type.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::runtime {

void multiply_matrices(const compiler::ProductStep& step, const void* a, const void* b, void* c);

}  // namespace tutti::runtime
