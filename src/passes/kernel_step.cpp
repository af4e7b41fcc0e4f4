// What a launch of a kernel needs to know of it.
#include <algorithm>
#include <bit>

#include "ir/program.hpp"
#include "ir/reduction_tree.hpp"
#include "passes/cost.hpp"
#include "passes/plan.hpp"
#include "passes/segments.hpp"

namespace tutti::passes {
namespace {

int64_t tiles_in(int64_t length, int64_t tile) { return (length + tile - 1) / tile; }

// About what one element costs, for cutting the work; timings on AVX-512, see cost.hpp.
double nanoseconds_per_element(const Kernel& kernel) {
  double units = 0;
  for (const Instruction& in : kernel.code)
    if (in.kind == Instruction::Kind::op) units += ir::op_cost(in.op);
  for (const ProgramCall& call : kernel.programs) units += call.program->price;
  for (const Source& source : kernel.sources) units += size_of(source.type);
  for (const Output& output : kernel.outputs) units += size_of(output.type);
  return 0.03 * (units + static_cast<double>(kernel.loads.size()));
}

// Some points may be computed twice: nothing they read may have been overwritten.
bool tiles_overlap(const Kernel& kernel) {
  const Tiling& t = kernel.tiling;
  return t.columns && ((t.last_row - t.first_row) % (t.rows * t.lanes_down) ||
                       (t.last_column - t.first_column) % t.columns_across);
}

// Sources whose every load is at the very point of the domain that the outputs are stored to: a
// result may be written over them.
std::vector<int> find_overwritable(const Kernel& kernel) {
  if (kernel.form != Form::map) return {};
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
  return tiles_in(elements_along(reduction.domain, reduction.kept, last),
                  wide ? ir::wide_tile : ir::column_tile);
}

namespace {

constexpr int64_t warp = 32;

// Blocks of an image: columns and rows are powers of two, and one warp has room for all columns, a
// tile for all elements.
bool is_small_rectangle(const Kernel& reduction) {
  if (reduction.domain.rank - reduction.kept != 2) return false;
  const int64_t rows = reduction.domain[reduction.inner() - 1];
  const int64_t columns = reduction.domain[reduction.inner()];
  const auto power = [](int64_t n) { return std::has_single_bit(static_cast<uint64_t>(n)); };
  return power(rows) && power(columns) && rows <= warp && columns <= warp &&
         rows * columns <= ir::wide_lanes;
}

}  // namespace

void spread_tiles(Kernel& reduction) {
  if (reduction.form != Form::reduce_wide) return;
  const int64_t results = elements_along(reduction.domain, 0, reduction.kept);
  const int64_t length = elements_along(reduction.domain, reduction.kept, reduction.domain.rank);
  const bool few = results * tiles_of(reduction) <= cost::few_tiles;
  const bool large = reduction.code.size() > cost::large_body;  // a warp writes it out 16 times
  reduction.few_lanes = reduction.few_rows = reduction.block_unroll = 0;
  if (is_small_rectangle(reduction)) {
    reduction.few_lanes = static_cast<int>(reduction.domain[reduction.inner()]);
    reduction.few_rows = static_cast<int>(reduction.domain[reduction.inner() - 1]);
  } else if (length <= warp)
    reduction.few_lanes = static_cast<int>(std::bit_ceil(static_cast<uint64_t>(length)));
  else if (few || large)
    reduction.block_unroll = large ? 1 : 8;
}

int PrimitiveStep::consumed() const {
  const std::vector<Source>& sources = consumer->kernel.sources;
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const Source& source) {
    return source.is_value && source.id == value;
  });
  return static_cast<int>(found - sources.begin());
}

KernelStep::KernelStep(Kernel k)
    : kernel(std::move(k)), id(kernel_id(kernel.key())), layout(kernel) {
  fill_in();
}

KernelStep::KernelStep(const KernelStep& like, Kernel resized)
    : kernel(std::move(resized)),
      id(kernel.has_code_of(like.kernel) ? like.id : kernel_id(kernel.key())),
      layout(like.layout),
      name(like.name) {
  fill_in();
}

void KernelStep::fill_in() {
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
  for (int i = 0; i < static_cast<int>(kernel.indices.size()); ++i) {
    words[layout.index_scale(i)] = kernel.indices[i].scale;
    words[layout.index_offset(i)] = kernel.indices[i].offset;
    words[layout.index_extent(i)] = kernel.indices[i].extent;
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
  if (const Tiling& tiling = kernel.tiling; tiling.columns) {
    const int64_t numbers[ArgumentLayout::tiling_words] = {
        tiling.first_row,   tiling.last_row,     tiling.first_column,
        tiling.last_column, tiling.tiles_across, tiling.border_points};
    for (int k = 0; k < ArgumentLayout::tiling_words; ++k) words[layout.tiling(k)] = numbers[k];
  }

  if (!tiles_overlap(kernel)) overwritable = find_overwritable(kernel);
  const int inner = kernel.inner();
  nanoseconds = nanoseconds_per_element(kernel) * static_cast<double>(kernel.domain.size());
  switch (kernel.form) {
    case Form::map:
      items = elements_along(kernel.domain, 0, inner);
      columns = kernel.domain[inner];
      cuts_columns = true;
      break;
    case Form::reduce_wide:
      items = elements_along(kernel.domain, 0, kernel.kept) * tiles_of(kernel);
      columns = 1;
      break;
    case Form::reduce_segments:  // cut by whoever knows the segments
      columns = 1;
      break;
    case Form::reduce_column:
      items = elements_along(kernel.domain, 0, kernel.kept) * tiles_of(kernel);
      columns = kernel.domain[inner];
      cuts_columns = true;
      break;
  }
}

}  // namespace tutti::passes
