// The code generator of the emulated GPU: all strategies and products, as object files of the host.
// It has no vector primitives, because their bitcode is made for one family of GPUs. The CPU runs
// those steps.
#pragma once
#include "codegen/gpu/compiler.hpp"

namespace tutti::test {

// What the driver must know of a kernel, in front of its object file.
struct EmulatedHeader {
  int64_t threads_meet = 0;  // at a barrier or a shuffle
  int64_t shared_bytes = 0;
};

class EmulatedCompiler final : public codegen::GpuCompiler {
 public:
  std::string compile(const compiler::Kernel& kernel) const override;
  std::string compile(const compiler::ProductStep& step) const override;
  std::string compile(const codegen::GpuPrimitive& primitive) const override;
  bool has_primitives() const override { return false; }
  std::string key(const codegen::GpuPrimitive& primitive) const override;
  std::string description() const override;
};

}  // namespace tutti::test
