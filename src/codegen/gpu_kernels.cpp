#include "codegen/gpu_kernels.hpp"

#include "codegen/gpu_map.hpp"
#include "codegen/gpu_reduce.hpp"
#include "codegen/gpu_threads.hpp"

namespace tutti::codegen {

using passes::Form;
using passes::Kernel;

llvm::Function* emit_gpu_kernel(llvm::Module& module, const Kernel& kernel) {
  auto& context = module.getContext();
  const passes::ArgumentLayout layout(kernel);
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
  const GpuShape shape = gpu_shape(kernel);
  const bool tiled = kernel.form != Form::reduce_wide && !shape.linear && !kernel.tiling.columns;
  function->addFnAttr("nvvm.maxntid",
                      tiled ? std::to_string(shape.columns()) + "," + std::to_string(shape.rows())
                            : std::to_string(kernel.tiling.columns ? gpu_tuning.stencil_threads
                                                                   : gpu_tuning.linear_threads));
  // The border may spill registers: it is few points, and must not keep warps of patches away.
  if (kernel.tiling.columns)
    function->addFnAttr("nvvm.maxnreg", std::to_string(gpu_tuning.stencil_registers));
  kernel.form == Form::map ? emit_gpu_map(function, kernel) : emit_gpu_reduction(function, kernel);
  return function;
}

}  // namespace tutti::codegen
