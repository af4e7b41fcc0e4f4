// The reduction of one tile on a CPU: elements are added to 256 lanes, which are folded by halves
// (numerics/reduction_tree.hpp). The base of kernels that reduce tiles.
#pragma once
#include "codegen/cpu/loops.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::codegen {

class CpuReductionTile : protected CpuLoops {
 protected:
  using CpuLoops::CpuLoops;

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
};

}  // namespace tutti::codegen
