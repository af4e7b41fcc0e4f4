// One point for each thread, a block of threads over rows and columns. If there are more rows than
// blocks in a launch, each block walks down.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/threads.hpp"

namespace tutti::codegen {
namespace {

class GpuPointMap : GpuThreads {
 public:
  GpuPointMap(const GpuFunction& function, const compiler::Kernel& kernel,
              const schedule::PointMap& map)
      : GpuThreads(function, kernel, 1), map_(map) {}

  void emit() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    Value* row_count = rows_.product_of_extents(0, inner);
    const auto [right, down] = place_in_block();
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(map_.columns)), right);
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(map_.rows)), down);
    const auto point = [&](Value* row) {
      auto at = coordinates();
      decode(row, 0, inner, at);
      rows_.emit_row(at);
      Value* element = element_at(row, columns, j);
      rows_.emit_point(j, nullptr, true,
                       [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
    };
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      if (!map_.walks_down) {
        rows_.if_then(b_.CreateICmpSLT(first, row_count), [&] { point(first); });
        return;
      }
      Value* step = b_.CreateMul(blocks_y(), i64(map_.rows));
      rows_.loop_with(first, row_count, [&](Value* row) {
        point(row);
        return b_.CreateAdd(row, step);
      });
    });
    b_.CreateRetVoid();
  }

 private:
  // Returns the row-major index of an element of the domain.
  Value* element_at(Value* row, Value* columns, Value* column) {
    if (kernel_.wide_index) return b_.CreateAdd(b_.CreateMul(row, columns), column);
    return wide(b_.CreateAdd(b_.CreateMul(narrow(row), narrow(columns)), narrow(column)));
  }

  // Returns column and row of this thread. If warps are tiles, threadIdx.y is the number of the
  // warp.
  std::pair<Value*, Value*> place_in_block() {
    if (!map_.warp_columns) return {thread_x(), thread_y()};
    const auto divide = [&](Value* v, int n) {
      return std::pair(b_.CreateUDiv(v, i64(n)), b_.CreateURem(v, i64(n)));
    };
    const auto [lane_row, lane_column] = divide(thread_x(), map_.warp_columns);
    const auto [warp_row, warp_column] = divide(thread_y(), map_.columns / map_.warp_columns);
    return {b_.CreateAdd(b_.CreateMul(warp_column, i64(map_.warp_columns)), lane_column),
            b_.CreateAdd(b_.CreateMul(warp_row, i64(map_.warp_rows)), lane_row)};
  }

  const schedule::PointMap& map_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::PointMap::emit(const codegen::GpuFunction& function,
                                     const Kernel& kernel) const {
  codegen::GpuPointMap(function, kernel, *this).emit();
}
