#include "codegen/cpu/map_kernel.hpp"

#include "codegen/cpu/loops.hpp"
#include "codegen/cpu/recurrence_kernel.hpp"
#include "codegen/cpu/reduce_kernel.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;

class CpuMap : private CpuLoops {
 public:
  using CpuLoops::CpuLoops;

  void emit() {
    map();
    b_.CreateRetVoid();
  }

 private:
  void map() {
    const auto row = [&](Value* r) {
      auto at = coordinates();
      decode(r, 0, kernel_.inner(), at);
      rows_.emit_row(at);
      std::vector<Value*> targets;
      for (size_t o = 0; o < kernel_.outputs.size(); ++o)
        targets.push_back(
            b_.CreateGEP(stored_type(kernel_.outputs[o].type), output(o), row_offset(o, r)));
      rows_.emit_columns(argument(3), argument(4), [&](int o, Value* value, Value* j, Value* mask) {
        store(targets[static_cast<size_t>(o)], kernel_.outputs[static_cast<size_t>(o)].type, value,
              j, mask, kernel_.streaming);
      });
    };
    if (kernel_.domain.rank == 1)
      row(i64(0));
    else
      rows_.loop(argument(1), argument(2), 1, row);
  }

  Value* row_offset(size_t o, Value* r) {
    if (kernel_.domain.rank == 1) return i64(0);
    // A primitive of a GPU's plan that runs on the CPU has a kernel without output strides.
    Value* stride = compiler::ArgumentLayout::has_output_strides(kernel_)
                        ? rows_.word(rows_.layout().output_stride(static_cast<int>(o)))
                        : rows_.extent(kernel_.inner());
    return b_.CreateMul(r, stride);
  }
};

}  // namespace

llvm::Function* declare_cpu_kernel(llvm::Module& module, const Machine& machine) {
  auto& context = module.getContext();
  auto* i64 = llvm::Type::getInt64Ty(context);
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, i64, i64, i64, i64}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->addParamAttr(0, llvm::Attribute::ReadOnly);
  const std::string width = std::to_string(machine.vector_bits);
  function->addFnAttr("prefer-vector-width", width);
  function->addFnAttr("min-legal-vector-width", width);
  return function;
}

llvm::Function* emit_cpu_kernel(llvm::Module& module, const compiler::Kernel& kernel,
                                const Machine& machine) {
  llvm::Function* function = declare_cpu_kernel(module, machine);
  if (kernel.form == compiler::Form::map)
    CpuMap(function, kernel, machine).emit();
  else if (kernel.form == compiler::Form::recurrence)
    emit_cpu_recurrence(function, kernel, machine);
  else
    emit_cpu_reduction(function, kernel, machine);
  return function;
}

}  // namespace tutti::codegen
