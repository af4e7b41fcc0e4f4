// cuBLAS, found at run time.
#pragma once
#include "compiler/plan/plan.hpp"
#include "runtime/cuda/driver_table.hpp"

namespace tutti::runtime::cuda {

// Returns false if there is no cuBLAS, or if it does not support this product.
bool blas_multiply(const compiler::ProductStep& step, Address a, Address b, Address c,
                   Handle stream);
const char* blas_name();

}  // namespace tutti::runtime::cuda
