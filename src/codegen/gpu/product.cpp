#include "codegen/gpu/product.hpp"

#include "codegen/emit/elementwise.hpp"
#include "numerics/product_order.hpp"

namespace tutti::codegen {

llvm::Function* emit_gpu_product(llvm::Module& module, const compiler::ProductStep& step,
                                 GpuIsa& isa) {
  using llvm::Value;
  auto& context = module.getContext();
  auto* i64 = llvm::Type::getInt64Ty(context);
  auto* pointer = llvm::PointerType::get(context, isa.global_memory());
  const GpuParameter read{.type = pointer, .read_only = true};
  const GpuParameter parameters[] = {read, read, {pointer}, {i64}, {i64}, {i64}};
  llvm::Function* function = isa.declare_kernel(module, parameters);
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, function); };
  auto *entry = block("entry"), *outer = block("outer"), *inner = block("inner"),
       *next = block("next"), *done = block("done"), *out = block("out");
  Builder b(entry, isa);
  Value* given[6];
  for (unsigned i = 0; i < 6; ++i) given[i] = isa.parameter(b, i);
  Value *rows = given[3], *columns = given[4], *depth = given[5];
  // Blocks are numbered along the first axis: a launch is limited along its second axis.
  const auto wide = [&](Value* number) { return b.CreateZExt(number, i64); };
  Value* tile = b.getInt64(product_tile);
  Value* across = b.CreateUDiv(b.CreateAdd(columns, b.getInt64(product_tile - 1)), tile);
  Value* number = wide(isa.block(b, GpuIsa::Axis::x));
  Value* j = b.CreateAdd(b.CreateMul(b.CreateURem(number, across), tile),
                         wide(isa.thread(b, GpuIsa::Axis::x)));
  Value* i = b.CreateAdd(b.CreateMul(b.CreateUDiv(number, across), tile),
                         wide(isa.thread(b, GpuIsa::Axis::y)));
  llvm::Type* element = register_type(context, step.type);
  Value* zero = llvm::Constant::getNullValue(element);
  b.CreateCondBr(b.CreateAnd(b.CreateICmpSLT(i, rows), b.CreateICmpSLT(j, columns)), outer, out);

  // For each block of the inner extent: a chain of fma, then added to the total.
  b.SetInsertPoint(outer);
  auto* begin = b.CreatePHI(i64, 2);
  auto* total = b.CreatePHI(element, 2);
  begin->addIncoming(b.getInt64(0), entry);
  total->addIncoming(zero, entry);
  Value* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                       b.CreateAdd(begin, b.getInt64(ir::product_chain)), depth);
  b.CreateBr(inner);
  b.SetInsertPoint(inner);
  auto* k = b.CreatePHI(i64, 2);
  auto* sum = b.CreatePHI(element, 2);
  k->addIncoming(begin, outer);
  sum->addIncoming(zero, outer);
  Value* from_a = step.a_transposed ? b.CreateAdd(b.CreateMul(k, rows), i)
                                    : b.CreateAdd(b.CreateMul(i, depth), k);
  Value* from_b = step.b_transposed ? b.CreateAdd(b.CreateMul(j, depth), k)
                                    : b.CreateAdd(b.CreateMul(k, columns), j);
  Value* const operands[] = {b.CreateLoad(element, b.CreateGEP(element, given[0], from_a)),
                             b.CreateLoad(element, b.CreateGEP(element, given[1], from_b)), sum};
  Value* added = emit_op(b, Op::fma, step.type, operands);
  Value* following = b.CreateAdd(k, b.getInt64(1));
  k->addIncoming(following, inner);
  sum->addIncoming(added, inner);
  b.CreateCondBr(b.CreateICmpSLT(following, end), inner, next);
  b.SetInsertPoint(next);
  Value* const sums[] = {total, added};
  Value* new_total = emit_op(b, Op::add, step.type, sums);
  begin->addIncoming(end, next);
  total->addIncoming(new_total, next);
  b.CreateCondBr(b.CreateICmpSLT(end, depth), outer, done);
  b.SetInsertPoint(done);
  b.CreateStore(new_total, b.CreateGEP(element, given[2], b.CreateAdd(b.CreateMul(i, columns), j)));
  b.CreateBr(out);
  b.SetInsertPoint(out);
  b.CreateRetVoid();
  return function;
}

}  // namespace tutti::codegen
