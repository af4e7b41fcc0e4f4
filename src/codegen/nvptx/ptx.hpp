// PTX for NVIDIA GPUs: kernels in, text out, for the driver to assemble.
#pragma once
#include <string>

#include "codegen/gpu/compiler.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::codegen {

// The target of code generation: compute capability (90 for 9.0) and version of the PTX language
// (83 for 8.3).
struct PtxTarget {
  int sm = 75;
  int ptx = 75;
};

// Returns the newest target that this LLVM and a device of that capability and driver support.
TUTTI_EXPORT PtxTarget ptx_target(int sm, int driver_version);

TUTTI_EXPORT std::string compile_ptx(const compiler::Kernel& kernel, const PtxTarget& target);

// Compiles a product of matrices of one type in the layout of `step`, in the order of the numerical
// contract.
TUTTI_EXPORT std::string compile_product_ptx(const compiler::ProductStep& step,
                                             const PtxTarget& target);

// Returns whether the library was built with vector primitives, which needs clang.
TUTTI_EXPORT bool has_gpu_primitives();
TUTTI_EXPORT std::string compile_primitive_ptx(const GpuPrimitive& primitive,
                                               const PtxTarget& target);

class PtxCompiler final : public GpuCompiler {
 public:
  explicit PtxCompiler(const PtxTarget& target) : target_(target) {}
  std::string compile(const compiler::Kernel& kernel) const override {
    return compile_ptx(kernel, target_);
  }
  std::string compile(const compiler::ProductStep& step) const override {
    return compile_product_ptx(step, target_);
  }
  std::string compile(const GpuPrimitive& primitive) const override {
    return compile_primitive_ptx(primitive, target_);
  }
  bool has_primitives() const override { return has_gpu_primitives(); }
  std::string key(const GpuPrimitive& primitive) const override;
  std::string description() const override;

 private:
  const PtxTarget target_;
};

}  // namespace tutti::codegen
