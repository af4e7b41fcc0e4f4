#include "codegen/cpu/reduce_kernel.hpp"

#include "codegen/cpu/loops.hpp"
#include "codegen/emit/reduction_tiles.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

using compiler::Form;
using llvm::Value;

// Up to this many instructions for each element, the rows of a square are unrolled.
constexpr size_t most_code_in_rows = 8;

class CpuReduction : private CpuLoops {
 public:
  using CpuLoops::CpuLoops;

  void emit() {
    if (kernel_.form == Form::reduce_wide)
      reduce_wide();
    else if (kernel_.form == Form::reduce_segments)
      reduce_segments();
    else
      reduce_column();
    b_.CreateRetVoid();
  }

 private:
  int reduce_lanes(ElementType type) const {
    return machine_.vector_bits / 8 / std::max(1, size_of(type));
  }

  Value* identity(const compiler::Output& output) {
    return identity_constant(b_.getContext(), output.reduction, output.type);
  }

  Value* load_lanes(Value* address, ElementType type, int lanes) {
    auto* vector = llvm::FixedVectorType::get(stored_type(type), static_cast<unsigned>(lanes));
    return b_.CreateAlignedLoad(vector, address, llvm::Align(static_cast<uint64_t>(size_of(type))));
  }
  void store_lanes(Value* value, Value* address, ElementType type) {
    b_.CreateAlignedStore(value, address, llvm::Align(static_cast<uint64_t>(size_of(type))));
  }
  Value* combine(const compiler::Output& output, Value* a, Value* c) {
    Value* result = emit_combine(b_, output.reduction, output.type, from_memory(b_, a, output.type),
                                 from_memory(b_, c, output.type));
    return to_memory(b_, result, output.type);
  }

  // Elements are computed into a scratch buffer of this size, which stays in the first-level cache,
  // and added to the lanes of the tile from there.
  static constexpr int64_t piece = 2048;

  struct Lanes256 {
    Value* scratch;
    Value* lanes;
  };

  std::vector<Lanes256> allocate_lanes() {
    std::vector<Lanes256> state;
    for (const compiler::Output& output : kernel_.outputs) {
      llvm::Type* type = stored_type(output.type);
      state.push_back({allocate(type, piece + 64), allocate(type, ir::wide_lanes)});
    }
    return state;
  }

  void reduce_wide() {
    const std::vector<Lanes256> state = allocate_lanes();
    const ReductionTiles tiles(b_, rows_.product_of_extents(kernel_.kept, kernel_.domain.rank),
                               ir::wide_tile);
    rows_.loop(argument(1), argument(2), 1, [&](Value* item) {
      const auto [begin, end] = tiles.elements_of(item);
      auto at = coordinates();
      decode(tiles.result_of(item), 0, kernel_.kept, at);
      reduce_tile(at, begin, end, item, state);
    });
  }

  // Reduces the elements [begin, end) of the reduced sequence, at most a tile, to one item's
  // result.
  void reduce_tile(const std::vector<Value*>& at, Value* begin, Value* end, Value* item,
                   const std::vector<Lanes256>& state) {
    Value* span = lane_span(b_.CreateSub(end, begin));
    for (size_t o = 0; o < state.size(); ++o) clear_lanes(kernel_.outputs[o], state[o].lanes, span);
    Value* rest = begin;
    if (fits_registers()) rest = add_in_registers(at, begin, end, state);
    rows_.loop(rest, end, piece, [&](Value* from) {
      Value* to = min(b_.CreateAdd(from, i64(piece)), end);
      if (adds_directly()) {
        add_piece(at, from, to, state);
        return;
      }
      evaluate_piece(at, from, to, state);
      for (size_t o = 0; o < state.size(); ++o)
        accumulate(kernel_.outputs[o], state[o], b_.CreateSub(to, from));
    });
    for (size_t o = 0; o < state.size(); ++o)
      store_total(o, item, fold(kernel_.outputs[o], state[o].lanes, span));
  }

  void store_total(size_t o, Value* item, Value* total) {
    llvm::Type* type = stored_type(kernel_.outputs[o].type);
    store_lanes(total, b_.CreateGEP(type, output(o), item), kernel_.outputs[o].type);
  }

  // Reduces pieces of any length up to a tile. Pieces of at most one vector, of which there may be
  // millions, become the rows of a square, as many as a vector has lanes, and are folded together.
  // The square is in memory, unless all of its rows are present and take few instructions.
  void reduce_segments() {
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
  }

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

  // Decides whether elements are added directly to their lanes: along one axis without boundary
  // rules, and with as many lanes in the body as in the sums.
  bool adds_directly() const {
    if (kernel_.domain.rank - kernel_.kept != 1 || inner_rules(kernel_).any()) return false;
    for (const compiler::Output& output : kernel_.outputs)
      if (reduce_lanes(output.type) != rows_.lanes()) return false;
    return true;
  }

  // Requires a small body, and all lanes of all sums in half of the registers of AVX-512.
  bool fits_registers() const {
    const auto groups = static_cast<size_t>(ir::wide_lanes / rows_.lanes());
    return adds_directly() && kernel_.code.size() <= 4 && groups * kernel_.outputs.size() <= 16;
  }

  // Adds the whole groups of 256 elements of a tile, vector by vector, with the sums in registers,
  // and stores the sums in the lanes. Returns the first element that is left.
  Value* add_in_registers(const std::vector<Value*>& at, Value* begin, Value* end,
                          const std::vector<Lanes256>& state) {
    const int groups = static_cast<int>(ir::wide_lanes / rows_.lanes());
    Value* whole =
        b_.CreateAdd(begin, b_.CreateAnd(b_.CreateSub(end, begin), i64(-ir::wide_lanes)));
    std::vector<std::vector<Value*>> sums(kernel_.outputs.size());
    const auto vector_type = [&](size_t o) {
      return rows_.vector_of(stored_type(kernel_.outputs[o].type));
    };
    for (size_t o = 0; o < sums.size(); ++o)
      for (int g = 0; g < groups; ++g) sums[o].push_back(allocate_one(vector_type(o)));
    rows_.if_then(b_.CreateICmpSLT(begin, whole), [&] {
      rows_.emit_row(at);
      for (size_t o = 0; o < sums.size(); ++o)
        for (Value* sum : sums[o]) b_.CreateStore(rows_.splat(identity(kernel_.outputs[o])), sum);
      rows_.loop(begin, whole, ir::wide_lanes, [&](Value* from) {
        for (int g = 0; g < groups; ++g) {
          Value* j = b_.CreateAdd(from, i64(int64_t{g} * rows_.lanes()));
          rows_.emit_point(j, nullptr, false, [&](int o, Value* value, Value*, Value*) {
            const compiler::Output& out = kernel_.outputs[static_cast<size_t>(o)];
            Value* slot = sums[static_cast<size_t>(o)][static_cast<size_t>(g)];
            Value* before = b_.CreateLoad(vector_type(static_cast<size_t>(o)), slot);
            b_.CreateStore(combine(out, before, to_memory(b_, value, out.type)), slot);
          });
        }
      });
      for (size_t o = 0; o < sums.size(); ++o)
        for (int g = 0; g < groups; ++g) {
          const ElementType type = kernel_.outputs[o].type;
          Value* lane = lane_address(type, state[o].lanes, i64(int64_t{g} * rows_.lanes()));
          store_lanes(b_.CreateLoad(vector_type(o), sums[o][static_cast<size_t>(g)]), lane, type);
        }
    });
    return whole;
  }

  // Allocates a slot for one value, which becomes a register.
  Value* allocate_one(llvm::Type* type) {
    Builder entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
    return entry.CreateAlloca(type);
  }

  void add_piece(const std::vector<Value*>& at, Value* from, Value* to,
                 const std::vector<Lanes256>& state) {
    rows_.emit_row(at);
    rows_.emit_columns(from, to, [&](int o, Value* value, Value* j, Value* mask) {
      const compiler::Output& out = kernel_.outputs[static_cast<size_t>(o)];
      // Pieces begin at lane 0 and are walked in whole vectors.
      Value* lane = b_.CreateAnd(b_.CreateSub(j, from), i64(ir::wide_lanes - 1));
      Value* address = lane_address(out.type, state[static_cast<size_t>(o)].lanes, lane);
      Value* before = load_lanes(address, out.type, rows_.lanes());
      Value* after = combine(out, before, to_memory(b_, value, out.type));
      store_lanes(mask ? b_.CreateSelect(mask, after, before) : after, address, out.type);
    });
  }

  Value* allocate(llvm::Type* type, int64_t count) {
    Builder entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
    auto* memory = entry.CreateAlloca(type, i64(count));
    memory->setAlignment(llvm::Align(64));
    return memory;
  }

  // Computes the elements [from, to) of the reduced sequence into the scratch buffer, in order.
  // Stores are whole vectors: excess elements are overwritten by the next row or are in the
  // padding.
  void evaluate_piece(std::vector<Value*> at, Value* from, Value* to,
                      const std::vector<Lanes256>& state) {
    const auto columns = [&](Value* begin, Value* end, Value* origin) {
      rows_.emit_columns(begin, end, [&](int o, Value* value, Value* j, Value*) {
        const compiler::Output& out = kernel_.outputs[static_cast<size_t>(o)];
        Value* address = b_.CreateGEP(stored_type(out.type), state[static_cast<size_t>(o)].scratch,
                                      b_.CreateSub(j, origin));
        store_lanes(to_memory(b_, value, out.type), address, out.type);
      });
    };
    if (kernel_.domain.rank - kernel_.kept == 1) {
      rows_.emit_row(at);
      columns(from, to, from);
      return;
    }
    Value* width = rows_.extent(kernel_.inner());
    Value* last = b_.CreateUDiv(b_.CreateAdd(to, b_.CreateSub(width, i64(1))), width);
    rows_.loop(b_.CreateUDiv(from, width), last, 1, [&](Value* row) {
      decode(row, kernel_.kept, kernel_.inner(), at);
      rows_.emit_row(at);
      Value* start = b_.CreateMul(row, width);
      Value* origin = b_.CreateSub(from, start);
      columns(max(origin, i64(0)), min(b_.CreateSub(to, start), width), origin);
    });
  }

  // Returns how many of the 256 lanes are used: the least power of two that holds the elements.
  Value* lane_span(Value* count) {
    Value* span = i64(1);
    for (int64_t half = 1; half < ir::wide_lanes; half *= 2)
      span = b_.CreateSelect(b_.CreateICmpSGT(count, i64(half)), i64(2 * half), span);
    return span;
  }

  Value* lane_address(ElementType type, Value* base, Value* lane) {
    return b_.CreateGEP(stored_type(type), base, lane);
  }

  void clear_lanes(const compiler::Output& out, Value* lanes, Value* span) {
    const int width = reduce_lanes(out.type);
    Value* vector = b_.CreateVectorSplat(static_cast<unsigned>(width), identity(out));
    rows_.loop(i64(0), span, width,
               [&](Value* k) { store_lanes(vector, lane_address(out.type, lanes, k), out.type); });
  }

  void accumulate(const compiler::Output& out, const Lanes256& state, Value* count) {
    const int width = reduce_lanes(out.type);
    Value* neutral = b_.CreateVectorSplat(static_cast<unsigned>(width), identity(out));
    store_lanes(neutral, lane_address(out.type, state.scratch, count),
                out.type);  // completes the last vector
    rows_.loop(i64(0), count, width, [&](Value* k) {
      Value* lane = lane_address(out.type, state.lanes, b_.CreateAnd(k, i64(ir::wide_lanes - 1)));
      Value* element = load_lanes(lane_address(out.type, state.scratch, k), out.type, width);
      store_lanes(combine(out, load_lanes(lane, out.type, width), element), lane, out.type);
    });
  }

  // Folds lanes by halves, in memory while they fill vectors, then within one vector.
  Value* fold(const compiler::Output& out, Value* lanes, Value* span) {
    const int width = reduce_lanes(out.type);
    for (int64_t half = ir::wide_lanes / 2; half >= width; half /= 2)
      rows_.if_then(b_.CreateICmpSGT(span, i64(half)), [&] {
        rows_.loop(i64(0), i64(half), width, [&](Value* k) {
          Value* low = lane_address(out.type, lanes, k);
          Value* high = lane_address(out.type, lanes, b_.CreateAdd(k, i64(half)));
          store_lanes(
              combine(out, load_lanes(low, out.type, width), load_lanes(high, out.type, width)),
              low, out.type);
        });
      });
    return fold_vector(out, load_lanes(lanes, out.type, width));
  }

  Value* fold_vector(const compiler::Output& out, Value* vector) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
    if (!type) return vector;  // a single lane
    for (int half = static_cast<int>(type->getNumElements()) / 2; half > 0; half /= 2) {
      std::vector<int> low, high;
      for (int k = 0; k < half; ++k) low.push_back(k), high.push_back(k + half);
      vector =
          combine(out, b_.CreateShuffleVector(vector, low), b_.CreateShuffleVector(vector, high));
    }
    return b_.CreateExtractElement(vector, uint64_t{0});
  }

  // Does the same for each row of a square, combining pairs of rows. Returns a lane for each row.
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

  void reduce_column() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    const ReductionTiles tiles(b_, rows_.product_of_extents(kernel_.kept, inner), ir::column_tile);
    rows_.loop(argument(1), argument(2), 1, [&](Value* item) {
      auto at = coordinates();
      decode(tiles.result_of(item), 0, kernel_.kept, at);
      const auto [begin, end] = tiles.elements_of(item);
      std::vector<Value*> targets;
      Value* offset = b_.CreateMul(item, columns);
      for (size_t o = 0; o < kernel_.outputs.size(); ++o) {
        const compiler::Output& out = kernel_.outputs[o];
        targets.push_back(lane_address(out.type, output(o), offset));
        clear_columns(out, targets.back());
      }
      rows_.loop(begin, end, 1, [&](Value* row) {
        decode(row, kernel_.kept, inner, at);
        rows_.emit_row(at);
        rows_.emit_columns(argument(3), argument(4),
                           [&](int o, Value* value, Value* j, Value* mask) {
                             add_to_column(kernel_.outputs[static_cast<size_t>(o)],
                                           targets[static_cast<size_t>(o)], value, j, mask);
                           });
      });
    });
  }

  void clear_columns(const compiler::Output& out, Value* target) {
    Value* neutral = identity(out);
    rows_.loop(argument(3), argument(4), rows_.lanes(), [&](Value* j) {
      Value* mask = rows_.lane_mask(j, argument(4));
      b_.CreateMaskedStore(rows_.splat(neutral), lane_address(out.type, target, j),
                           llvm::Align(static_cast<uint64_t>(size_of(out.type))), mask);
    });
  }

  void add_to_column(const compiler::Output& out, Value* target, Value* value, Value* j,
                     Value* mask) {
    Value* address = lane_address(out.type, target, j);
    llvm::Type* vector = rows_.vector_of(stored_type(out.type));
    const auto align = llvm::Align(static_cast<uint64_t>(size_of(out.type)));
    Value* before = mask ? b_.CreateMaskedLoad(vector, address, align, mask,
                                               llvm::Constant::getNullValue(vector))
                         : static_cast<Value*>(b_.CreateAlignedLoad(vector, address, align));
    Value* after = combine(out, before, to_memory(b_, value, out.type));
    if (mask)
      b_.CreateMaskedStore(after, address, align, mask);
    else
      b_.CreateAlignedStore(after, address, align);
  }
};

}  // namespace

void emit_cpu_reduction(llvm::Function* function, const compiler::Kernel& kernel,
                        const Machine& machine) {
  CpuReduction(function, kernel, machine).emit();
}

}  // namespace tutti::codegen
