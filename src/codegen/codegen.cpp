#include "codegen/codegen.hpp"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "codegen/cpu/host_module.hpp"
#include "codegen/cpu/map_kernel.hpp"
#include "codegen/cpu/scan_kernel.hpp"
#include "codegen/llvm_guard.hpp"
#include "codegen/llvm_targets.hpp"
#include "codegen/optimise.hpp"
#include "core/settings/settings.hpp"

namespace tutti::codegen {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw CompileError("the code generator failed: " + what);
}

// The CPU of this machine, queried once.
struct Host {
  std::string triple, cpu, features;
  Machine machine;

  Host() {
    register_llvm_targets();
    triple = llvm::sys::getProcessTriple();
    cpu = llvm::sys::getHostCPUName().str();
    const auto flags = llvm::sys::getHostCPUFeatures();
    for (const auto& flag : flags) {
      if (!features.empty()) features += ',';
      features += (flag.second ? '+' : '-') + flag.first().str();
    }
    const bool avx512 = flags.lookup("avx512f") && flags.lookup("avx512vl") &&
                        flags.lookup("avx512bw") && flags.lookup("avx512dq");
    machine.vector_bits = avx512 ? 512 : flags.lookup("avx2") ? 256 : 128;
    machine.gathers = flags.lookup("avx2");
    machine.masks = avx512;
    // TUTTI_SIMD_BITS requests shorter vectors than the machine has.
    if (const int bits = simd_bits()) machine.vector_bits = std::min(machine.vector_bits, bits);
    machine.permutes = avx512 && machine.vector_bits == 512;
  }
};

const Host& host() {
  static std::atomic<const Host*> instance{nullptr};
  static auto* const mutex = new std::mutex;
  if (const Host* known = instance.load(std::memory_order_acquire)) return *known;
  std::lock_guard lock(*mutex);
  if (!instance.load()) with_llvm([&] { instance = new Host; });
  return *instance.load();
}

std::unique_ptr<llvm::TargetMachine> make_target_machine() {
  std::string error;
  const llvm::Triple triple(host().triple);
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) fail(error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion =
      llvm::FPOpFusion::Strict;  // the numerical contract: nothing is contracted
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, host().cpu, host().features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Default, true));
}

// A TargetMachine is not thread-safe and expensive to make, so each thread keeps its own. One whose
// compilation was left by a jump (llvm_guard.hpp) is abandoned.
struct KeptMachine {
  std::unique_ptr<llvm::TargetMachine> machine;
  bool in_use = false;
};
KeptMachine& kept_machine() {
  thread_local KeptMachine instance;
  return instance;
}
llvm::TargetMachine& target_machine() {
  if (!kept_machine().machine) kept_machine().machine = make_target_machine();
  return *kept_machine().machine;
}

// Runs work that calls LLVM with the TargetMachine of this thread.
template <class Work>
void with_compiler(const Work& work) {
  host();
  with_llvm([&] {
    KeptMachine& kept = kept_machine();
    if (std::exchange(kept.in_use, true)) static_cast<void>(kept.machine.release());
    try {
      work();
    } catch (...) {
      kept.in_use = false;
      throw;
    }
    kept.in_use = false;
  });
}

// Larger kernels are not optimised: their body dominates the code that these passes improve.
constexpr size_t largest_to_optimise = 48;

template <class Emit>
std::unique_ptr<llvm::Module> build(llvm::LLVMContext& context, const Emit& emit) {
  auto module = std::make_unique<llvm::Module>("tutti", context);
  module->setTargetTriple(llvm::Triple(host().triple));
  module->setDataLayout(target_machine().createDataLayout());
  emit(*module);
  verify(*module);
  return module;
}
std::unique_ptr<llvm::Module> build(llvm::LLVMContext& context, const compiler::Kernel& kernel) {
  return build(context,
               [&](llvm::Module& module) { emit_cpu_kernel(module, kernel, host().machine); });
}

std::string object_of(llvm::Module& module) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (target_machine().addPassesToEmitFile(passes, stream, nullptr,
                                           llvm::CodeGenFileType::ObjectFile))
    fail("no object file for this machine");
  passes.run(module);
  return std::string(object.begin(), object.end());
}

}  // namespace

std::string compile(const compiler::Kernel& kernel) {
  std::string object;
  with_compiler([&] {
    llvm::LLVMContext context;
    auto module = build(context, kernel);
    if (!kernel.programs.empty())
      optimise_programs(*module, target_machine());
    else if (kernel.code.size() <= largest_to_optimise)
      optimise(*module, target_machine());
    object = object_of(*module);
  });
  return object;
}

std::string compile_scan(const ScanKernel& scan) {
  return compile_for_host(
      [&](llvm::Module& module) { emit_scan_kernel(module, scan, host().machine); }, false);
}

std::string compile_for_host(const std::function<void(llvm::Module&)>& emit, bool has_programs) {
  std::string object;
  with_compiler([&] {
    llvm::LLVMContext context;
    auto module = build(context, emit);
    if (has_programs)
      optimise_programs(*module, target_machine());
    else
      optimise(*module, target_machine());
    object = object_of(*module);
  });
  return object;
}

std::string show_ir(const compiler::Kernel& kernel, bool optimised) {
  std::string text;
  with_compiler([&] {
    llvm::LLVMContext context;
    auto module = build(context, kernel);
    if (optimised && !kernel.programs.empty())
      optimise_programs(*module, target_machine());
    else if (optimised)
      optimise(*module, target_machine());
    llvm::raw_string_ostream out(text);
    module->print(out, nullptr);
  });
  return text;
}

std::string target_description() {
  static const std::string text = [] {
    return host().triple + ' ' + host().cpu + ' ' + host().features + ' ' +
           std::to_string(LLVM_VERSION_MAJOR) + ' ' + std::to_string(host().machine.vector_bits) +
           ' ' + std::to_string(operation_table_hash());
  }();
  return text;
}

std::string cpu_name() { return host().cpu; }
int vector_bits() { return host().machine.vector_bits; }

}  // namespace tutti::codegen
