// One point for each thread, where a warp covers a tile of rows and columns. threadIdx.y is the
// number of the warp in its block, threadIdx.x that of the thread in its warp.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/one_point.hpp"

namespace tutti::codegen {
namespace {

class GpuWarpTileMap : GpuOnePoint {
 public:
  GpuWarpTileMap(const GpuFunction& function, const compiler::Kernel& kernel,
                 const schedule::WarpTileMap& map)
      : GpuOnePoint(function, kernel), map_(map) {}

  void emit() {
    const Domain domain = load_domain();
    const auto [lane_row, lane_column] = divide(thread_x(), map_.warp_columns);
    const auto [warp_row, warp_column] = divide(thread_y(), map_.columns / map_.warp_columns);
    Value* right = b_.CreateAdd(b_.CreateMul(warp_column, i64(map_.warp_columns)), lane_column);
    Value* down = b_.CreateAdd(b_.CreateMul(warp_row, i64(map_.warp_rows)), lane_row);
    emit_points(domain, {map_.columns, map_.rows, right, down, map_.walks_down});
  }

 private:
  std::pair<Value*, Value*> divide(Value* v, int n) {
    return std::pair(b_.CreateUDiv(v, i64(n)), b_.CreateURem(v, i64(n)));
  }

  const schedule::WarpTileMap& map_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::WarpTileMap::emit(const codegen::GpuFunction& function,
                                        const Kernel& kernel) const {
  codegen::GpuWarpTileMap(function, kernel, *this).emit();
}
