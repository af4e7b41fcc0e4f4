// What the compiler knows of a family of GPUs, as data: the shape of the machine, limits of a
// launch, and tuning constants. One constant of this type a machine; the compiler names none.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tutti::target {

struct GpuTuning {
  // ---- the machine
  int warp;                  // threads that run in step
  int64_t most_blocks;       // along the first axis of a launch
  int64_t most_blocks_down;  // along the second
  int wide_bytes;            // of one access

  // ---- maps
  int linear_threads;   // of a block that walks elements in order
  int linear_accesses;  // wide ones in flight a thread
  size_t long_body;     // instructions, beyond which one access is enough,
  size_t longest_body;  // and one element
  int tile_columns;     // of a block over rows and columns
  int tile_rows;
  int warp_columns;  // of a warp that is a block of rows and columns
  int warp_rows;

  // ---- register tiles
  int stencil_threads;       // of a block
  int stencil_registers;     // of one of its threads
  double tile_instructions;  // of a tile: beyond, compiling takes longer than it gains
  int tile_registers;        // of the values of a tile
  double thread_cost;        // a thread finds its place
  double narrow_cost;        // an access of one column keeps few bytes in flight
  double compile_cost;       // an instruction, spread over the points
  int most_tile_rows;
  int most_tile_rows_in_loops;  // a loop reads and finds its place once for many steps
  size_t untiled_body;          // instructions: small domains are computed before tiles of them
                                // are compiled
  int transposing_lanes;        // of a warp above each other

  // ---- reductions
  int reduce_warps;       // of a block
  int64_t few_tiles;      // fewer leave most of the machine without work
  size_t large_body;      // instructions: too many for a warp, whose code repeats them
  size_t long_reduction;  // instructions: rows of a rectangle that are unrolled
};

}  // namespace tutti::target
