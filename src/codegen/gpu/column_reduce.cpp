// Reductions that keep the last axis: a thread for each column of each tile of rows.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/reduction.hpp"

namespace tutti::codegen {
namespace {

class GpuColumnReduce : GpuReduction {
 public:
  GpuColumnReduce(const GpuFunction& function, const compiler::Kernel& kernel,
                  const schedule::ColumnReduce& reduce)
      : GpuReduction(function, kernel, 1), reduce_(reduce) {}

  void emit() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    const ReductionTiles tiles(b_, rows_.product_of_extents(kernel_.kept, inner), ir::column_tile);
    Value* items = b_.CreateMul(rows_.product_of_extents(0, kernel_.kept), tiles.count());
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(reduce_.columns)), thread_x());
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(reduce_.rows)), thread_y());
    Value* step = b_.CreateMul(blocks_y(), i64(reduce_.rows));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(first, items, [&](Value* item) {
        auto at = coordinates();
        decode(tiles.result_of(item), 0, kernel_.kept, at);
        const auto [begin, end] = tiles.elements_of(item);
        start_sums(1);
        rows_.loop(begin, end, 1, [&](Value* row) {
          decode(row, kernel_.kept, inner, at);
          rows_.emit_row(at);
          rows_.emit_point(j, nullptr, true,
                           [&](int o, Value* v, Value*, Value*) { add_to(o, 0, v, nullptr); });
        });
        Value* element = b_.CreateAdd(b_.CreateMul(item, columns), j);
        for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o)
          store(o, element, loaded_sum(o, 0), false);
        return b_.CreateAdd(item, step);
      });
    });
    b_.CreateRetVoid();
  }

 private:
  const schedule::ColumnReduce& reduce_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::ColumnReduce::emit(const codegen::GpuFunction& function,
                                         const Kernel& kernel) const {
  codegen::GpuColumnReduce(function, kernel, *this).emit();
}
