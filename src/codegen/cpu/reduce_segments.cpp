// Reduces pieces of any length up to a tile. Pieces of at most one vector, of which there may be
// millions, become the rows of a square, as many as a vector has lanes, and are folded together.
// The square is in memory, unless all of its rows are present and take few instructions.
#include "codegen/cpu/reduce_kernel.hpp"
#include "codegen/cpu/reduction_tile.hpp"

namespace tutti::codegen {
namespace {

// Up to this many instructions for each element, the rows of a square are unrolled.
constexpr size_t most_code_in_rows = 8;

class CpuSegmentReduction : CpuReductionTile {
 public:
  using CpuReductionTile::CpuReductionTile;

  void emit() {
    const std::vector<Lanes256> state = allocate_lanes();
    const int lanes = rows_.lanes();
    const bool in_registers = kernel_.code.size() <= most_code_in_rows;
    std::vector<Value*> squares;
    for (const compiler::Output& out : kernel_.outputs)
      squares.push_back(allocate(stored_type(out.type), int64_t{lanes} * lanes));
    rows_.loop(argument(1), argument(2), lanes, [&](Value* first) {
      Value* end = min(b_.CreateAdd(first, i64(lanes)), argument(2));
      Value *present = rows_.lane_mask(first, end), *lengths = lengths_from(first, present);
      Value* short_ones = b_.CreateICmpSLE(lengths, rows_.splat(i64(lanes)));
      Value* are_rows = b_.CreateAnd(present, short_ones);
      Value* all = in_registers ? all_of(are_rows) : b_.getFalse();
      if (in_registers)
        rows_.if_then(all,
                      [&] { fold_squares(first, lengths, are_rows, rows_in_registers(first)); });
      rows_.if_then(b_.CreateNot(all), [&] {
        rows_.loop(first, end, 1, [&](Value* item) {
          Value* row = b_.CreateMul(b_.CreateSub(item, first), i64(lanes));
          reduce_segment(item, row, squares, state);
        });
        rows_.if_then(any_of(are_rows),
                      [&] { fold_squares(first, lengths, are_rows, load_rows(squares)); });
      });
    });
    b_.CreateRetVoid();
  }

 private:
  Value* any_of(Value* mask) {
    return mask->getType()->isVectorTy() ? b_.CreateOrReduce(mask) : mask;
  }
  Value* all_of(Value* mask) {
    return mask->getType()->isVectorTy() ? b_.CreateAndReduce(mask) : mask;
  }

  Value* boundary(Value* k) {
    Value* boundaries = rows_.pointer_word(rows_.layout().boundaries());
    return b_.CreateGEP(b_.getInt64Ty(), boundaries, k);
  }

  // Returns the lengths of the pieces from `first` on; 0 for those that are not present.
  Value* lengths_from(Value* first, Value* present) {
    auto* type = rows_.vector_of(b_.getInt64Ty());
    const auto boundaries = [&](Value* k) {
      return rows_.lanes() == 1 ? static_cast<Value*>(b_.CreateLoad(type, boundary(k)))
                                : b_.CreateMaskedLoad(type, boundary(k), llvm::Align(8), present,
                                                      llvm::Constant::getNullValue(type));
    };
    Value* ends = boundaries(b_.CreateAdd(first, i64(1)));
    return b_.CreateSub(ends, boundaries(first));
  }

  void reduce_segment(Value* item, Value* row, const std::vector<Value*>& squares,
                      const std::vector<Lanes256>& state) {
    Value* begin = b_.CreateLoad(b_.getInt64Ty(), boundary(item));
    Value* end = b_.CreateLoad(b_.getInt64Ty(), boundary(b_.CreateAdd(item, i64(1))));
    Value* length = b_.CreateSub(end, begin);
    Value* is_row = b_.CreateICmpSLE(length, i64(rows_.lanes()));
    rows_.if_then(is_row, [&] {
      emit_row_of(begin, length, [&](size_t o, Value* elements) {
        const ElementType type = kernel_.outputs[o].type;
        store_lanes(elements, lane_address(type, squares[o], row), type);
      });
    });
    rows_.if_then(b_.CreateNot(is_row),
                  [&] { reduce_tile(coordinates(), begin, end, item, state); });
  }

  // Computes at most a vector of elements, padded with neutral ones: put(output, lanes).
  template <class Put>
  void emit_row_of(Value* begin, Value* length, Put put) {
    rows_.emit_row(coordinates());
    Value* mask = rows_.first_lanes(length);
    rows_.emit_point(begin, mask, true, [&](int o, Value* value, Value*, Value*) {
      const compiler::Output& out = kernel_.outputs[static_cast<size_t>(o)];
      put(static_cast<size_t>(o),
          b_.CreateSelect(mask, to_memory(b_, value, out.type), rows_.splat(identity(out))));
    });
  }

  // The rows of a square, for each output.
  using Squares = std::vector<std::vector<Value*>>;

  // Requires that all pieces from `first` on are rows.
  Squares rows_in_registers(Value* first) {
    Squares result(kernel_.outputs.size());
    for (int k = 0; k < rows_.lanes(); ++k) {
      Value* item = b_.CreateAdd(first, i64(k));
      Value* begin = b_.CreateLoad(b_.getInt64Ty(), boundary(item));
      Value* end = b_.CreateLoad(b_.getInt64Ty(), boundary(b_.CreateAdd(item, i64(1))));
      emit_row_of(begin, b_.CreateSub(end, begin),
                  [&](size_t o, Value* elements) { result[o].push_back(elements); });
    }
    return result;
  }

  Squares load_rows(const std::vector<Value*>& squares) {
    Squares result(kernel_.outputs.size());
    const int lanes = rows_.lanes();
    for (size_t o = 0; o < squares.size(); ++o) {
      const compiler::Output& out = kernel_.outputs[o];
      for (int k = 0; k < lanes; ++k)
        result[o].push_back(b_.CreateAlignedLoad(
            rows_.vector_of(stored_type(out.type)),
            lane_address(out.type, squares[o], i64(int64_t{k} * lanes)), element_align(out)));
    }
    return result;
  }

  static llvm::Align element_align(const compiler::Output& out) {
    return llvm::Align(static_cast<uint64_t>(size_of(out.type)));
  }

  void fold_squares(Value* first, Value* lengths, Value* are_rows, const Squares& squares) {
    for (size_t o = 0; o < squares.size(); ++o) {
      const compiler::Output& out = kernel_.outputs[o];
      Value* any = b_.CreateICmpSGT(lengths, rows_.splat(i64(0)));
      Value* totals = b_.CreateSelect(any, fold_rows(out, squares[o]), rows_.splat(nothing(o)));
      Value* address = lane_address(out.type, output(o), first);
      if (rows_.lanes() == 1)
        store_lanes(totals, address, out.type);
      else
        b_.CreateMaskedStore(totals, address, element_align(out), are_rows);
    }
  }

  Value* nothing(size_t o) {
    const compiler::Output& out = kernel_.outputs[o];
    return constant_of(b_.getContext(), ir::empty_result(out.reduction, out.type));
  }

  // Folds each row of a square, combining pairs of rows. Returns a lane for each row.
  Value* fold_rows(const compiler::Output& out, std::vector<Value*> rows) {
    const int lanes = static_cast<int>(rows.size());
    for (int half = lanes / 2; half > 0; half /= 2) {
      std::vector<int> low, high;  // of the pieces in two rows, each 2 * half lanes
      for (int k = 0; k < 2 * lanes; ++k) (k % (2 * half) < half ? low : high).push_back(k);
      std::vector<Value*> next;
      for (size_t r = 0; r < rows.size(); r += 2)
        next.push_back(combine(out, b_.CreateShuffleVector(rows[r], rows[r + 1], low),
                               b_.CreateShuffleVector(rows[r], rows[r + 1], high)));
      rows = std::move(next);
    }
    return rows[0];
  }
};

}  // namespace

void emit_cpu_segment_reduction(llvm::Function* function, const compiler::Kernel& kernel,
                                const Machine& machine) {
  CpuSegmentReduction(function, kernel, machine).emit();
}

}  // namespace tutti::codegen
