// Products by OpenBLAS, where it is installed. It ends the process when it gets no thread and tries
// for ever to get memory. So it is loaded without threads of its own, parts of a product are given
// to ours, and it is not called where the system does not give the memory that it will ask for.
#pragma once
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

// False if the product is left to the caller: another type, reproducible results, no OpenBLAS, no
// memory for it, or a process that is ending.
bool blas_multiply(const compiler::ProductStep& step, const void* a, const void* b, void* c);

TUTTI_EXPORT const char* blas_name();  // for `tutti info`

}  // namespace tutti::runtime
