// cuBLAS, found at run time.
#pragma once
#include "compiler/plan/plan.hpp"
#include "runtime/cuda/driver_table.hpp"

namespace tutti::runtime::cuda {

// False when there is no cuBLAS, or it does not take this product.
bool blas_multiply(const compiler::ProductStep& step, Address a, Address b, Address c,
                   Handle stream);
const char* blas_name();

}  // namespace tutti::runtime::cuda
