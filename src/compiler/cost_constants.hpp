// The constants of the cost model that hold for every machine, in units of one addition of one
// element. Costs of memory differ by machine: target/.
#pragma once
#include <cstdint>

namespace tutti::compiler::cost {

constexpr double load = 1;             // an element from the first-level cache
constexpr double gathered_load = 4;    // an element at a computed index
constexpr double most_scattered = 30;  // of an index or value that a scatter computes
constexpr double boundary = 0.5;       // a boundary rule, most of it outside of the inner loop

// Tiling: the share of points recomputed at the edges of register tiles, the largest stencil
// offset, and the shortest rows that are tiled.
constexpr double halo_share = 0.3;
constexpr int64_t farthest_offset = 64;
constexpr int64_t least_tiled = 256;
constexpr double max_shared_operations = 1200;
constexpr double max_shared_loads = 400;  // most are of rows and columns that other points load too

// Larger kernels are split (the paper's 5.2.3). Code of more than about 1500 instructions takes
// longer to compile than to run.
constexpr double max_operations = 1000;
constexpr double max_loads = 120;
constexpr int max_outputs = 16;
// Rows that one CPU loop walks along at the same time, and outputs that share only their inputs:
// more of them evict each other from the first-level cache.
constexpr double max_rows = 32;
constexpr int max_outputs_alike = 4;
// The most operations that a kernel repeats because gathers read their value at different indices,
// or that several kernels contain.
constexpr double max_repeated_operations = 48;
// The latter on GPUs, where a launch costs more. (Chosen to leave short programs as they were.)
constexpr double max_repeated_on_gpus = 240;

// Reductions that a map computes: elements per result, contiguous results, stride between
// neighbouring results, and instructions.
constexpr int64_t max_unrolled = 16;
constexpr int64_t least_side_by_side = 16;
constexpr int64_t max_step = 4;
constexpr int64_t max_unrolled_operations = 800;

// The fewest operations and steps of a loop that is rerolled. Below, straight code is faster and
// compiles fast enough.
constexpr size_t least_rolled = 200;
constexpr int least_steps = 4;
constexpr size_t largest_straight = 1500;  // instructions of a kernel for one point

constexpr int64_t small_domain = 1 << 16;      // below this, launches cost more than memory traffic
constexpr int64_t streaming_row_bytes = 4096;  // shorter rows are stored through the caches

}  // namespace tutti::compiler::cost
