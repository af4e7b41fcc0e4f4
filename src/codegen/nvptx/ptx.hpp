// PTX for NVIDIA GPUs: kernels in, text out, for the driver to assemble.
#pragma once
#include <string>

#include "compiler/kernel/kernel.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::codegen {

// What to generate for: compute capability (90 for 9.0) and version of the PTX language (83
// for 8.3).
struct PtxTarget {
  int sm = 75;
  int ptx = 75;
};

// The newest target that both this LLVM and a device of that capability and driver know.
PtxTarget ptx_target(int sm, int driver_version);

std::string compile_ptx(const compiler::Kernel& kernel, const PtxTarget& target);

// A product of matrices of one type, stored as `step` says, in the order of the numerical contract.
std::string compile_product_ptx(const compiler::ProductStep& step, const PtxTarget& target);

std::string ptx_description(const PtxTarget& target);  // part of cache keys

}  // namespace tutti::codegen
