#include "support/emulated_gpu/compiler.hpp"

#include "codegen/codegen.hpp"
#include "codegen/cpu/host_module.hpp"
#include "codegen/gpu/kernels.hpp"
#include "codegen/gpu/layout.hpp"
#include "codegen/gpu/product.hpp"
#include "support/emulated_gpu/isa.hpp"
#include "tutti/error.hpp"

namespace tutti::test {
namespace {

template <class Emit>
std::string code_of(bool has_programs, Emit emit) {
  EmulatedHeader header;
  const std::string object = codegen::compile_for_host(
      [&](llvm::Module& module) {
        EmulatedIsa isa;
        emit(module, isa);
        header = {isa.threads_meet(), isa.shared_bytes()};
      },
      has_programs);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + object;
}

}  // namespace

std::string EmulatedCompiler::compile(const compiler::Kernel& kernel) const {
  return code_of(!kernel.programs.empty(), [&](llvm::Module& module, codegen::GpuIsa& isa) {
    emit_gpu_kernel(module, kernel, isa);
  });
}

std::string EmulatedCompiler::compile(const compiler::ProductStep& step) const {
  return code_of(false, [&](llvm::Module& module, codegen::GpuIsa& isa) {
    emit_gpu_product(module, step, isa);
  });
}

std::string EmulatedCompiler::compile(const codegen::GpuPrimitive& primitive) const {
  throw InternalError("the emulated GPU has no primitive " + primitive.function);
}
std::string EmulatedCompiler::key(const codegen::GpuPrimitive& primitive) const {
  throw InternalError("the emulated GPU has no primitive " + primitive.function);
}

std::string EmulatedCompiler::description() const {
  return "emulated " + codegen::target_description() + " " + std::to_string(codegen::gpu_layout);
}

}  // namespace tutti::test
