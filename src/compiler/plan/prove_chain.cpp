#include "compiler/plan/prove_chain.hpp"

#include <algorithm>
#include <set>

#include "compiler/kernel/index_range.hpp"
#include "compiler/plan/chain_windows.hpp"
#include "compiler/plan/joined_rows.hpp"

namespace tutti::compiler {
namespace {

// A read of a value that another kernel of the chain computes.
struct Read {
  size_t reader, maker;
  bool internal;    // the value exists only in row blocks
  int row, column;  // index expressions; the same one in a kernel whose axes are joined
};

class ChainProof {
 public:
  ChainProof(const ChainStep& chain, std::span<const Kernel* const> kernels)
      : chain_(chain), kernels_(kernels) {}

  bool holds() {
    return find_reads() &&
           std::all_of(chain_.row_blocks.begin(), chain_.row_blocks.end(),
                       [&](const RowBlock& row_block) { return holds(row_block); }) &&
           holds_for_columns() && computes_every_row() && windows_lie_apart();
  }

 private:
  bool joined(size_t kernel) const { return joins_rows(*kernels_[kernel], chain_); }

  int maker_of(int value) const {
    for (size_t k = 0; k < kernels_.size(); ++k)
      for (const Output& output : kernels_[k]->outputs)
        if (output.value == value) return static_cast<int>(k);
    return -1;
  }

  // Collects the reads. Returns false if one has no separate rows and columns, such as a table.
  bool find_reads() {
    std::set<std::tuple<size_t, int, int, int>> seen;
    for (size_t k = 0; k < kernels_.size(); ++k) {
      const Kernel& kernel = *kernels_[k];
      for (const ProgramCall& call : kernel.programs)
        for (const ProgramCall::Table& table : call.tables)
          if (is_made(kernel.sources[static_cast<size_t>(table.source)])) return false;
      for (const Load& load : kernel.loads) {
        const Source& source = kernel.sources[static_cast<size_t>(load.source)];
        if (!is_made(source)) continue;
        if (source.parts != 1 || !has_rows_and_columns(k, load, source)) return false;
        const int row = load.axes.front().index, column = load.axes.back().index;
        if (!seen.emplace(k, source.id, row, column).second) continue;
        const auto maker = static_cast<size_t>(maker_of(source.id));
        if (maker >= k) return false;
        const bool internal = chain_.is_internal(source.id);
        reads_.push_back({k, maker, internal, row, column});
      }
    }
    return true;
  }

  bool is_made(const Source& source) const { return source.is_value && maker_of(source.id) >= 0; }

  bool has_rows_and_columns(size_t kernel, const Load& load, const Source& source) const {
    if (source.shape.size() != chain_.rows * chain_.columns) return false;
    if (joined(kernel)) return load.axes.size() == 1;
    return load.axes.size() == 2 && source.shape.rank == 2 && source.shape[0] == chain_.rows &&
           source.shape[1] == chain_.columns && load.axes[0].source_axis == 0 &&
           load.axes[1].source_axis == 1;
  }

  // Returns the rows that a read touches while its kernel computes some rows.
  RowRange rows_read(const Read& read, const RowRange& rows) const {
    const Kernel& kernel = *kernels_[read.reader];
    const int64_t width = joined(read.reader) ? chain_.columns : 1;
    const int dim = joined(read.reader) ? kernel.inner() : 0;
    const IndexRange range =
        range_of(kernel, read.row, dim, {rows.begin * width, rows.end * width - 1});
    if (range.first < 0) return {-1, 0};  // outside of the array
    return {range.first / width, range.last / width + 1};
  }

  static bool contains(const RowRange& all, const RowRange& part) {
    return part.begin >= all.begin && part.end <= all.end;
  }

  bool holds(const RowBlock& row_block) const {
    return row_block.scattered ? holds_for_whole_arrays(row_block) : holds_for_positions(row_block);
  }

  // Checks row by row, because a wrapped coordinate has an exact range for one row only.
  bool holds_for_whole_arrays(const RowBlock& row_block) const {
    for (const Read& read : reads_)
      for (const RowRange& rows : row_block.rows[read.reader])
        for (int64_t row = rows.begin; row < rows.end; ++row) {
          const RowRange wanted = rows_read(read, {row, row + 1});
          const RowRanges& made = row_block.rows[read.maker];
          if (std::none_of(made.begin(), made.end(),
                           [&](const RowRange& range) { return contains(range, wanted); }))
            return false;
        }
    return true;
  }

  bool holds_for_positions(const RowBlock& row_block) const {
    for (size_t b = 0; b < row_block.positions.size(); ++b) {
      const std::vector<WindowRows>& position = row_block.positions[b];
      if (!windows_continue(b ? &row_block.positions[b - 1] : nullptr, position)) return false;
      for (const Read& read : reads_) {
        const RowRange& rows = position[read.reader].rows;
        if (rows.begin >= rows.end) continue;
        const WindowRows& made = position[read.maker];
        // A value stored as a whole is available from the first row of the row block on.
        const int64_t first =
            read.internal ? made.window : row_block.positions[0][read.maker].rows.begin;
        if (!contains({first, made.rows.end}, rows_read(read, rows))) return false;
      }
    }
    return true;
  }

  // A window holds rows that earlier positions left, followed by those that this position computes.
  bool windows_continue(const std::vector<WindowRows>* before,
                        const std::vector<WindowRows>& position) const {
    for (size_t k = 0; k < position.size(); ++k) {
      const WindowRows& now = position[k];
      if (now.rows.end - now.window > chain_.window_rows[k] || now.window > now.rows.begin)
        return false;
      if (!before && now.window != now.rows.begin) return false;
      if (before && (now.rows.begin != (*before)[k].rows.end || now.window < (*before)[k].window))
        return false;
    }
    return true;
  }

  bool holds_for_columns() const {
    if (chain_.tiles.size() == 1)
      return std::all_of(chain_.tiles[0].begin(), chain_.tiles[0].end(), [&](const RowRange& all) {
        return all.begin == 0 && all.end == chain_.columns;
      });
    for (const std::vector<RowRange>& tile : chain_.tiles)
      for (const Read& read : reads_)
        if (!contains(tile[read.maker], columns_read(read, tile[read.reader]))) return false;
    return true;
  }

  RowRange columns_read(const Read& read, const RowRange& columns) const {
    const Kernel& kernel = *kernels_[read.reader];
    if (joined(read.reader) && chain_.rows > 1) {
      const IndexExpr& index = kernel.indices[static_cast<size_t>(read.column)];
      const bool in_order = index.kind == IndexExpr::Kind::dim && index.dim == kernel.inner();
      return in_order ? columns : RowRange{0, chain_.columns};
    }
    const IndexRange range =
        range_of(kernel, read.column, kernel.inner(), {columns.begin, columns.end - 1});
    return {range.first, range.last + 1};
  }

  // Checks that results stored as a whole have all of their rows and columns.
  bool computes_every_row() const {
    for (size_t k = 0; k < kernels_.size(); ++k) {
      const bool stored =
          std::any_of(kernels_[k]->outputs.begin(), kernels_[k]->outputs.end(),
                      [&](const Output& output) { return !chain_.is_internal(output.value); });
      if (!stored) continue;
      int64_t row = 0, column = 0;
      for (const RowBlock& row_block : chain_.row_blocks)
        for (const RowRange& rows : row_block.rows[k])
          if (rows.begin <= row) row = std::max(row, rows.end);
      for (const std::vector<RowRange>& tile : chain_.tiles)
        if (tile[k].begin <= column) column = std::max(column, tile[k].end);
      if (row != chain_.rows || column != chain_.columns) return false;
    }
    return true;
  }

  // Checks that windows with overlapping live ranges share no byte, and that rows do not overlap.
  bool windows_lie_apart() const {
    const auto bytes = [&](const Window& w) {
      return chain_.window_rows[w.kernel] * chain_.pitch * w.element_bytes;
    };
    for (const Window& a : chain_.windows) {
      if (a.offset < 0 || a.offset + bytes(a) > chain_.window_bytes) return false;
      for (const std::vector<RowRange>& tile : chain_.tiles)
        if (tile[a.kernel].end - tile[a.kernel].begin > chain_.pitch) return false;
      for (const Window& b : chain_.windows)
        if (&a != &b && a.offset < b.offset + bytes(b) && b.offset < a.offset + bytes(a) &&
            needed(a.kernel).meets(needed(b.kernel)))
          return false;
    }
    return true;
  }

  WindowLife needed(size_t maker) const {
    if (is_carried(chain_, maker)) return {0, kernels_.size()};
    WindowLife life{maker, maker};
    for (const Read& read : reads_)
      if (read.maker == maker) life.last = std::max(life.last, read.reader);
    return life;
  }

  const ChainStep& chain_;
  std::span<const Kernel* const> kernels_;
  std::vector<Read> reads_;
};

}  // namespace

bool reads_only_computed(const ChainStep& chain, std::span<const Kernel* const> kernels) {
  return ChainProof(chain, kernels).holds();
}

}  // namespace tutti::compiler
