#include "codegen/cpu/scan_kernel.hpp"

#include <functional>

#include "codegen/cpu/map_kernel.hpp"
#include "numerics/reduction_tree.hpp"
#include "numerics/scan_tree.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;

constexpr int group = static_cast<int>(ir::scan_group);
constexpr int chunk = static_cast<int>(ir::scan_chunk_groups);

class ScanEmitter {
 public:
  ScanEmitter(llvm::Function* function, const ScanKernel& scan)
      : function_(function),
        scan_(scan),
        b_(llvm::BasicBlock::Create(function->getContext(), "entry", function)),
        stored_(memory_type(b_.getContext(), scan.type)) {}

  void emit() {
    running_ = b_.CreateAlloca(stored_);
    running_flag_ = b_.CreateAlloca(b_.getInt8Ty());
    flags_ = b_.CreateAlloca(b_.getInt32Ty());
    row_ = b_.CreateAlloca(stored_, b_.getInt64(chunk));  // one value for each group of a chunk
    auto* start = block("start");
    auto* finish = block("finish");
    auto* advance = block("advance");
    auto* choice = b_.CreateSwitch(function_->getArg(1), advance, 2);
    choice->addCase(b_.getInt64(scan_start), start);
    choice->addCase(b_.getInt64(scan_finish), finish);
    b_.SetInsertPoint(start);
    emit_start();
    b_.CreateRetVoid();
    b_.SetInsertPoint(finish);
    emit_finish();
    b_.CreateRetVoid();
    b_.SetInsertPoint(advance);
    emit_advance();
    b_.CreateRetVoid();
  }

 private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, function_);
  }
  Value* pointer(ScanWord word) {
    Value* address =
        b_.CreateConstGEP1_64(b_.getInt64Ty(), function_->getArg(0), static_cast<uint64_t>(word));
    return b_.CreateLoad(b_.getPtrTy(), address);
  }
  Value* at(llvm::Type* type, Value* base, Value* i) { return b_.CreateGEP(type, base, i); }
  llvm::Type* vector(llvm::Type* element, int lanes) {
    return llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes));
  }
  llvm::Align element_align() { return llvm::Align(static_cast<uint64_t>(size_of(scan_.type))); }
  Value* load(llvm::Type* type, Value* address) {
    return from_memory(b_, b_.CreateAlignedLoad(type, address, element_align()), scan_.type);
  }
  void store(Value* value, Value* address) {
    b_.CreateAlignedStore(to_memory(b_, value, scan_.type), address, element_align());
  }
  Value* neutral() {
    return from_memory(b_, identity_constant(b_.getContext(), scan_.reduction, scan_.type),
                       scan_.type);
  }
  Value* splat(Value* scalar, int lanes) {
    return b_.CreateVectorSplat(static_cast<unsigned>(lanes), scalar);
  }
  Value* combine(Value* a, Value* c) { return emit_combine(b_, scan_.reduction, scan_.type, a, c); }
  Value* as_lanes(Value* bits, int lanes) {
    return b_.CreateBitCast(b_.CreateTrunc(bits, b_.getIntNTy(static_cast<unsigned>(lanes))),
                            vector(b_.getInt1Ty(), lanes));
  }
  Value* chunks() { return function_->getArg(2); }

  void loop(Value* end, const std::function<void(Value*)>& body) {
    auto* before = b_.GetInsertBlock();
    auto *inside = block("loop"), *after = block("after");
    b_.CreateCondBr(b_.CreateICmpSGT(end, b_.getInt64(0)), inside, after);
    b_.SetInsertPoint(inside);
    auto* i = b_.CreatePHI(b_.getInt64Ty(), 2);
    i->addIncoming(b_.getInt64(0), before);
    body(i);
    Value* next = b_.CreateAdd(i, b_.getInt64(1));
    i->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpSLT(next, end), inside, after);
    b_.SetInsertPoint(after);
  }

  // Moves lane i - distance to lane i; the first lanes become the neutral element.
  Value* moved(Value* x, int lanes, int distance) {
    std::vector<int> from;
    for (int i = 0; i < lanes; ++i) from.push_back(i < distance ? lanes : i - distance);
    return b_.CreateShuffleVector(x, splat(neutral(), lanes), from);
  }

  // Computes x[i] = x[i - d] (+) x[i] for d = 1, 2, 4, ...; `flags`, a bit for each lane, are
  // propagated along.
  Value* double_up(Value* x, int lanes, Value*& flags) {
    for (int d = 1; d < lanes; d *= 2) {
      Value* sum = combine(moved(x, lanes, d), x);
      if (scan_.segmented) {
        sum = b_.CreateSelect(as_lanes(flags, lanes), x, sum);
        flags = b_.CreateOr(flags, b_.CreateShl(flags, static_cast<uint64_t>(d)));
      }
      x = sum;
    }
    return x;
  }

  Value* heads_of(Value* g) {
    Value* heads = b_.CreateLoad(b_.getInt16Ty(), at(b_.getInt16Ty(), pointer(scan_heads), g));
    return b_.CreateZExt(heads, b_.getInt32Ty());
  }

  // ---- start

  void emit_start() {
    Value *elements = pointer(scan_elements), *local = pointer(scan_local);
    store(neutral(), running_);
    b_.CreateStore(b_.getInt8(0), running_flag_);
    loop(chunks(), [&](Value* c) {
      b_.CreateStore(b_.CreateLoad(stored_, running_), at(stored_, pointer(scan_before_chunk), c));
      if (scan_.segmented)
        b_.CreateStore(b_.CreateLoad(b_.getInt8Ty(), running_flag_),
                       at(b_.getInt8Ty(), pointer(scan_chunk_flags), c));
      b_.CreateStore(b_.getInt32(0), flags_);
      Value* first = b_.CreateMul(c, b_.getInt64(chunk));
      loop(b_.getInt64(chunk), [&](Value* k) {
        Value* g = b_.CreateAdd(first, k);
        Value* place = b_.CreateMul(g, b_.getInt64(group));
        Value* x = load(vector(stored_, group), at(stored_, elements, place));
        Value* flags = scan_.segmented ? heads_of(g) : nullptr;
        if (scan_.segmented) add_flag(flags, k);
        x = double_up(x, group, flags);
        store(x, at(stored_, local, place));
        store(b_.CreateExtractElement(x, uint64_t{group - 1}), at(stored_, row_, k));
      });
      finish_chunk(c);
    });
    b_.CreateStore(b_.CreateLoad(stored_, running_), pointer(scan_total));
    b_.CreateStore(b_.CreateLoad(b_.getInt8Ty(), running_flag_), pointer(scan_total_flag));
  }

  // Sets bit k if a segment begins in group k of the chunk.
  void add_flag(Value* heads, Value* k) {
    Value* any = b_.CreateZExt(b_.CreateICmpNE(heads, b_.getInt32(0)), b_.getInt32Ty());
    Value* bit = b_.CreateShl(any, b_.CreateTrunc(k, b_.getInt32Ty()));
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(b_.getInt32Ty(), flags_), bit), flags_);
  }

  // Scans the totals of the groups, and adds the chunk to the running prefix of the tile.
  void finish_chunk(Value* c) {
    Value* flags = b_.CreateLoad(b_.getInt32Ty(), flags_);
    Value* totals = double_up(load(vector(stored_, chunk), row_), chunk, flags);
    Value* first = b_.CreateMul(c, b_.getInt64(chunk));
    store(moved(totals, chunk, 1), at(stored_, pointer(scan_before_group), first));
    Value* last = b_.CreateExtractElement(totals, uint64_t{chunk - 1});
    Value* sum = combine(load(stored_, running_), last);
    if (scan_.segmented) {
      b_.CreateStore(b_.CreateShl(flags, 1), at(b_.getInt32Ty(), pointer(scan_group_flags), c));
      Value* begins = b_.CreateICmpSLT(flags, b_.getInt32(0));  // bit 31
      sum = b_.CreateSelect(begins, last, sum);
      Value* flag = b_.CreateLoad(b_.getInt8Ty(), running_flag_);
      b_.CreateStore(b_.CreateOr(flag, b_.CreateZExt(begins, b_.getInt8Ty())), running_flag_);
    }
    store(sum, running_);
  }

  // ---- finish

  void emit_finish() {
    Value *local = pointer(scan_local), *out = pointer(scan_out);
    Value* before_tile = load(stored_, pointer(scan_before));
    loop(chunks(), [&](Value* c) {
      const auto flag_of = [&](ScanWord word, llvm::Type* type) {
        return b_.CreateLoad(type, at(type, pointer(word), c));
      };
      Value* chunk_value = load(stored_, at(stored_, pointer(scan_before_chunk), c));
      Value* before = combine(before_tile, chunk_value);
      if (scan_.segmented)
        before = b_.CreateSelect(
            b_.CreateICmpNE(flag_of(scan_chunk_flags, b_.getInt8Ty()), b_.getInt8(0)), chunk_value,
            before);
      Value* first = b_.CreateMul(c, b_.getInt64(chunk));
      Value* groups = load(vector(stored_, chunk), at(stored_, pointer(scan_before_group), first));
      Value* sums = combine(splat(before, chunk), groups);
      if (scan_.segmented)
        sums = b_.CreateSelect(as_lanes(flag_of(scan_group_flags, b_.getInt32Ty()), chunk), groups,
                               sums);
      store(sums, row_);
      loop(b_.getInt64(chunk), [&](Value* k) {
        Value* g = b_.CreateAdd(first, k);
        Value* place = b_.CreateMul(g, b_.getInt64(group));
        Value* x = load(vector(stored_, group), at(stored_, local, place));
        Value* sum = load(stored_, at(stored_, row_, k));
        store(complete(x, sum, g), at(stored_, out, place));
      });
    });
  }

  Value* complete(Value* x, Value* before, Value* g) {
    if (scan_.exclusive) x = moved(x, group, 1);
    Value* result = combine(splat(before, group), x);
    if (!scan_.segmented) return result;
    Value* heads = heads_of(g);
    // The bits from the lowest set bit on: elements whose segment began in this group.
    Value* passed = b_.CreateNeg(b_.CreateAnd(heads, b_.CreateNeg(heads)));
    if (scan_.exclusive) passed = b_.CreateShl(passed, 1);
    result = b_.CreateSelect(as_lanes(passed, group), x, result);
    if (!scan_.exclusive) return result;
    Value* nothing =
        from_memory(b_, constant_of(b_.getContext(), ir::empty_result(scan_.reduction, scan_.type)),
                    scan_.type);
    return b_.CreateSelect(as_lanes(heads, group), splat(nothing, group), result);
  }

  // ---- advance

  void emit_advance() {
    Value* before = pointer(scan_before);
    Value* total = load(stored_, pointer(scan_total));
    Value* sum = combine(load(stored_, before), total);
    if (scan_.segmented)
      sum = b_.CreateSelect(
          b_.CreateICmpNE(b_.CreateLoad(b_.getInt8Ty(), pointer(scan_total_flag)), b_.getInt8(0)),
          total, sum);
    store(sum, before);
  }

  llvm::Function* function_;
  const ScanKernel scan_;
  Builder b_;
  llvm::Type* stored_;
  Value *running_ = nullptr, *running_flag_ = nullptr, *flags_ = nullptr, *row_ = nullptr;
};

}  // namespace

llvm::Function* emit_scan_kernel(llvm::Module& module, const ScanKernel& scan,
                                 const Machine& machine) {
  llvm::Function* function = declare_cpu_kernel(module, machine);
  ScanEmitter(function, scan).emit();
  return function;
}

}  // namespace tutti::codegen
