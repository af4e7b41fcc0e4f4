// The code generator of one GPU, as its device uses it: kernels in, code out, in the form that the
// driver loads. There is one implementation for each family of GPUs. No LLVM here.
#pragma once
#include <string>

#include "codegen/gpu/primitives.hpp"
#include "compiler/kernel/kernel.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::codegen {

class GpuCompiler {
 public:
  virtual ~GpuCompiler() = default;

  virtual std::string compile(const compiler::Kernel& kernel) const = 0;
  // Compiles a product in the order of the numerical contract; gpu/product.hpp has its parameters.
  virtual std::string compile(const compiler::ProductStep& step) const = 0;
  virtual std::string compile(const GpuPrimitive& primitive) const = 0;

  // Returns whether it has vector primitives. Without them, steps that need one run on the CPU.
  virtual bool has_primitives() const = 0;
  // Returns everything that the code of a primitive depends on besides the target.
  virtual std::string key(const GpuPrimitive& primitive) const = 0;
  // Returns everything besides the kernel that its code depends on: part of keys of the disk cache.
  virtual std::string description() const = 0;
};

}  // namespace tutti::codegen
