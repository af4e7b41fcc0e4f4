// An H200. All GPUs are treated alike until others are measured. Origin of the numbers:
// docs/performance.md, measured in November 2026.
#pragma once
#include "target/target.hpp"

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
    .tile_instructions = 2500,
    .tile_registers = 150,
    .thread_cost = 80,
    .narrow_cost = 16,
    .compile_cost = 1.0 / 100,
    .most_tile_rows = 8,
    // Stereo matching, no spills: 25.7 instructions a point and step, 30.3 with 8 rows.
    .most_tile_rows_in_loops = 16,
    .untiled_body = 300,
    .transposing_lanes = 4,
    .reduce_warps = 8,
    .few_tiles = 1024,
    .large_body = 100,
    .long_reduction = 500,
};

// It executes about 30e12 operations and moves 4.3e12 bytes a second, and starts a kernel in 4 us.
inline constexpr Target h200{
    .name = "h200",
    .costs = {.cached_byte = 6, .memory_byte = 14, .launch = 100e6, .cache_bytes = 32 << 20},
    .shares_stencils = true,
    .blocks_rows = false,
    .writes_out_reductions = false,
    .joins_short_rows = false,
    .rerolls_loops = true,
    .interleaves_tuples = true,
    .computes_scattered = false,
    .computes_sections_in_place = false,
    .sinks_reshapes = false,
    .most_consumer_instructions = 24,  // counted, not measured
    .tuning = h200_tuning,
};

}  // namespace tutti::target
