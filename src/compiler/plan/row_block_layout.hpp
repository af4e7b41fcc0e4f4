// Where the kernels of a chain compute: rows of row blocks, columns of tiles, and positions of
// windows that move down a row block. In: a run of map kernels. Out: the rows and columns that each
// kernel computes there, consumers first.
#pragma once
#include <optional>
#include <vector>

#include "compiler/plan/map_run.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

class RowBlockLayout {
 public:
  static constexpr int64_t line_columns = 1 << 14;  // of a tile of a line: as much work as a task

  RowBlockLayout(const MapRun& run, const target::CpuTuning& cpu) : run_(run), cpu_(cpu) {}

  // Plans a row in the middle of the results. It counts as scattered if a row at the border is.
  RowBlock one_row(size_t begin, size_t end) const;
  // Returns the rows that one result row needs beyond its own, of the value that needs most.
  static int64_t rows_around(const RowBlock& one);
  // The number of row blocks is a multiple of the cores, so that all cores have equally many. Each
  // core has several, unless they would be too short for a task, or too many of their rows would be
  // computed twice. Their height does not affect the caches, because windows move down them.
  int64_t row_block_height(const RowBlock& one, double nanoseconds) const;
  // Returns the rows of the results that each row block computes. Where a border wraps, the rows
  // near it need rows of both ends. They get separate row blocks, so that only those are scattered.
  RowRanges own_rows(const RowBlock& one, int64_t height) const;
  // Determines which rows each kernel computes for the rows `own` of the results. Consumers first.
  RowBlock plan_row_block(size_t begin, size_t end, RowRange own) const;
  // Splits the columns into tiles such that the windows fit. Uses one tile if a column depends on
  // others than its neighbours.
  void plan_tiles(size_t begin, size_t end, int64_t column_bytes, ChainStep& chain) const;
  std::optional<std::vector<RowRange>> plan_tile(size_t begin, size_t end, RowRange own) const;
  // Returns the columns of a tile of a line: at most `most`, and equally many for each core.
  int64_t line_width(int64_t most) const;
  // Returns the rows that windows advance: as many as fit beside the rows that the next position
  // needs again. There are at least several for each of those, or moving rows would dominate.
  int64_t window_advance(const RowBlock& one, int64_t row_bytes, int64_t most) const;
  void plan_positions(size_t begin, size_t end, int64_t advance, const RowRanges& own,
                      ChainStep& chain) const;

 private:
  void add_positions(size_t begin, size_t end, RowRange own, int64_t advance,
                     RowBlock& row_block) const;

  const MapRun& run_;
  const target::CpuTuning& cpu_;
};

}  // namespace tutti::compiler
