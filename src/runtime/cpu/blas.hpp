// Products by OpenBLAS, where it is installed. Parts of a product run on Tutti's threads.
#pragma once
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

// Returns false if the caller must compute the product: another type, reproducible results, no
// OpenBLAS, no memory for it, or a process that is ending.
bool blas_multiply(const compiler::ProductStep& step, const void* a, const void* b, void* c);

TUTTI_EXPORT const char* blas_name();  // for `tutti info`

}  // namespace tutti::runtime
