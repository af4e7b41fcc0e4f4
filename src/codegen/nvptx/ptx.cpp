#include "codegen/nvptx/ptx.hpp"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <memory>

#include "codegen/emit/elementwise.hpp"
#include "codegen/gpu/kernels.hpp"
#include "codegen/gpu/layout.hpp"
#include "codegen/gpu/product.hpp"
#include "codegen/gpu/specialise.hpp"
#include "codegen/llvm_guard.hpp"
#include "codegen/llvm_targets.hpp"
#include "codegen/nvptx/isa.hpp"
#include "codegen/nvptx/primitive_bitcode.hpp"
#include "codegen/nvptx/ptxas_workarounds/exact_integers.hpp"
#include "codegen/nvptx/ptxas_workarounds/flag_comparisons.hpp"
#include "codegen/nvptx/ptxas_workarounds/negated_operands.hpp"
#include "codegen/optimise.hpp"
#include "core/caching/hash.hpp"

namespace tutti::codegen {
namespace {

constexpr const char* triple_of_ptx = "nvptx64-nvidia-cuda";

// The compute capabilities of LLVM 22; a newer device runs PTX of the newest of them.
constexpr int known_sm[] = {70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 120};

// PTX versions by the CUDA version of the driver.
struct PtxOfDriver {
  int driver, ptx;
};
constexpr PtxOfDriver ptx_of_driver[] = {{13000, 88}, {12090, 88}, {12080, 87}, {12070, 86},
                                         {12050, 85}, {12040, 84}, {12030, 83}, {12020, 82},
                                         {12010, 81}, {12000, 80}, {11080, 78}, {11000, 70}};
// The oldest PTX version that supports a capability.
constexpr PtxOfDriver ptx_of_sm[] = {{120, 87}, {103, 88}, {100, 86}, {90, 78}, {89, 78},
                                     {87, 74},  {86, 71},  {80, 70},  {75, 63}, {70, 60}};

std::unique_ptr<llvm::TargetMachine> make_target(const PtxTarget& target) {
  register_llvm_targets();
  std::string error;
  const llvm::Triple triple(triple_of_ptx);
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found) throw CompileError("no code generator for NVIDIA GPUs: " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion =
      llvm::FPOpFusion::Strict;  // the numerical contract: nothing is contracted
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, "sm_" + std::to_string(target.sm), "+ptx" + std::to_string(target.ptx), options,
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

std::string text_of(llvm::Module& module, llvm::TargetMachine& machine) {
  compare_flags_as_logic(module);
  make_integers_exact(module);
  keep_negated_operands(module);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw CompileError("the code generator writes no PTX");
  passes.run(module);
  return std::string(text.begin(), text.end());
}

template <class Emit>
std::string generate(const PtxTarget& target, bool has_programs, Emit emit) {
  std::string text;
  with_llvm([&] {
    llvm::LLVMContext context;
    const auto machine = make_target(target);
    llvm::Module module("tutti", context);
    module.setTargetTriple(llvm::Triple(triple_of_ptx));
    module.setDataLayout(machine->createDataLayout());
    PtxIsa isa;
    emit(module, isa);
    verify(module);
    has_programs ? optimise_programs(module, *machine) : optimise(module, *machine);
    text = text_of(module, *machine);
  });
  return text;
}

}  // namespace

PtxTarget ptx_target(int sm, int driver_version) {
  PtxTarget target{70, 60};
  for (int known : known_sm)
    if (known <= sm) target.sm = known;
  for (const PtxOfDriver& entry : ptx_of_driver)
    if (driver_version >= entry.driver) {
      target.ptx = entry.ptx;
      break;
    }
  // PTX cannot express a capability newer than its version; an older target always works.
  const auto least = [&] {
    for (const PtxOfDriver& entry : ptx_of_sm)
      if (target.sm >= entry.driver) return entry.ptx;
    return 60;
  };
  while (least() > target.ptx && target.sm > 70)
    target.sm = *std::prev(std::find(std::begin(known_sm), std::end(known_sm), target.sm));
  return target;
}

std::string compile_ptx(const compiler::Kernel& kernel, const PtxTarget& target) {
  return generate(target, !kernel.programs.empty(),
                  [&](llvm::Module& module, GpuIsa& isa) { emit_gpu_kernel(module, kernel, isa); });
}

std::string compile_product_ptx(const compiler::ProductStep& step, const PtxTarget& target) {
  return generate(target, false,
                  [&](llvm::Module& module, GpuIsa& isa) { emit_gpu_product(module, step, isa); });
}

bool has_gpu_primitives() { return !gpu_bitcode().empty(); }

// Clang compiled this code, so it needs all of LLVM's optimisations.
std::string compile_primitive_ptx(const GpuPrimitive& primitive, const PtxTarget& target) {
  std::string text;
  with_llvm([&] {
    llvm::LLVMContext context;
    PtxIsa isa;
    const auto machine = make_target(target);
    const std::unique_ptr<llvm::Module> module = specialise(gpu_bitcode(), primitive, isa, context);
    module->setTargetTriple(llvm::Triple(triple_of_ptx));
    module->setDataLayout(machine->createDataLayout());
    verify(*module);
    optimise_fully(*module, *machine);
    text = text_of(*module, *machine);
  });
  return text;
}

std::string PtxCompiler::key(const GpuPrimitive& primitive) const {
  static const uint64_t bitcode = hash_bytes(gpu_bitcode());
  return primitive_key(primitive, bitcode);
}

std::string PtxCompiler::description() const {
  return "sm_" + std::to_string(target_.sm) + " ptx" + std::to_string(target_.ptx) + " " +
         std::to_string(LLVM_VERSION_MAJOR) + " " + std::to_string(operation_table_hash()) + " " +
         std::to_string(gpu_layout);
}

}  // namespace tutti::codegen
