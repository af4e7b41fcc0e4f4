#include "codegen/gpu/kernels.hpp"

#include "codegen/gpu/layout.hpp"
#include "codegen/gpu/strategies.hpp"
#include "codegen/gpu/threads.hpp"
#include "codegen/nvptx/inline_ptx.hpp"
#include "compiler/kernel/argument_layout.hpp"
#include "numerics/reduction_tree.hpp"
#include "target/h200.hpp"

namespace tutti::codegen {
namespace {

using compiler::Kernel;

// Shuffles and folds are emitted for warps of this size, and the tree of a wide reduction has a
// lane for each thread of a block.
static_assert(target::h200_tuning.warp == warp_threads);
static_assert(target::h200_tuning.reduce_warps * warp_threads == ir::wide_lanes);

// What the assembler may rely on: the launch has no more threads, a thread no more registers.
template <class Strategy>
void set_bounds(llvm::Function* function, const Strategy& strategy) {
  const schedule::Block block = strategy.block();
  function->addFnAttr("nvvm.maxntid", std::to_string(block.columns) +
                                          (block.rows ? "," + std::to_string(block.rows) : ""));
  // The border may spill registers: it is few points, and must not keep warps of tiles away.
  if constexpr (requires { strategy.registers; })
    function->addFnAttr("nvvm.maxnreg", std::to_string(strategy.registers));
}

}  // namespace

llvm::Function* emit_gpu_kernel(llvm::Module& module, const Kernel& kernel) {
  auto& context = module.getContext();
  const compiler::ArgumentLayout layout(kernel);
  // Few words are the parameter itself; many are in memory, and the parameter says where.
  const bool by_value = layout.words() <= most_parameter_words;
  auto* words =
      llvm::ArrayType::get(llvm::Type::getInt64Ty(context), static_cast<uint64_t>(layout.words()));
  auto* parameter = llvm::PointerType::get(context, by_value ? 0 : global_memory);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {parameter}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
  function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (by_value) {
    function->addParamAttr(0, llvm::Attribute::getWithByValType(context, words));
    function->addParamAttr(0, llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    function->addParamAttr(0, llvm::Attribute::get(context, "nvvm.grid_constant"));
  }
  std::visit(
      [&](const auto& strategy) {
        set_bounds(function, strategy);
        emit_gpu(function, kernel, strategy);
      },
      std::get<schedule::GpuSchedule>(kernel.schedule));
  return function;
}

}  // namespace tutti::codegen
