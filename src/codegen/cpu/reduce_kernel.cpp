#include "codegen/cpu/reduce_kernel.hpp"

#include "codegen/cpu/reduction_tile.hpp"
#include "codegen/emit/reduction_tiles.hpp"

namespace tutti::codegen {
namespace {

using compiler::Form;

class CpuReduction : CpuReductionTile {
 public:
  using CpuReductionTile::CpuReductionTile;

  void emit() {
    if (kernel_.form == Form::reduce_wide)
      reduce_wide();
    else
      reduce_column();
    b_.CreateRetVoid();
  }

 private:
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
  if (kernel.form == Form::reduce_segments)
    emit_cpu_segment_reduction(function, kernel, machine);
  else
    CpuReduction(function, kernel, machine).emit();
}

}  // namespace tutti::codegen
