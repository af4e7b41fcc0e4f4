// How a kernel runs on a GPU, as a value. GpuSchedule lists the strategies in order of preference:
// a kernel takes the first one that accepts it. The value is chosen once, when a plan is made or
// resized. The emitter, the launch, the cache key and explain() all read it.
//
// A new strategy is a struct here, named in GpuSchedule; <strategy>.cpp beside this file; and its
// emitter, codegen/gpu/<strategy>.cpp.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "target/gpu_tuning.hpp"

namespace tutti::compiler {
struct Kernel;
}
namespace tutti::codegen {
struct GpuFunction;
}

namespace tutti::schedule {

using compiler::Kernel;
using target::GpuTuning;

// Threads of a block.
struct Block {
  int columns = 1;
  int rows = 0;  // 0: threads have a one-dimensional index
};

// A launch: blocks, and the threads of each.
struct Grid {
  unsigned x = 1, y = 1, threads_x = 1, threads_y = 1;
  bool operator==(const Grid&) const = default;
};

// The work of a kernel: rows or tiles, and the columns of each.
struct Work {
  int64_t items = 0, columns = 0;
};

// Returns the number of blocks for `count` items, `each` of them per block, from 1 to `most`.
unsigned blocks(int64_t count, int64_t each, int64_t most);

// Every strategy has these members:
//   choose     the strategy for a kernel, or nothing where it does not fit. The kernel is
//              normalised, and its choices by size are made.
//   block      the threads of a block
//   grid       the launch for the kernel's sizes
//   widest     elements of its widest access to memory
//   structure  all that the machine code depends on: part of the kernel's key
//   describe   what it does and why, for explain()
//   emit       writes the kernel; defined by codegen/gpu/<strategy>.cpp

// Elements that a vector primitive computes inside of its own kernel, several at a time.
struct FusedElements {
  int lanes = 1;             // elements computed together
  bool in_order = false;     // every load is at the point itself
  bool at_computed = false;  // some loads are at computed indices
  static std::optional<FusedElements> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {}; }  // that of the primitive
  Grid grid(const Kernel&, const Work&) const { return {}; }
  int widest() const { return lanes; }
  std::array<int64_t, 3> structure() const { return {lanes, in_order, at_computed}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// Stencils: a thread computes a tile of a few rows and columns, in which values that its points
// share are computed once. Values to the side are shuffled from neighbours in the warp. Points near
// the border, where boundary rules apply, get one thread each.
struct RegisterTiles {
  int warp = 0;               // threads that exchange values
  int threads = 0;            // of a block
  int registers = 0;          // of a thread, an upper bound
  int columns = 0, rows = 0;  // of a thread's tile
  int deep = 1;               // rows of one access to an array that is read down its columns
  int lanes_down = 1;         // tiles of a warp on top of each other
  // Arguments of the kernel: the region in which no boundary rule applies and whole warps fit. The
  // rest is the border.
  int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
  int64_t columns_across = 0;  // computed by a warp
  int64_t tiles_across = 0, tiles_down = 0;
  int64_t border_points = 0;

  static std::optional<RegisterTiles> choose(const Kernel& kernel, const GpuTuning& gpu);
  // Returns whether some points may be computed twice: then outputs must not overwrite inputs.
  bool overlap() const {
    return (last_row - first_row) % (rows * lanes_down) ||
           (last_column - first_column) % columns_across;
  }
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return columns > deep ? columns : deep; }
  std::array<int64_t, 7> structure() const {
    return {warp, threads, registers, columns, rows, deep, lanes_down};
  }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// A vector in order: wide accesses, several per thread.
struct LinearMap {
  int threads = 0;  // of a block
  int lanes = 1;    // elements per access
  int unroll = 1;   // accesses per thread
  int64_t most_blocks = 0;
  static std::optional<LinearMap> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return lanes; }
  std::array<int64_t, 3> structure() const { return {threads, lanes, unroll}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// One point per thread, where a warp covers a tile of rows and columns. For programs with loops,
// because points near each other iterate about equally often; and for maps that read down the
// columns of an array, such as a transpose, whose neighbours in a column are contiguous in memory.
struct WarpTileMap {
  int columns = 0, rows = 0;  // of a block
  int warp_columns = 0, warp_rows = 0;
  bool walks_down = false;  // there are more rows than a launch has blocks for
  int64_t most_blocks = 0, most_blocks_down = 0;
  static std::optional<WarpTileMap> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {columns, rows}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 5> structure() const {
    return {columns, rows, warp_columns, warp_rows, walks_down};
  }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// One point per thread, in blocks of rows and columns. Fits every map.
struct PointMap {
  enum class Reason : uint8_t {
    rows_and_columns,  // a domain of higher rank whose points share nothing
    control_flow,      // a program branches separately in each thread
    computed_indices,  // of an array that is gathered from
    stencil,           // several loads of an array; no register tile fits
    boundary_rules,    // along the row
    out_of_order,      // elements are reversed, strided or moved
    much_to_do,        // per element: the width of an access does not matter
  };
  int columns = 0, rows = 0;  // of a block
  bool walks_down = false;    // there are more rows than a launch has blocks for
  Reason reason{};
  int64_t most_blocks = 0, most_blocks_down = 0;
  static std::optional<PointMap> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {columns, rows}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 3> structure() const { return {columns, rows, walks_down}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// Recurrences: a thread for each line, which carries the states in registers.
struct LineMap {
  int threads = 0;  // of a block
  int64_t most_blocks = 0, most_blocks_down = 0;
  static std::optional<LineMap> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 1> structure() const { return {threads}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// Reductions of small rectangles, a few rows and columns per result: a thread for each column.
struct RectangleReduce {
  int threads = 0;  // of a block
  int columns = 0, rows = 0;
  int unrolled_rows = 0;  // the remaining rows are a loop
  int64_t most_blocks = 0;
  static std::optional<RectangleReduce> choose(const Kernel& kernel, const GpuTuning& gpu);
  int results_a_block() const { return threads / columns; }
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 4> structure() const { return {threads, columns, rows, unrolled_rows}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// Reductions of few elements: part of a warp for each result, a thread for each element.
struct SubwarpReduce {
  int threads = 0;  // of a block
  int lanes = 0;    // threads a result
  int64_t most_blocks = 0;
  static std::optional<SubwarpReduce> choose(const Kernel& kernel, const GpuTuning& gpu);
  int results_a_block() const { return threads / lanes; }
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 2> structure() const { return {threads, lanes}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// Reductions with few tiles, or with much work per element: a block for each tile.
struct BlockReduce {
  int threads = 0;  // of a block: one for each lane of the reduction tree
  int unroll = 0;   // elements a thread loads at a time
  int64_t most_blocks = 0;
  static std::optional<BlockReduce> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 2> structure() const { return {threads, unroll}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// All other reductions along the last axes: a warp for each tile.
struct WarpReduce {
  int warps = 0;  // of a block
  int threads = 0;
  int lanes = 1;  // elements of one access; more than 1: a vector in order
  int64_t most_blocks = 0;
  static std::optional<WarpReduce> choose(const Kernel& kernel, const GpuTuning& gpu);
  bool in_order() const { return lanes > 1; }
  Block block() const { return {threads}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return lanes; }
  std::array<int64_t, 3> structure() const { return {warps, threads, lanes}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

// Reductions that keep the last axis: a thread for each column of a tile.
struct ColumnReduce {
  int columns = 0, rows = 0;  // of a block
  int64_t most_blocks = 0, most_blocks_down = 0;
  static std::optional<ColumnReduce> choose(const Kernel& kernel, const GpuTuning& gpu);
  Block block() const { return {columns, rows}; }
  Grid grid(const Kernel& kernel, const Work& work) const;
  int widest() const { return 1; }
  std::array<int64_t, 2> structure() const { return {columns, rows}; }
  std::string describe(const Kernel& kernel) const;
  void emit(const codegen::GpuFunction& function, const Kernel& kernel) const;
};

using GpuSchedule =
    std::variant<FusedElements, RegisterTiles, LinearMap, WarpTileMap, PointMap, LineMap,
                 RectangleReduce, SubwarpReduce, BlockReduce, WarpReduce, ColumnReduce>;

// Returns the first strategy that accepts the kernel. Throws InternalError if none does.
GpuSchedule choose_gpu(const Kernel& kernel, const GpuTuning& gpu);

}  // namespace tutti::schedule
