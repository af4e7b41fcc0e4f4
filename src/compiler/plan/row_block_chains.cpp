#include "compiler/plan/row_block_chains.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "compiler/cost_model.hpp"
#include "compiler/kernel_passes/normalise_kernel.hpp"
#include "compiler/plan/chain_windows.hpp"
#include "compiler/plan/joined_rows.hpp"
#include "compiler/plan/prove_chain.hpp"
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
constexpr double most_repeated = 0.5;          // of the rows, recomputed by neighbours
constexpr size_t most_kernels = 64;            // bounds the time of planning
constexpr int64_t least_line = 1 << 17;        // elements: a shorter line stays in the caches
constexpr int64_t line_columns = 1 << 14;      // of a tile of a line: as much work as a task
constexpr double cost_of_load = 0.5;           // from the first-level cache
constexpr double worthwhile = 0.98;  // of the cost of a shorter chain: the model is not exact
constexpr double hopeless = 1.25;    // of the least cost: longer chains are not tried

struct Domain {
  int64_t rows = 0, columns = 0;
};

class Chaining {
 public:
  explicit Chaining(Plan& plan)
      : target_(*plan.target),
        cpu_(std::get<target::CpuTuning>(target_.tuning)),
        steps_(plan.steps),
        values_(plan.values) {}

  void run() {
    note_makers();
    std::vector<Step> result;
    size_t i = 0;
    while (i < steps_.size()) {
      std::optional<ChainStep> chain;
      size_t end = cheapest_end(i, std::min(longest_run(i), i + most_kernels));
      for (; end > i + 1; --end) {
        if (settle(i, end)) chain = make_chain(i, end);
        if (chain) break;
      }
      if (chain) {
        result.emplace_back(std::move(*chain));
        i = end;
      } else {
        result.emplace_back(std::move(steps_[i++]));
      }
    }
    steps_ = std::move(result);
  }

 private:
  const Kernel* map_kernel(size_t i) const {
    const auto* step = std::get_if<KernelStep>(&steps_[i]);
    return step && step->kernel.form == Form::map ? &step->kernel : nullptr;
  }

  // Returns the end of the run of consecutive map kernels over the same rows and columns. A
  // one-dimensional kernel iterates over them in order, and a kernel over planes does so in each
  // plane. Kernels over one long line are a run, too: its tiles are what row blocks are to an
  // image.
  size_t longest_run(size_t begin) {
    domain_ = {};
    line_ = false;
    int64_t size = 0;
    size_t end = begin;
    for (; end < steps_.size(); ++end) {
      const Kernel* kernel = map_kernel(end);
      if (!kernel || kernel->domain.rank > 2) break;
      if (end == begin) size = kernel->domain.size();
      if (planes_of(*kernel) > 1) continue;
      if (kernel->domain.size() != size) break;
      if (kernel->domain.rank == 2) {
        if (domain_.columns && domain_.columns != kernel->domain[1]) break;
        domain_ = {kernel->domain[0], kernel->domain[1]};
      }
    }
    if (!domain_.columns && size >= least_line) {
      domain_ = {1, size};
      line_ = true;
    }
    return domain_.columns ? end : begin;
  }

  // Requires a run over rows and columns.
  bool joined(const Kernel& kernel) const {
    return joins_rows(kernel, domain_.rows, domain_.columns);
  }
  // Returns how many planes a kernel computes, each of as many points as the image has.
  int64_t planes_of(const Kernel& kernel) const {
    return kernel.domain.rank == 2 && domain_.columns && joined(kernel) ? kernel.domain[0] : 1;
  }

  void note_makers() {
    maker_.assign(values_.size(), steps_.size());
    for (size_t i = 0; i < steps_.size(); ++i)
      if (const Kernel* kernel = map_kernel(i))
        for (const Output& output : kernel->outputs) maker_[static_cast<size_t>(output.value)] = i;
    reads_.resize(steps_.size());
    for (size_t i = 0; i < steps_.size(); ++i)
      if (const Kernel* kernel = map_kernel(i)) reads_[i] = reads_of(*kernel);
  }

  // A load from a value of a map kernel.
  struct Read {
    const Load* load;
    int value;
    bool row_is_known;  // its first coordinate advances with the rows
    bool at_own_row;
    bool is_first;  // of those at this row
  };

  // Returns one read for all loads of the same elements: stencils have many, and chains of all
  // lengths are tried.
  std::vector<Read> reads_of(const Kernel& kernel) const {
    std::vector<Read> reads;
    std::set<std::vector<int>> seen;
    std::set<std::pair<int, int>> rows;  // sources and coordinates
    for (const Load& load : kernel.loads) {
      const Source& source = kernel.sources[static_cast<size_t>(load.source)];
      if (!source.is_value || maker_[static_cast<size_t>(source.id)] == steps_.size()) continue;
      std::vector<int> place{load.source};
      for (const Load::Axis& axis : load.axes) {
        place.push_back(axis.index);
        place.push_back(axis.source_axis);
      }
      if (!seen.insert(std::move(place)).second) continue;
      const int row = load.axes.empty() ? -1 : load.axes[0].index;
      reads.push_back({.load = &load,
                       .value = source.id,
                       .row_is_known = row >= 0 && coordinate_at(kernel, row, 0, 0).has_value(),
                       .at_own_row = row >= 0 && kernel.indices[static_cast<size_t>(row)].kind ==
                                                     IndexExpr::Kind::dim,
                       .is_first = rows.insert({load.source, row}).second});
    }
    return reads;
  }
  bool made_within(int value, size_t begin, size_t end) const {
    const size_t maker = maker_[static_cast<size_t>(value)];
    return begin <= maker && maker < end;
  }

  // Returns whether a program reads a value of an earlier step of the run at computed indices.
  bool reads_anywhere(const Kernel& kernel, size_t begin, size_t end) const {
    for (const ProgramCall& call : kernel.programs)
      for (const ProgramCall::Table& table : call.tables) {
        const Source& source = kernel.sources[static_cast<size_t>(table.source)];
        if (source.is_value && made_within(source.id, begin, end)) return true;
      }
    return false;
  }

  // Returns whether a value is not needed after the run: it is stored only in row blocks.
  bool is_internal(int value, size_t begin, size_t end) const {
    const PlanValue& v = values_[static_cast<size_t>(value)];
    return !v.keep && v.last_step < static_cast<int>(end) && made_within(value, begin, end);
  }

  // A kernel with joined axes reads the element at its own point, in every plane. Any other index,
  // such as a gathered one, may be in rows that are not in the window.
  static bool reads_in_order(const Kernel& kernel, const Read& read) {
    return read.load->axes.size() == 1 && read.at_own_row &&
           kernel.indices[static_cast<size_t>(read.load->axes[0].index)].dim == kernel.inner();
  }
  // Planes are results: row blocks have no memory for them.
  bool keeps_planes(const Kernel& kernel, size_t begin, size_t end) const {
    return planes_of(kernel) == 1 ||
           std::ranges::none_of(kernel.outputs, [&](const Output& output) {
             return is_internal(output.value, begin, end);
           });
  }

  // A value that outlives the run has only the columns of a tile while the tile is computed.
  bool reads_along_line(const Kernel& kernel, const Load& load, const Source& source,
                        bool internal) const {
    if (load.axes.size() != 1 || source.shape.rank != 1 || source.shape[0] != domain_.columns)
      return false;
    const int index = load.axes[0].index;
    const bool at_point = kernel.indices[static_cast<size_t>(index)].kind == IndexExpr::Kind::dim;
    return at_point || (internal && !wraps_around(kernel, index) &&
                        coordinate_at(kernel, index, 0, 0).has_value());
  }

  // Decides whether steps [begin, end) can run row block by row block. They must read each other's
  // values by rows, and must not read a value that outlives the run at rows of another row block.
  bool settle(size_t begin, size_t end) const {
    bool any_internal = false;
    for (size_t i = begin; i < end; ++i) {
      const Kernel& kernel = *map_kernel(i);
      if (reads_anywhere(kernel, begin, i) || !keeps_planes(kernel, begin, end)) return false;
      for (const Read& read : reads_[i]) {
        if (!made_within(read.value, begin, i)) continue;
        const Load& load = *read.load;
        const Source& source = kernel.sources[static_cast<size_t>(load.source)];
        const bool internal = is_internal(read.value, begin, end);
        any_internal |= internal;
        if (line_) {
          if (!reads_along_line(kernel, load, source, internal)) return false;
          continue;
        }
        if (joined(kernel)) {
          const bool of_image = source.shape.size() == domain_.rows * domain_.columns;
          if (!of_image || !reads_in_order(kernel, read)) return false;
          continue;
        }
        const bool by_rows = source.shape.rank == 2 && source.shape[0] == domain_.rows &&
                             source.shape[1] == domain_.columns && load.axes[0].source_axis == 0 &&
                             read.row_is_known;
        if (!by_rows || !(internal || read.at_own_row)) return false;
      }
    }
    return any_internal;
  }

  // Returns the bytes of one row of all values that are stored only in row blocks.
  int64_t internal_row_bytes(size_t begin, size_t end) const {
    int64_t bytes = 0;
    for (size_t i = begin; i < end; ++i)
      for (const Output& output : map_kernel(i)->outputs)
        if (is_internal(output.value, begin, end)) bytes += size_of(output.type) * domain_.columns;
    return bytes;
  }

  double nanoseconds_of(size_t begin, size_t end) const {
    double nanoseconds = 0;
    for (size_t i = begin; i < end; ++i) nanoseconds += std::get<KernelStep>(steps_[i]).nanoseconds;
    return nanoseconds;
  }

  int64_t window_bytes() const { return cpu_.private_bytes / window_part; }

  // Plans a row in the middle of the results. It counts as scattered if a row at the border is.
  RowBlock one_row(size_t begin, size_t end) const {
    const int64_t middle = domain_.rows / 2;
    RowBlock one = plan_row_block(begin, end, {middle, middle + 1});
    one.scattered |= plan_row_block(begin, end, {0, 1}).scattered;
    return one;
  }

  // Returns the rows that one result row needs beyond its own, of the value that needs most.
  static int64_t rows_around(const RowBlock& one) {
    int64_t around = 0;
    for (const RowRanges& rows : one.rows) around = std::max(around, total(rows) - 1);
    return around;
  }

  // The number of row blocks is a multiple of the cores, so that all cores have equally many. Each
  // core has several, unless they would be too short for a task, or too many of their rows would be
  // computed twice. Their height does not affect the caches, because windows move down them.
  int64_t row_block_height(const RowBlock& one, double nanoseconds) const {
    const auto height = [&](int64_t for_each_core) {
      return std::clamp(divide_up(domain_.rows, for_each_core * cpu_.cores),
                        std::min(least_rows, domain_.rows), domain_.rows);
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

  // Returns the rows of the results that each row block computes. Where a border wraps, the rows
  // near it need rows of both ends. They get separate row blocks, so that only those are scattered.
  RowRanges own_rows(const RowBlock& one, int64_t height) const {
    const int64_t border = one.scattered ? rows_around(one) : 0;
    const RowRange middle = 4 * border < domain_.rows ? RowRange{border, domain_.rows - border}
                                                      : RowRange{0, domain_.rows};
    const int64_t count = divide_up(middle.end - middle.begin, height);
    const int64_t each = divide_up(middle.end - middle.begin, count);
    RowRanges result;
    if (middle.begin > 0) result.push_back({0, middle.begin});
    for (int64_t row = middle.begin; row < middle.end; row += each)
      result.push_back({row, std::min(row + each, middle.end)});
    if (middle.end < domain_.rows) result.push_back({middle.end, domain_.rows});
    return result;
  }

  double repeated_part(double computed, size_t begin, size_t end) const {
    return computed / (static_cast<double>(domain_.rows) * static_cast<double>(end - begin)) - 1;
  }

  struct Estimate {
    double cost;      // of the chain, relative to the cost of its kernels one by one
    double repeated;  // the share of the rows that is recomputed
  };

  // Assumes that every row block needs as many rows beyond its own as one in the middle, as far as
  // they exist. Requires settle().
  Estimate estimate(size_t begin, size_t end) const {
    const std::vector<double> all_rows =
        line_ ? lines_computed(begin, end) : rows_computed(begin, end);
    double computed = 0, chained = target_.costs.launch / points(), alone = 0;
    for (size_t i = begin; i < end; ++i) {
      const Kernel& kernel = *map_kernel(i);
      const double rows = all_rows[i - begin];
      computed += rows;
      if (planes_of(kernel) > 1) continue;  // no row is recomputed: costs as much as alone
      const double work = cost_of_computing(kernel);
      chained += work * rows / static_cast<double>(domain_.rows);
      alone += work + target_.costs.launch / points();
      for (const Output& output : kernel.outputs) {
        const double stored = cost_of_storing(output.type);
        alone += stored;
        if (!is_internal(output.value, begin, end)) chained += stored;
      }
    }
    return {chained / alone, repeated_part(computed, begin, end)};
  }

  // Returns the rows that each kernel computes in all row blocks together.
  std::vector<double> rows_computed(size_t begin, size_t end) const {
    const RowBlock one = one_row(begin, end);
    const int64_t middle = domain_.rows / 2,
                  height = row_block_height(one, nanoseconds_of(begin, end));
    std::vector<double> result;
    for (const RowRanges& ranges : one.rows)
      result.push_back(ranges.size() != 1 ? static_cast<double>(domain_.rows)
                                          : rows_computed(ranges, middle, height));
    return result;
  }

  // Returns how often each kernel computes a line, in all tiles together, by a tile in its middle.
  std::vector<double> lines_computed(size_t begin, size_t end) const {
    const int64_t width = line_width(line_columns), first = (domain_.columns - width) / 2;
    const auto tile = plan_tile(begin, end, {first, first + width});
    std::vector<double> result(end - begin, 1);
    for (size_t k = 0; tile && k < result.size(); ++k)
      result[k] =
          static_cast<double>((*tile)[k].end - (*tile)[k].begin) / static_cast<double>(width);
    return result;
  }

  // Returns the columns of a tile of a line: at most `most`, and equally many for each core.
  int64_t line_width(int64_t most) const {
    const int64_t tiles = round_up(divide_up(domain_.columns, most), cpu_.cores);
    return round_up(divide_up(domain_.columns, tiles), column_step);
  }

  double rows_computed(const RowRanges& of_middle, int64_t middle, int64_t height) const {
    const int64_t before = middle - of_middle.front().begin;
    const int64_t after = of_middle.back().end - middle - 1;
    int64_t rows = 0;
    for (int64_t row = 0; row < domain_.rows; row += height)
      rows += std::min(row + height + after, domain_.rows) - std::max<int64_t>(row - before, 0);
    return static_cast<double>(rows);
  }

  double points() const {
    return static_cast<double>(domain_.rows) * static_cast<double>(domain_.columns);
  }
  double cost_of_storing(ElementType type) const {
    const double bytes = points() * size_of(type);
    const bool cached = bytes <= static_cast<double>(target_.costs.cache_bytes);
    return size_of(type) * (cached ? target_.costs.cached_byte : target_.costs.memory_byte);
  }
  // Returns the cost of one point, in additions. Most loads hit lines that a neighbour has loaded.
  static double cost_of_computing(const Kernel& kernel) {
    return cost_of_load * static_cast<double>(kernel.loads.size()) + cost_of_arithmetic(kernel);
  }

  // Returns the end of the cheapest chain, relative to its kernels one by one. A longer chain
  // stores fewer values and recomputes more rows.
  size_t cheapest_end(size_t begin, size_t last) const {
    size_t best = begin;
    double least = 1;
    for (size_t end = begin + 2; end <= last; ++end) {
      if (!settle(begin, end)) continue;
      const Estimate chain = estimate(begin, end);
      if (chain.repeated > most_repeated || chain.cost > hopeless * least) break;
      if (chain.cost < worthwhile * least) {
        best = end;
        least = chain.cost;
      }
    }
    return best;
  }

  std::optional<ChainStep> make_chain(size_t begin, size_t end) {
    ChainStep chain;
    chain.rows = domain_.rows;
    chain.columns = domain_.columns;
    for (size_t i = begin; i < end; ++i)
      for (const Output& output : map_kernel(i)->outputs)
        if (is_internal(output.value, begin, end))
          chain.windows.push_back({output.value, i - begin, size_of(output.type), 0});
    const RowBlock one = one_row(begin, end);
    const int64_t height = row_block_height(one, nanoseconds_of(begin, end));
    const RowRanges own = own_rows(one, height);
    int64_t computed = 0;
    for (const RowRange& rows : own) {
      chain.row_blocks.push_back(plan_row_block(begin, end, rows));
      for (const RowRanges& ranges : chain.row_blocks.back().rows) computed += total(ranges);
    }
    if (repeated_part(static_cast<double>(computed), begin, end) > most_repeated)
      return std::nullopt;
    plan_positions(begin, end, window_advance(one, internal_row_bytes(begin, end), height), own,
                   chain);
    std::vector<const Kernel*> kernels;
    for (size_t i = begin; i < end; ++i) kernels.push_back(map_kernel(i));
    plan_tiles(begin, end, bytes_of_a_column(chain, kernels), chain);
    if (line_ && chain.tiles.size() == 1) return std::nullopt;
    place_windows(chain, kernels);
    if (!reads_only_computed(chain, kernels)) return std::nullopt;
    for (size_t i = begin; i < end; ++i)
      chain.kernels.push_back(
          step_of_chain(chain, std::move(std::get<KernelStep>(steps_[i]).kernel), end - begin));
    return chain;
  }

  // Returns the step of a kernel whose internal sources and outputs have the pitch of windows.
  KernelStep step_of_chain(const ChainStep& chain, Kernel kernel, size_t count) const {
    const auto is_window = [&](const Source& source) {
      return source.is_value && chain.is_internal(source.id);
    };
    for (const Output& output : kernel.outputs)
      if (chain.is_internal(output.value) || !rows_start_lines(output.type))
        kernel.streaming = false;
    kernel.schedule = schedule::CpuSchedule(schedule::RowBlocks{static_cast<int>(count)});
    mark_alike(kernel,
               [&](const Source& a, const Source& b) { return is_window(a) == is_window(b); });
    KernelStep step(std::move(kernel), target_);
    if (joined(step.kernel)) return step;  // addresses are those of single rows
    for (int s = 0; s < static_cast<int>(step.kernel.sources.size()); ++s)
      if (is_window(step.kernel.sources[static_cast<size_t>(s)]))
        step.words[static_cast<size_t>(step.layout.stride(s, 0))] = chain.pitch;
    for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o)
      if (chain.is_internal(step.kernel.outputs[static_cast<size_t>(o)].value))
        step.words[static_cast<size_t>(step.layout.output_stride(o))] = chain.pitch;
    return step;
  }

  // Streaming stores need that. A kernel with joined axes alone has one row, but it is computed
  // from the start of some row of the image on.
  bool rows_start_lines(ElementType type) const {
    return domain_.rows == 1 || domain_.columns * size_of(type) % line_bytes == 0;
  }

  // Determines which rows each kernel computes for the rows `own` of the results. Consumers first.
  RowBlock plan_row_block(size_t begin, size_t end, RowRange own) const {
    RowBlock row_block;
    row_block.rows.resize(end - begin);
    std::map<int, RowRanges> wanted;  // rows of internal values
    for (size_t i = end; i-- > begin;) {
      const Kernel& kernel = *map_kernel(i);
      RowRanges& rows = row_block.rows[i - begin];
      for (const Output& output : kernel.outputs)
        merge(rows, is_internal(output.value, begin, end) ? wanted[output.value] : RowRanges{own});
      for (const Read& read : reads_[i]) {
        if (!read.is_first || !is_internal(read.value, begin, end)) continue;
        for (const RowRange& range : rows)
          merge(wanted[read.value],
                joined(kernel) ? RowRanges{range} : rows_read(kernel, *read.load, range));
      }
      row_block.scattered |= rows.size() > 1;
    }
    return row_block;
  }

  // Splits the columns into tiles such that the windows fit. Uses one tile if a column depends on
  // others than its neighbours.
  void plan_tiles(size_t begin, size_t end, int64_t column_bytes, ChainStep& chain) const {
    const int64_t fitting = window_bytes() / std::max<int64_t>(1, column_bytes) / 64 * 64;
    const int64_t tiles = divide_up(domain_.columns, std::max(least_columns, fitting));
    const int64_t width = line_ ? line_width(std::clamp(fitting, least_columns, line_columns))
                                : round_up(divide_up(domain_.columns, tiles), column_step);
    for (int64_t column = 0; column < domain_.columns && width < domain_.columns; column += width) {
      auto tile = plan_tile(begin, end, {column, std::min(column + width, domain_.columns)});
      if (!tile) {
        chain.tiles.clear();
        break;
      }
      chain.tiles.push_back(std::move(*tile));
    }
    if (chain.tiles.empty()) chain.tiles.emplace_back(end - begin, RowRange{0, domain_.columns});
  }

  std::optional<std::vector<RowRange>> plan_tile(size_t begin, size_t end, RowRange own) const {
    std::vector<RowRange> columns(end - begin, own);
    std::map<int, RowRanges> wanted;
    for (size_t i = end; i-- > begin;) {
      const Kernel& kernel = *map_kernel(i);
      RowRanges ranges;
      for (const Output& output : kernel.outputs)
        merge(ranges,
              is_internal(output.value, begin, end) ? wanted[output.value] : RowRanges{own});
      if (ranges.empty()) ranges.push_back(own);
      const RowRange computed{ranges.front().begin, ranges.back().end};
      columns[i - begin] = computed;
      for (const Read& found : reads_[i]) {
        if (!made_within(found.value, begin, i)) continue;
        const int index = found.load->axes.back().index;
        if (!is_internal(found.value, begin, end)) {
          // Of a stored value, only the columns of this tile are available.
          if (kernel.indices[static_cast<size_t>(index)].kind != IndexExpr::Kind::dim)
            return std::nullopt;
          continue;
        }
        RowRange read = computed;
        if (!joined(kernel) || line_) {
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

  // Returns the rows that windows advance: as many as fit beside the rows that the next position
  // needs again. There are at least several for each of those, or moving rows would dominate.
  int64_t window_advance(const RowBlock& one, int64_t row_bytes, int64_t most) const {
    const int64_t again = rows_around(one);
    const int64_t fitting = small_window_bytes / std::max<int64_t>(1, row_bytes) - again;
    return std::clamp<int64_t>(std::max(fitting, rows_for_one_moved * again), 2,
                               std::max<int64_t>(2, most));
  }

  void plan_positions(size_t begin, size_t end, int64_t advance, const RowRanges& own,
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

  void add_positions(size_t begin, size_t end, RowRange own, int64_t advance,
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

  const target::Target& target_;
  const target::CpuTuning& cpu_;
  std::vector<Step>& steps_;
  const std::vector<PlanValue>& values_;
  std::vector<size_t> maker_;             // by value: the map kernel that computes it
  std::vector<std::vector<Read>> reads_;  // by step
  Domain domain_;
  bool line_ = false;  // the run is over one line of elements
};

}  // namespace

void form_chains(Plan& plan) {
  Chaining(plan).run();
  for (const Step& step : plan.steps)
    if (const auto* chain = std::get_if<ChainStep>(&step))
      for (const Window& window : chain->windows)
        plan.values[static_cast<size_t>(window.value)].in_row_blocks = true;
}

}  // namespace tutti::compiler
