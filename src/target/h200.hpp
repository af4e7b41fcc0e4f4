// An H200, and the machine that all GPUs are taken for until others are measured. Origin of the
// numbers: docs/performance.md, measured in November 2026.
#pragma once
#include "target/gpu_tuning.hpp"

namespace tutti::target {

constexpr GpuTuning h200_tuning{
    .warp = 32,
    .most_blocks = 0x7fffffff,
    .most_blocks_down = 65535,
    .wide_bytes = 16,
    .linear_threads = 256,
    .linear_accesses = 4,
    .long_body = 100,
    .longest_body = 200,
    .tile_columns = 64,
    .tile_rows = 4,
    .warp_columns = 8,
    .warp_rows = 4,
    .stencil_threads = 128,
    .stencil_registers = 168,  // three blocks on a multiprocessor
    .reduce_warps = 8,
    .few_tiles = 1024,
    .large_body = 100,
    .long_reduction = 500,
};

}  // namespace tutti::target
