#include "runtime/cuda/grid.hpp"

#include <algorithm>

#include "codegen/gpu_shape.hpp"

namespace tutti::runtime::cuda {

unsigned blocks(int64_t count, int64_t each, int64_t most) {
  return static_cast<unsigned>(std::clamp<int64_t>((count + each - 1) / each, 1, most));
}

Grid grid_of(const passes::KernelStep& step) {
  using codegen::gpu_tuning;
  const codegen::GpuShape shape = codegen::gpu_shape(step.kernel);
  constexpr int64_t most_x = 0x7fffffff, most_y = 65535;
  if (step.kernel.form == passes::Form::reduce_wide) {
    const int threads = 32 * gpu_tuning.reduce_warps;
    const int tiles = step.kernel.block_unroll ? 1
                      : step.kernel.few_lanes  ? threads / step.kernel.few_lanes
                                               : gpu_tuning.reduce_warps;
    return {blocks(step.items, tiles, most_x), 1, static_cast<unsigned>(threads), 1};
  }
  if (const passes::Tiling& tiling = step.kernel.tiling; tiling.columns) {
    const int64_t threads = gpu_tuning.stencil_threads, warps = threads / 32;
    const int inner = step.kernel.inner();
    const int64_t outer = inner > 0 ? step.items / step.kernel.domain[inner - 1] : 1;
    const int64_t tiles = (tiling.tiles_across + warps - 1) / warps * tiling.tiles_down;
    return {static_cast<unsigned>((tiling.border_points + threads - 1) / threads + tiles),
            static_cast<unsigned>(outer), static_cast<unsigned>(threads), 1};
  }
  if (step.kernel.form == passes::Form::map && shape.linear)
    return {blocks(step.columns, int64_t{gpu_tuning.linear_threads} * shape.unroll * shape.lanes,
                   most_x),
            1, static_cast<unsigned>(gpu_tuning.linear_threads), 1};
  return {blocks(step.columns, shape.columns(), most_x), blocks(step.items, shape.rows(), most_y),
          static_cast<unsigned>(shape.columns()), static_cast<unsigned>(shape.rows())};
}

}  // namespace tutti::runtime::cuda
