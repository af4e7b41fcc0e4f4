// One point for each thread, a block of threads over rows and columns.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/one_point.hpp"

namespace tutti::codegen {
namespace {

class GpuPointMap : GpuOnePoint {
 public:
  GpuPointMap(const GpuFunction& function, const compiler::Kernel& kernel,
              const schedule::PointMap& map)
      : GpuOnePoint(function, kernel), map_(map) {}

  void emit() {
    const Domain domain = load_domain();
    const auto [right, down] = place_in_block();
    emit_points(domain, {map_.columns, map_.rows, right, down, map_.walks_down});
  }

 private:
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
