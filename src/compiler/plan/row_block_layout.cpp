#include "compiler/plan/row_block_layout.hpp"

#include <algorithm>
#include <map>

#include "compiler/plan/rows_read.hpp"
#include "core/elements/rounding.hpp"

namespace tutti::compiler {
namespace {

// The windows of a task may occupy this part of a core's private cache.
constexpr int64_t window_part = 4;
constexpr int64_t small_window_bytes = 12 << 10;  // of all windows, where that is enough
constexpr int64_t rows_for_one_moved = 4;   // rows that windows advance for each row that is kept
constexpr int64_t least_rows = 8;           // of a row block
constexpr int64_t least_columns = 192;      // of a tile
constexpr int64_t column_step = 64;         // tiles are multiples of it: whole lines of any type
constexpr double tasks_of_a_row_block = 3;  // at least: a row block has set-up costs
constexpr int64_t most_row_blocks = 4;      // for each core
constexpr int64_t rows_for_one_repeated = 16;  // of a row block, for each row that is recomputed

}  // namespace

RowBlock RowBlockLayout::one_row(size_t begin, size_t end) const {
  const int64_t middle = run_.domain().rows / 2;
  RowBlock one = plan_row_block(begin, end, {middle, middle + 1});
  one.scattered |= plan_row_block(begin, end, {0, 1}).scattered;
  return one;
}

int64_t RowBlockLayout::rows_around(const RowBlock& one) {
  int64_t around = 0;
  for (const RowRanges& rows : one.rows) around = std::max(around, total(rows) - 1);
  return around;
}

int64_t RowBlockLayout::row_block_height(const RowBlock& one, double nanoseconds) const {
  const auto height = [&](int64_t for_each_core) {
    return std::clamp(divide_up(run_.domain().rows, for_each_core * cpu_.cores),
                      std::min(least_rows, run_.domain().rows), run_.domain().rows);
  };
  const auto worthwhile_tasks =
      static_cast<int64_t>(nanoseconds / (tasks_of_a_row_block * cpu_.task_nanoseconds));
  int64_t for_each_core = std::clamp<int64_t>(worthwhile_tasks / cpu_.cores, 1, most_row_blocks);
  // Row blocks with scattered rows share one task: they must be short.
  if (!one.scattered)
    while (for_each_core > 1 && height(for_each_core) < rows_for_one_repeated * rows_around(one))
      --for_each_core;
  return height(for_each_core);
}

RowRanges RowBlockLayout::own_rows(const RowBlock& one, int64_t height) const {
  const int64_t border = one.scattered ? rows_around(one) : 0;
  const RowRange middle = 4 * border < run_.domain().rows
                              ? RowRange{border, run_.domain().rows - border}
                              : RowRange{0, run_.domain().rows};
  const int64_t count = divide_up(middle.end - middle.begin, height);
  const int64_t each = divide_up(middle.end - middle.begin, count);
  RowRanges result;
  if (middle.begin > 0) result.push_back({0, middle.begin});
  for (int64_t row = middle.begin; row < middle.end; row += each)
    result.push_back({row, std::min(row + each, middle.end)});
  if (middle.end < run_.domain().rows) result.push_back({middle.end, run_.domain().rows});
  return result;
}

RowBlock RowBlockLayout::plan_row_block(size_t begin, size_t end, RowRange own) const {
  RowBlock row_block;
  row_block.rows.resize(end - begin);
  std::map<int, RowRanges> wanted;  // rows of internal values
  for (size_t i = end; i-- > begin;) {
    const Kernel& kernel = *run_.map_kernel(i);
    RowRanges& rows = row_block.rows[i - begin];
    for (const Output& output : kernel.outputs)
      merge(rows,
            run_.is_internal(output.value, begin, end) ? wanted[output.value] : RowRanges{own});
    for (const MapRun::Read& read : run_.reads(i)) {
      if (!read.is_first || !run_.is_internal(read.value, begin, end)) continue;
      for (const RowRange& range : rows)
        merge(wanted[read.value],
              run_.joined(kernel) ? RowRanges{range} : rows_read(kernel, *read.load, range));
    }
    row_block.scattered |= rows.size() > 1;
  }
  return row_block;
}

void RowBlockLayout::plan_tiles(size_t begin, size_t end, int64_t column_bytes,
                                ChainStep& chain) const {
  const int64_t fitting =
      cpu_.private_bytes / window_part / std::max<int64_t>(1, column_bytes) / 64 * 64;
  const int64_t tiles = divide_up(run_.domain().columns, std::max(least_columns, fitting));
  const int64_t width = run_.is_line()
                            ? line_width(std::clamp(fitting, least_columns, line_columns))
                            : round_up(divide_up(run_.domain().columns, tiles), column_step);
  for (int64_t column = 0; column < run_.domain().columns && width < run_.domain().columns;
       column += width) {
    auto tile = plan_tile(begin, end, {column, std::min(column + width, run_.domain().columns)});
    if (!tile) {
      chain.tiles.clear();
      break;
    }
    chain.tiles.push_back(std::move(*tile));
  }
  if (chain.tiles.empty())
    chain.tiles.emplace_back(end - begin, RowRange{0, run_.domain().columns});
}

std::optional<std::vector<RowRange>> RowBlockLayout::plan_tile(size_t begin, size_t end,
                                                               RowRange own) const {
  std::vector<RowRange> columns(end - begin, own);
  std::map<int, RowRanges> wanted;
  for (size_t i = end; i-- > begin;) {
    const Kernel& kernel = *run_.map_kernel(i);
    RowRanges ranges;
    for (const Output& output : kernel.outputs)
      merge(ranges,
            run_.is_internal(output.value, begin, end) ? wanted[output.value] : RowRanges{own});
    if (ranges.empty()) ranges.push_back(own);
    const RowRange computed{ranges.front().begin, ranges.back().end};
    columns[i - begin] = computed;
    for (const MapRun::Read& found : run_.reads(i)) {
      if (!run_.made_within(found.value, begin, i)) continue;
      const int index = found.load->axes.back().index;
      if (!run_.is_internal(found.value, begin, end)) {
        // Of a stored value, only the columns of this tile are available.
        if (kernel.indices[static_cast<size_t>(index)].kind != IndexExpr::Kind::dim)
          return std::nullopt;
        continue;
      }
      RowRange read = computed;
      if (!run_.joined(kernel) || run_.is_line()) {
        const int inner = kernel.inner();
        const auto first = coordinate_at(kernel, index, inner, computed.begin),
                   last = coordinate_at(kernel, index, inner, computed.end - 1);
        if (!first || !last || wraps_around(kernel, index)) return std::nullopt;
        read = {*first, *last + 1};
      }
      merge(wanted[found.value], {read});
    }
  }
  return columns;
}

int64_t RowBlockLayout::line_width(int64_t most) const {
  const int64_t tiles = round_up(divide_up(run_.domain().columns, most), cpu_.cores);
  return round_up(divide_up(run_.domain().columns, tiles), column_step);
}

int64_t RowBlockLayout::window_advance(const RowBlock& one, int64_t row_bytes, int64_t most) const {
  const int64_t again = rows_around(one);
  const int64_t fitting = small_window_bytes / std::max<int64_t>(1, row_bytes) - again;
  return std::clamp<int64_t>(std::max(fitting, rows_for_one_moved * again), 2,
                             std::max<int64_t>(2, most));
}

void RowBlockLayout::plan_positions(size_t begin, size_t end, int64_t advance, const RowRanges& own,
                                    ChainStep& chain) const {
  chain.window_rows.assign(end - begin, 0);
  for (size_t b = 0; b < own.size(); ++b) {
    RowBlock& row_block = chain.row_blocks[b];
    add_positions(begin, end, own[b], advance, row_block);
    for (const auto& rows : row_block.positions)
      for (size_t k = 0; k < rows.size(); ++k)
        chain.window_rows[k] = std::max(chain.window_rows[k], rows[k].rows.end - rows[k].window);
  }
}

void RowBlockLayout::add_positions(size_t begin, size_t end, RowRange own, int64_t advance,
                                   RowBlock& row_block) const {
  if (row_block.scattered) return;
  std::vector<int64_t> done;  // by kernel: rows below this have been computed
  for (const RowRanges& rows : row_block.rows) done.push_back(rows.empty() ? 0 : rows[0].begin);
  for (int64_t row = own.begin; row < own.end; row += advance) {
    const RowBlock part = plan_row_block(begin, end, {row, std::min(row + advance, own.end)});
    std::vector<WindowRows>& position = row_block.positions.emplace_back();
    for (size_t k = 0; k < done.size(); ++k) {
      WindowRows rows{done[k], {done[k], done[k]}};
      if (!part.rows[k].empty()) {
        rows.window = std::min(part.rows[k][0].begin, done[k]);
        rows.rows.end = std::max(done[k], part.rows[k].back().end);
      }
      done[k] = rows.rows.end;
      position.push_back(rows);
    }
  }
}

}  // namespace tutti::compiler
