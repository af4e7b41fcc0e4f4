// The properties of a family of GPUs that the compiler uses, as data: the shape of the machine,
// limits of a launch, and tuning constants. Each machine is a constant of this type.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tutti::target {

struct GpuTuning {
  // ---- the machine
  int warp;                  // threads that execute in lockstep
  int64_t most_blocks;       // along the first axis of a launch
  int64_t most_blocks_down;  // along the second
  int wide_bytes;            // of one access

  // ---- maps
  int linear_threads;   // of a block that iterates over elements in order
  int linear_accesses;  // wide ones in flight per thread
  size_t long_body;     // instructions, beyond which one access per thread is enough,
  size_t longest_body;  // and one element
  int tile_columns;     // of a block over rows and columns
  int tile_rows;
  int warp_columns;  // of a warp that covers a block of rows and columns
  int warp_rows;

  // ---- register tiles
  int stencil_threads;       // of a block
  int stencil_registers;     // of one of its threads
  double tile_instructions;  // of a tile: beyond, compiling takes longer than it saves
  int tile_registers;        // of the values of a tile
  double thread_cost;        // computing the position of a thread
  double narrow_cost;        // an access of one column keeps few bytes in flight
  double compile_cost;       // per instruction, spread over the points
  int most_tile_rows;
  int most_tile_rows_in_loops;  // a loop loads and computes its position once for many steps
  size_t untiled_body;    // instructions: small domains finish before tiles for them are compiled
  int transposing_lanes;  // lanes of a warp on top of each other

  // ---- reductions
  int reduce_warps;       // of a block
  int64_t few_tiles;      // fewer leave most of the machine without work
  size_t large_body;      // instructions: too many for a warp, whose code repeats them
  size_t long_reduction;  // instructions: rows of a rectangle that are unrolled
};

}  // namespace tutti::target
