// Derives the launch data of a kernel: argument words, segments, task shape or grid.
#include <algorithm>

#include "compiler/cost_model.hpp"
#include "compiler/kernel_passes/boundary_segments.hpp"
#include "compiler/plan/plan.hpp"
#include "core/elements/rounding.hpp"
#include "numerics/reduction_tree.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

// Estimates the cost of one element, for splitting the work (timings on AVX-512).
double nanoseconds_per_element(const Kernel& kernel) {
  double units = cost_of_arithmetic(kernel);
  for (const Source& source : kernel.sources) units += size_of(source.type);
  for (const Output& output : kernel.outputs) units += size_of(output.type);
  return 0.03 * (units + static_cast<double>(kernel.loads.size()));
}

// Returns the sources that are loaded only at the point of the outputs and may be overwritten.
std::vector<int> find_overwritable(const Kernel& kernel) {
  if (kernel.form != Form::map && kernel.form != Form::recurrence) return {};
  std::vector<bool> good(kernel.sources.size(), true);
  for (const Load& load : kernel.loads) {
    bool same = static_cast<int>(load.axes.size()) == kernel.domain.rank;
    for (int k = 0; same && k < kernel.domain.rank; ++k) {
      const IndexExpr& e = kernel.indices[load.axes[k].index];
      same = e.kind == IndexExpr::Kind::dim && e.dim == k;
    }
    if (!same || kernel.sources[load.source].parts > 1 ||
        kernel.sources[load.source].shape.size() != kernel.domain.size())
      good[load.source] = false;
  }
  for (const ProgramCall& call : kernel.programs)
    for (const ProgramCall::Table& table : call.tables) good[table.source] = false;
  std::vector<int> result;
  for (size_t s = 0; s < good.size(); ++s)
    if (good[s]) result.push_back(static_cast<int>(s));
  return result;
}

}  // namespace

int64_t elements_along(const Extents& shape, int first, int last) {
  int64_t result = 1;
  for (int axis = first; axis < last; ++axis) result *= shape[axis];
  return result;
}

int64_t tiles_of(const Kernel& reduction) {
  const bool wide = reduction.form == Form::reduce_wide;
  const int last = wide ? reduction.domain.rank : reduction.inner();
  return divide_up(elements_along(reduction.domain, reduction.kept, last),
                   wide ? ir::wide_tile : ir::column_tile);
}

schedule::Work work_of(const Kernel& kernel) {
  const int inner = kernel.inner();
  switch (kernel.form) {
    case Form::map:
      return {elements_along(kernel.domain, 0, inner), kernel.domain[inner]};
    case Form::reduce_wide:
      return {elements_along(kernel.domain, 0, kernel.kept) * tiles_of(kernel), 1};
    case Form::reduce_segments:  // split by the primitive, which knows the segments
      return {0, 1};
    case Form::reduce_column:
      return {elements_along(kernel.domain, 0, kernel.kept) * tiles_of(kernel),
              kernel.domain[inner]};
    case Form::recurrence:  // an item is a line of each column
      return {elements_along(kernel.domain, 0, kernel.kept) *
                  elements_along(kernel.domain, kernel.kept + 1, inner),
              kernel.domain[inner]};
  }
  return {};
}

void choose_schedule(Kernel& kernel, const target::Target& target) {
  if (const auto* gpu = std::get_if<target::GpuTuning>(&target.tuning)) {
    kernel.schedule = schedule::choose_gpu(kernel, *gpu);
    return;
  }
  const auto& cpu = std::get<target::CpuTuning>(target.tuning);
  kernel.schedule = schedule::choose_cpu(kernel, work_of(kernel), cpu);
  kernel.streaming = schedule::stores_past_caches(kernel, cpu);
}

int PrimitiveStep::consumed() const {
  const std::vector<Source>& sources = consumer->kernel.sources;
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const Source& source) {
    return source.is_value && source.id == value;
  });
  return static_cast<int>(found - sources.begin());
}

KernelStep::KernelStep(Kernel k, const target::Target& target)
    : kernel(std::move(k)), id(kernel_id(kernel.key())), layout(kernel) {
  fill_in(target);
}

KernelStep::KernelStep(const KernelStep& like, Kernel resized, const target::Target& target)
    : kernel(std::move(resized)),
      id(kernel.has_code_of(like.kernel) ? like.id : kernel_id(kernel.key())),
      layout(like.layout),
      name(like.name) {
  fill_in(target);
}

void KernelStep::fill_in(const target::Target& target) {
  words.assign(static_cast<size_t>(layout.words()), 0);
  for (int s = 0; s < static_cast<int>(kernel.sources.size()); ++s) {
    const Extents& shape = kernel.sources[s].shape;
    int64_t stride = 1;
    for (int axis = shape.rank - 1; axis >= 0; --axis) {
      words[layout.stride(s, axis)] = stride;
      stride *= shape[axis];
    }
  }
  for (int dim = 0; dim < kernel.domain.rank; ++dim) words[layout.extent(dim)] = kernel.domain[dim];
  if (ArgumentLayout::has_output_strides(kernel))
    for (int o = 0; o < static_cast<int>(kernel.outputs.size()); ++o)
      words[layout.output_stride(o)] = kernel.domain[kernel.inner()];
  for (int i = 0; i < static_cast<int>(kernel.indices.size()); ++i) {
    words[layout.index_scale(i)] = kernel.indices[i].scale;
    words[layout.index_offset(i)] = kernel.indices[i].offset;
    words[layout.index_extent(i)] = kernel.indices[i].extent;
    if (kernel.indices[i].slot >= 0)
      scalars.push_back({layout.index_offset(i), kernel.indices[i].slot});
  }
  for (int i = 0; i < static_cast<int>(kernel.code.size()); ++i) {
    const Instruction& in = kernel.code[i];
    if (in.kind == Instruction::Kind::inside) words[layout.inside_extent(i)] = in.extent;
    if (in.kind != Instruction::Kind::constant) continue;
    scalars.push_back({layout.scalar(i), in.slot});
    if (const auto steps = kernel.repeat.scalars.find(i); steps != kernel.repeat.scalars.end())
      for (size_t k = 1; k < steps->second.size(); ++k)
        scalars.push_back({layout.scalar(i) + static_cast<int>(k), steps->second[k]});
  }
  for (int c = 0; c < static_cast<int>(kernel.programs.size()); ++c) {
    const ProgramCall& call = kernel.programs[c];
    uneven |= call.program->loops;
    for (int t = 0; t < static_cast<int>(call.tables.size()); ++t) {
      const Extents& shape = call.tables[t].shape;
      int64_t stride = 1;
      for (int axis = shape.rank - 1; axis >= 0; --axis) {
        words[layout.table_extent(c, t, axis)] = shape[axis];
        words[layout.table_stride(c, t, axis)] = stride;
        stride *= shape[axis];
      }
    }
  }
  const InnerRules rules = inner_rules(kernel);
  if (rules.any()) {
    segments = make_segments(kernel, rules);
    words[layout.segment_count()] =
        static_cast<int64_t>(segments.size() / (segment_header + rules.wraps.size()));
  }
  const auto* tiles = schedule::on_gpu<schedule::RegisterTiles>(kernel.schedule);
  if (tiles) {
    const int64_t numbers[ArgumentLayout::tiling_words] = {
        tiles->first_row,   tiles->last_row,     tiles->first_column,
        tiles->last_column, tiles->tiles_across, tiles->border_points};
    for (int k = 0; k < ArgumentLayout::tiling_words; ++k) words[layout.tiling(k)] = numbers[k];
  }

  if (!tiles || !tiles->overlap()) overwritable = find_overwritable(kernel);
  nanoseconds = nanoseconds_per_element(kernel) * static_cast<double>(kernel.domain.size());
  const schedule::Work work = work_of(kernel);
  items = work.items;
  columns = work.columns;
  if (const auto* gpu = std::get_if<schedule::GpuSchedule>(&kernel.schedule))
    grid = std::visit([&](const auto& strategy) { return strategy.grid(kernel, work); }, *gpu);
  if (const auto* cpu = std::get_if<schedule::CpuSchedule>(&kernel.schedule)) {
    const auto& tuning = std::get<target::CpuTuning>(target.tuning);
    task = schedule::task_shape(*cpu, work, {nanoseconds, uneven}, tuning.cores, tuning);
  }
}

}  // namespace tutti::compiler
