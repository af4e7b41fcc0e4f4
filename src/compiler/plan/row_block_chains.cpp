#include "compiler/plan/row_block_chains.hpp"

#include <algorithm>
#include <optional>

#include "compiler/cost_model.hpp"
#include "compiler/kernel_passes/normalise_kernel.hpp"
#include "compiler/plan/chain_windows.hpp"
#include "compiler/plan/prove_chain.hpp"
#include "compiler/plan/row_block_layout.hpp"
#include "compiler/plan/rows_read.hpp"

namespace tutti::compiler {
namespace {

constexpr double most_repeated = 0.5;  // of the rows, recomputed by neighbours
constexpr size_t most_kernels = 64;    // bounds the time of planning
constexpr double cost_of_load = 0.5;   // from the first-level cache
constexpr double worthwhile = 0.98;    // of the cost of a shorter chain: the model is not exact
constexpr double hopeless = 1.25;      // of the least cost: longer chains are not tried

class Chaining {
 public:
  explicit Chaining(Plan& plan)
      : target_(*plan.target),
        steps_(plan.steps),
        run_(plan.steps, plan.values),
        layout_(run_, std::get<target::CpuTuning>(target_.tuning)) {}

  void run() {
    std::vector<Step> result;
    size_t i = 0;
    while (i < steps_.size()) {
      std::optional<ChainStep> chain;
      size_t end = cheapest_end(i, std::min(run_.longest_run(i), i + most_kernels));
      for (; end > i + 1; --end) {
        if (run_.fits_row_blocks(i, end)) chain = make_chain(i, end);
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
  // Returns the bytes of one row of all values that are stored only in row blocks.
  int64_t internal_row_bytes(size_t begin, size_t end) const {
    int64_t bytes = 0;
    for (size_t i = begin; i < end; ++i)
      for (const Output& output : run_.map_kernel(i)->outputs)
        if (run_.is_internal(output.value, begin, end))
          bytes += size_of(output.type) * run_.domain().columns;
    return bytes;
  }

  double nanoseconds_of(size_t begin, size_t end) const {
    double nanoseconds = 0;
    for (size_t i = begin; i < end; ++i) nanoseconds += std::get<KernelStep>(steps_[i]).nanoseconds;
    return nanoseconds;
  }

  double repeated_part(double computed, size_t begin, size_t end) const {
    return computed / (static_cast<double>(run_.domain().rows) * static_cast<double>(end - begin)) -
           1;
  }

  struct Estimate {
    double cost;      // of the chain, relative to the cost of its kernels one by one
    double repeated;  // the share of the rows that is recomputed
  };

  // Assumes that every row block needs as many rows beyond its own as one in the middle, as far as
  // they exist. Requires MapRun::fits_row_blocks().
  Estimate estimate(size_t begin, size_t end) const {
    const std::vector<double> all_rows =
        run_.is_line() ? lines_computed(begin, end) : rows_computed(begin, end);
    double computed = 0, chained = target_.costs.launch / points(), alone = 0;
    for (size_t i = begin; i < end; ++i) {
      const Kernel& kernel = *run_.map_kernel(i);
      const double rows = all_rows[i - begin];
      computed += rows;
      if (run_.planes_of(kernel) > 1) continue;  // no row is recomputed: costs as much as alone
      const double work = cost_of_computing(kernel);
      chained += work * rows / static_cast<double>(run_.domain().rows);
      alone += work + target_.costs.launch / points();
      for (const Output& output : kernel.outputs) {
        const double stored = cost_of_storing(output.type);
        alone += stored;
        if (!run_.is_internal(output.value, begin, end)) chained += stored;
      }
    }
    return {chained / alone, repeated_part(computed, begin, end)};
  }

  // Returns the rows that each kernel computes in all row blocks together.
  std::vector<double> rows_computed(size_t begin, size_t end) const {
    const RowBlock one = layout_.one_row(begin, end);
    const int64_t middle = run_.domain().rows / 2,
                  height = layout_.row_block_height(one, nanoseconds_of(begin, end));
    std::vector<double> result;
    for (const RowRanges& ranges : one.rows)
      result.push_back(ranges.size() != 1 ? static_cast<double>(run_.domain().rows)
                                          : rows_computed(ranges, middle, height));
    return result;
  }

  // Returns how often each kernel computes a line, in all tiles together, by a tile in its middle.
  std::vector<double> lines_computed(size_t begin, size_t end) const {
    const int64_t width = layout_.line_width(RowBlockLayout::line_columns),
                  first = (run_.domain().columns - width) / 2;
    const auto tile = layout_.plan_tile(begin, end, {first, first + width});
    std::vector<double> result(end - begin, 1);
    for (size_t k = 0; tile && k < result.size(); ++k)
      result[k] =
          static_cast<double>((*tile)[k].end - (*tile)[k].begin) / static_cast<double>(width);
    return result;
  }

  double rows_computed(const RowRanges& of_middle, int64_t middle, int64_t height) const {
    const int64_t before = middle - of_middle.front().begin;
    const int64_t after = of_middle.back().end - middle - 1;
    int64_t rows = 0;
    for (int64_t row = 0; row < run_.domain().rows; row += height)
      rows +=
          std::min(row + height + after, run_.domain().rows) - std::max<int64_t>(row - before, 0);
    return static_cast<double>(rows);
  }

  double points() const {
    return static_cast<double>(run_.domain().rows) * static_cast<double>(run_.domain().columns);
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
      if (!run_.fits_row_blocks(begin, end)) continue;
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
    chain.rows = run_.domain().rows;
    chain.columns = run_.domain().columns;
    for (size_t i = begin; i < end; ++i)
      for (const Output& output : run_.map_kernel(i)->outputs)
        if (run_.is_internal(output.value, begin, end))
          chain.windows.push_back({output.value, i - begin, size_of(output.type), 0});
    const RowBlock one = layout_.one_row(begin, end);
    const int64_t height = layout_.row_block_height(one, nanoseconds_of(begin, end));
    const RowRanges own = layout_.own_rows(one, height);
    int64_t computed = 0;
    for (const RowRange& rows : own) {
      chain.row_blocks.push_back(layout_.plan_row_block(begin, end, rows));
      for (const RowRanges& ranges : chain.row_blocks.back().rows) computed += total(ranges);
    }
    if (repeated_part(static_cast<double>(computed), begin, end) > most_repeated)
      return std::nullopt;
    layout_.plan_positions(begin, end,
                           layout_.window_advance(one, internal_row_bytes(begin, end), height), own,
                           chain);
    std::vector<const Kernel*> kernels;
    for (size_t i = begin; i < end; ++i) kernels.push_back(run_.map_kernel(i));
    layout_.plan_tiles(begin, end, bytes_of_a_column(chain, kernels), chain);
    if (run_.is_line() && chain.tiles.size() == 1) return std::nullopt;
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
    if (run_.joined(step.kernel)) return step;  // addresses are those of single rows
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
    return run_.domain().rows == 1 || run_.domain().columns * size_of(type) % line_bytes == 0;
  }

  const target::Target& target_;
  std::vector<Step>& steps_;
  MapRun run_;
  RowBlockLayout layout_;
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
