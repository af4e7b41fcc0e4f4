#include "codegen/gpu_kernels.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include "ir/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;
using passes::Form;
using passes::Kernel;

constexpr unsigned global_memory = 1;
constexpr int warp = 32;

Machine machine_for(const GpuShape& shape) {
  Machine machine;
  machine.lanes = shape.lanes;
  machine.global = global_memory;
  return machine;
}

class GpuKernel {
 public:
  GpuKernel(llvm::Function* function, const Kernel& kernel)
      : kernel_(kernel),
        shape_(gpu_shape(kernel)),
        b_(llvm::BasicBlock::Create(function->getContext(), "entry", function)),
        rows_(b_, kernel, machine_for(shape_), function->getArg(0)) {}

  void emit() {
    rows_.emit_entry();
    if (kernel_.form == Form::map)
      shape_.linear ? linear_map() : tiled_map();
    else if (kernel_.form == Form::reduce_wide)
      reduce_wide();
    else
      reduce_column();
    b_.CreateRetVoid();
  }

 private:
  Value* i64(int64_t n) { return rows_.i64(n); }
  Value* special(llvm::Intrinsic::ID id) {
    return b_.CreateZExt(b_.CreateIntrinsic(id, {}), b_.getInt64Ty());
  }
  Value* thread_x() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x); }
  Value* thread_y() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y); }
  Value* block_x() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x); }
  Value* block_y() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y); }
  Value* blocks_y() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y); }
  Value* min(Value* a, Value* c) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, c); }
  llvm::Type* stored_type(ElementType type) { return memory_type(b_.getContext(), type); }
  const passes::Output& output(int o) const { return kernel_.outputs[static_cast<size_t>(o)]; }
  Value* target(int o, Value* element) {
    return b_.CreateGEP(stored_type(output(o).type), rows_.pointer_word(rows_.layout().output(o)),
                        element);
  }
  std::vector<Value*> coordinates() {
    return std::vector<Value*>(static_cast<size_t>(kernel_.domain.rank), i64(0));
  }

  // Positions fit 32 bits unless the kernel says otherwise; 32-bit division is several times
  // faster.
  void decode(Value* position, int first, int last, std::vector<Value*>& at) {
    llvm::Type* type = kernel_.wide_index ? b_.getInt64Ty() : b_.getInt32Ty();
    const auto narrow = [&](Value* v) { return b_.CreateTrunc(v, type); };
    const auto wide = [&](Value* v) { return b_.CreateZExt(v, b_.getInt64Ty()); };
    for (int dim = last - 1; dim > first; --dim) {
      Value* extent = narrow(rows_.extent(dim));
      at[static_cast<size_t>(dim)] = wide(b_.CreateURem(narrow(position), extent));
      position = wide(b_.CreateUDiv(narrow(position), extent));
    }
    if (first < last) at[static_cast<size_t>(first)] = position;
  }

  Value* product_of_extents(int first, int last) {
    Value* result = i64(1);
    for (int dim = first; dim < last; ++dim) result = b_.CreateMul(result, rows_.extent(dim));
    return result;
  }

  void store(int o, Value* element, Value* value, bool wide) {
    const int bytes = size_of(output(o).type) * (wide ? rows_.lanes() : 1);
    b_.CreateAlignedStore(to_memory(b_, value, output(o).type), target(o, element),
                          llvm::Align(static_cast<uint64_t>(bytes)));
  }

  // ---- map

  void linear_map() {
    rows_.emit_row(coordinates());
    Value* count = rows_.extent(0);
    const int64_t step = int64_t{gpu_tuning.linear_threads} * rows_.lanes();
    Value* start = b_.CreateAdd(b_.CreateMul(block_x(), i64(step * gpu_tuning.linear_unroll)),
                                b_.CreateMul(thread_x(), i64(rows_.lanes())));
    Value* last = b_.CreateAdd(start, i64(step * (gpu_tuning.linear_unroll - 1) + rows_.lanes()));
    Value* whole = b_.CreateICmpSLE(last, count);
    if_else(
        whole,
        [&] {
          for (int u = 0; u < gpu_tuning.linear_unroll; ++u) {
            Value* j = b_.CreateAdd(start, i64(u * step));
            rows_.emit_point(j, nullptr, false,
                             [&](int o, Value* v, Value*, Value*) { store(o, j, v, true); });
          }
        },
        [&] {
          Value* end = min(b_.CreateAdd(start, i64(step * gpu_tuning.linear_unroll)), count);
          rows_.loop(start, end, step, [&](Value* j) {
            Value* mask = rows_.lane_mask(j, count);
            rows_.emit_point(j, mask, true,
                             [&](int o, Value* v, Value*, Value*) { store_lanes(o, j, v, mask); });
          });
        });
  }

  // Element by element, those of the mask.
  void store_lanes(int o, Value* j, Value* value, Value* mask) {
    for (int lane = 0; lane < rows_.lanes(); ++lane) {
      const auto part = [&](Value* v) {
        return rows_.lanes() == 1 ? v : b_.CreateExtractElement(v, static_cast<uint64_t>(lane));
      };
      rows_.if_then(part(mask), [&] { store(o, b_.CreateAdd(j, i64(lane)), part(value), false); });
    }
  }

  void tiled_map() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    Value* row_count = product_of_extents(0, inner);
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.tile_columns)), thread_x());
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(gpu_tuning.tile_rows)), thread_y());
    Value* step = b_.CreateMul(blocks_y(), i64(gpu_tuning.tile_rows));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(first, row_count, [&](Value* row) {
        auto at = coordinates();
        decode(row, 0, inner, at);
        rows_.emit_row(at);
        Value* element = b_.CreateAdd(b_.CreateMul(row, columns), j);
        rows_.emit_point(j, nullptr, true,
                         [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
        return b_.CreateAdd(row, step);
      });
    });
  }

  // ---- reductions: the trees of ir/reduction_tree.hpp

  Value* identity(int o) {
    const passes::Output& out = output(o);
    return from_memory(b_, identity_constant(b_.getContext(), out.reduction, out.type), out.type);
  }
  Value* combine(int o, Value* a, Value* c) {
    return emit_combine(b_, output(o).reduction, output(o).type, a, c);
  }

  // The value of the thread `distance` lanes further in the warp.
  Value* shuffled(Value* value, int distance) {
    llvm::Type* type = value->getType();
    const unsigned bits = type->getScalarSizeInBits();
    llvm::Type* as_integer = b_.getIntNTy(bits);
    Value* integer = type->isIntegerTy() ? value : b_.CreateBitCast(value, as_integer);
    const auto shuffle = [&](Value* word) {
      return b_.CreateIntrinsic(llvm::Intrinsic::nvvm_shfl_sync_down_i32, {},
                                {b_.getInt32(0xffffffffu), word,
                                 b_.getInt32(static_cast<uint32_t>(distance)), b_.getInt32(31)});
    };
    Value* moved;
    if (bits == 64) {
      Value* low = shuffle(b_.CreateTrunc(integer, b_.getInt32Ty()));
      Value* high = shuffle(b_.CreateTrunc(b_.CreateLShr(integer, 32), b_.getInt32Ty()));
      moved = b_.CreateOr(b_.CreateZExt(low, as_integer),
                          b_.CreateShl(b_.CreateZExt(high, as_integer), 32));
    } else {
      moved = b_.CreateTrunc(shuffle(b_.CreateZExt(integer, b_.getInt32Ty())), as_integer);
    }
    return type->isIntegerTy() ? moved : b_.CreateBitCast(moved, type);
  }

  // One warp reduces one tile. A thread keeps eight of the 256 lanes: linear, lanes 4t to 4t + 3
  // and the same 128 further on, each four one wide access; else lanes t, t + 32, ..., t + 224.
  void reduce_wide() {
    const int first_reduced = kernel_.kept;
    Value* length = product_of_extents(first_reduced, kernel_.domain.rank);
    Value* tiles = b_.CreateUDiv(b_.CreateAdd(length, i64(ir::wide_tile - 1)), i64(ir::wide_tile));
    Value* items = b_.CreateMul(product_of_extents(0, kernel_.kept), tiles);
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.reduce_warps)),
                               b_.CreateLShr(thread_x(), 5));
    lane_ = b_.CreateAnd(thread_x(), i64(warp - 1));
    rows_.if_then(b_.CreateICmpSLT(item, items), [&] {
      Value* begin = b_.CreateMul(b_.CreateURem(item, tiles), i64(ir::wide_tile));
      Value* end = min(b_.CreateAdd(begin, i64(ir::wide_tile)), length);
      auto at = coordinates();
      decode(b_.CreateUDiv(item, tiles), 0, kernel_.kept, at);
      start_sums();
      shape_.linear ? add_linear(begin, end) : add_points(at, begin, end);
      for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
        Value* total = fold(o);
        rows_.if_then(b_.CreateICmpEQ(lane_, i64(0)), [&] { store(o, item, total, false); });
      }
    });
  }

  // Sums live in stack slots that become registers.
  void start_sums() {
    sums_.clear();
    Builder entry(&b_.GetInsertBlock()->getParent()->getEntryBlock(),
                  b_.GetInsertBlock()->getParent()->getEntryBlock().begin());
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      std::vector<Value*>& slots = sums_.emplace_back();
      for (int k = 0; k < 8; ++k) {
        slots.push_back(entry.CreateAlloca(register_type(b_.getContext(), output(o).type)));
        b_.CreateStore(identity(o), slots.back());
      }
    }
  }

  void add_to(int o, int k, Value* value, Value* active) {
    Value* slot = sums_[static_cast<size_t>(o)][static_cast<size_t>(k)];
    Value* before = b_.CreateLoad(value->getType(), slot);
    Value* after = combine(o, before, value);
    b_.CreateStore(active ? b_.CreateSelect(active, after, before) : after, slot);
  }

  void add_linear(Value* begin, Value* end) {
    rows_.emit_row(coordinates());
    const auto lane = [&](Value* v, int c) {
      return b_.CreateExtractElement(v, static_cast<uint64_t>(c));
    };
    const auto step = [&](Value* base, bool whole) {
      for (int half = 0; half < 2; ++half) {
        Value* j = b_.CreateAdd(base, i64(half * 128));
        Value* mask = whole ? nullptr : rows_.lane_mask(j, end);
        rows_.emit_point(j, mask, !whole, [&](int o, Value* v, Value*, Value*) {
          for (int c = 0; c < 4; ++c)
            add_to(o, half * 4 + c, lane(v, c), mask ? lane(mask, c) : nullptr);
        });
      }
    };
    Value* mine = b_.CreateMul(lane_, i64(4));
    constexpr int64_t stretch = 4 * ir::wide_lanes;  // four steps in flight
    Value* whole = b_.CreateAdd(begin, b_.CreateAnd(b_.CreateSub(end, begin), i64(-stretch)));
    rows_.loop(begin, whole, stretch, [&](Value* from) {
      for (int s = 0; s < 4; ++s)
        step(b_.CreateAdd(b_.CreateAdd(from, i64(s * ir::wide_lanes)), mine), true);
    });
    rows_.loop(whole, end, ir::wide_lanes,
               [&](Value* from) { step(b_.CreateAdd(from, mine), false); });
  }

  void add_points(std::vector<Value*> at, Value* begin, Value* end) {
    const int inner = kernel_.inner();
    const bool flat = kernel_.domain.rank - kernel_.kept == 1;
    if (flat) rows_.emit_row(at);
    rows_.loop(begin, end, ir::wide_lanes, [&](Value* from) {
      for (int k = 0; k < 8; ++k) {
        Value* position = b_.CreateAdd(b_.CreateAdd(from, i64(k * warp)), lane_);
        rows_.if_then(b_.CreateICmpSLT(position, end), [&] {
          Value* j = position;
          if (!flat) {
            decode(position, kernel_.kept, kernel_.domain.rank, at);
            j = at[static_cast<size_t>(inner)];
            rows_.emit_row(at);
          }
          rows_.emit_point(j, nullptr, true,
                           [&](int o, Value* v, Value*, Value*) { add_to(o, k, v, nullptr); });
        });
      }
    });
  }

  Value* fold(int o) {
    std::vector<Value*> lanes;
    for (Value* slot : sums_[static_cast<size_t>(o)])
      lanes.push_back(b_.CreateLoad(register_type(b_.getContext(), output(o).type), slot));
    const auto halve = [&] {
      for (size_t k = 0; k < lanes.size() / 2; ++k)
        lanes[k] = combine(o, lanes[k], lanes[k + lanes.size() / 2]);
      lanes.resize(lanes.size() / 2);
    };
    if (!shape_.linear) {  // lanes 32 apart: 128, 64, 32 within the thread
      halve();
      halve();
      halve();
    } else {
      halve();  // 128 apart
    }
    for (int distance = warp / 2; distance > 0; distance /= 2)
      for (Value*& lane : lanes) lane = combine(o, lane, shuffled(lane, distance));
    while (lanes.size() > 1) halve();  // linear: 2 apart, then neighbours
    return lanes[0];
  }

  void reduce_column() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    Value* length = product_of_extents(kernel_.kept, inner);
    Value* tiles =
        b_.CreateUDiv(b_.CreateAdd(length, i64(ir::column_tile - 1)), i64(ir::column_tile));
    Value* items = b_.CreateMul(product_of_extents(0, kernel_.kept), tiles);
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.tile_columns)), thread_x());
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(gpu_tuning.tile_rows)), thread_y());
    Value* step = b_.CreateMul(blocks_y(), i64(gpu_tuning.tile_rows));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(first, items, [&](Value* item) {
        auto at = coordinates();
        decode(b_.CreateUDiv(item, tiles), 0, kernel_.kept, at);
        Value* begin = b_.CreateMul(b_.CreateURem(item, tiles), i64(ir::column_tile));
        Value* end = min(b_.CreateAdd(begin, i64(ir::column_tile)), length);
        start_sums();
        rows_.loop(begin, end, 1, [&](Value* row) {
          decode(row, kernel_.kept, inner, at);
          rows_.emit_row(at);
          rows_.emit_point(j, nullptr, true,
                           [&](int o, Value* v, Value*, Value*) { add_to(o, 0, v, nullptr); });
        });
        Value* element = b_.CreateAdd(b_.CreateMul(item, columns), j);
        for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o)
          store(o, element,
                b_.CreateLoad(register_type(b_.getContext(), output(o).type),
                              sums_[static_cast<size_t>(o)][0]),
                false);
        return b_.CreateAdd(item, step);
      });
    });
  }

  void if_else(Value* condition, const std::function<void()>& yes,
               const std::function<void()>& no) {
    llvm::Function* function = b_.GetInsertBlock()->getParent();
    auto* first = llvm::BasicBlock::Create(b_.getContext(), "whole", function);
    auto* second = llvm::BasicBlock::Create(b_.getContext(), "part", function);
    auto* after = llvm::BasicBlock::Create(b_.getContext(), "end", function);
    b_.CreateCondBr(condition, first, second);
    b_.SetInsertPoint(first);
    yes();
    b_.CreateBr(after);
    b_.SetInsertPoint(second);
    no();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  const Kernel& kernel_;
  const GpuShape shape_;
  Builder b_;
  RowEmitter rows_;
  Value* lane_ = nullptr;
  std::vector<std::vector<Value*>> sums_;
};

}  // namespace

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
  const bool tiled = kernel.form != Form::reduce_wide && !gpu_shape(kernel).linear;
  function->addFnAttr("nvvm.maxntid", tiled ? std::to_string(gpu_tuning.tile_columns) + "," +
                                                  std::to_string(gpu_tuning.tile_rows)
                                            : std::to_string(gpu_tuning.linear_threads));
  GpuKernel(function, kernel).emit();
  return function;
}

}  // namespace tutti::codegen
