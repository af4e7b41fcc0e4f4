// Reductions of image blocks. Numbers of columns and rows are powers of two, all columns fit one
// warp, and all elements one tile.
#include <bit>

#include "compiler/kernel/kernel.hpp"
#include "compiler/schedule/gpu_schedule.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::schedule {
namespace {

bool is_small_rectangle(const Kernel& kernel, int64_t warp) {
  if (kernel.form != compiler::Form::reduce_wide || kernel.domain.rank - kernel.kept != 2)
    return false;
  const int64_t rows = kernel.domain[kernel.inner() - 1], columns = kernel.domain[kernel.inner()];
  const auto power = [](int64_t n) { return std::has_single_bit(static_cast<uint64_t>(n)); };
  return power(rows) && power(columns) && rows <= warp && columns <= warp &&
         rows * columns <= ir::wide_lanes;
}

// Returns the rows to unroll, limited by the size of their code.
int unrolled(const Kernel& kernel, int rows, size_t long_reduction) {
  while (rows > 2 && kernel.code.size() * static_cast<size_t>(rows) > long_reduction) rows /= 2;
  return rows;
}

}  // namespace

std::optional<RectangleReduce> RectangleReduce::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (!is_small_rectangle(kernel, gpu.warp)) return std::nullopt;
  const int rows = static_cast<int>(kernel.domain[kernel.inner() - 1]);
  return RectangleReduce{.threads = gpu.reduce_warps * gpu.warp,
                         .columns = static_cast<int>(kernel.domain[kernel.inner()]),
                         .rows = rows,
                         .unrolled_rows = unrolled(kernel, rows, gpu.long_reduction),
                         .most_blocks = gpu.most_blocks};
}

Grid RectangleReduce::grid(const Kernel&, const Work& work) const {
  return {blocks(work.items, results_a_block(), most_blocks), 1, static_cast<unsigned>(threads), 1};
}

std::string RectangleReduce::describe(const Kernel&) const {
  return std::to_string(columns) + " threads a result, one for each of its columns";
}

}  // namespace tutti::schedule
