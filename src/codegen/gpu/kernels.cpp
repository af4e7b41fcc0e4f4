#include "codegen/gpu/kernels.hpp"

#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/layout.hpp"
#include "codegen/gpu/threads.hpp"
#include "compiler/kernel/argument_layout.hpp"

namespace tutti::codegen {
namespace {

using compiler::Kernel;

template <class Strategy>
GpuBounds bounds_of(const Strategy& strategy) {
  const schedule::Block block = strategy.block();
  GpuBounds bounds{block.columns, block.rows};
  // The border may spill registers: it has few points and must not reduce the occupancy of tiles.
  if constexpr (requires { strategy.registers; }) bounds.registers = strategy.registers;
  return bounds;
}

}  // namespace

llvm::Function* emit_gpu_kernel(llvm::Module& module, const Kernel& kernel, GpuIsa& isa) {
  auto& context = module.getContext();
  const compiler::ArgumentLayout layout(kernel);
  // Few words are the parameter; many are in memory, and the parameter is their address.
  const bool by_value = layout.words() <= most_parameter_words;
  auto* words =
      llvm::ArrayType::get(llvm::Type::getInt64Ty(context), static_cast<uint64_t>(layout.words()));
  const GpuParameter parameter =
      by_value ? GpuParameter{words, true}
               : GpuParameter{llvm::PointerType::get(context, isa.global_memory())};
  llvm::Function* function = isa.declare_kernel(module, {&parameter, 1});
  std::visit(
      [&](const auto& strategy) {
        isa.set_bounds(function, bounds_of(strategy));
        strategy.emit({function, isa}, kernel);
      },
      std::get<schedule::GpuSchedule>(kernel.schedule));
  return function;
}

}  // namespace tutti::codegen
