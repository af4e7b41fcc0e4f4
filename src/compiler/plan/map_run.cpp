#include "compiler/plan/map_run.hpp"

#include <algorithm>
#include <set>

#include "compiler/plan/rows_read.hpp"

namespace tutti::compiler {
namespace {

constexpr int64_t least_line = 1 << 17;  // elements: a shorter line stays in the caches

// A kernel with joined axes reads the element at its own point, in every plane. Any other index,
// such as a gathered one, may be in rows that are not in the window.
bool reads_in_order(const Kernel& kernel, const MapRun::Read& read) {
  return read.load->axes.size() == 1 && read.at_own_row &&
         kernel.indices[static_cast<size_t>(read.load->axes[0].index)].dim == kernel.inner();
}

}  // namespace

MapRun::MapRun(const std::vector<Step>& steps, const std::vector<PlanValue>& values)
    : steps_(steps), values_(values) {
  note_makers();
}

const Kernel* MapRun::map_kernel(size_t i) const {
  const auto* step = std::get_if<KernelStep>(&steps_[i]);
  return step && step->kernel.form == Form::map ? &step->kernel : nullptr;
}

size_t MapRun::longest_run(size_t begin) {
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

void MapRun::note_makers() {
  maker_.assign(values_.size(), steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i)
    if (const Kernel* kernel = map_kernel(i))
      for (const Output& output : kernel->outputs) maker_[static_cast<size_t>(output.value)] = i;
  reads_.resize(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i)
    if (const Kernel* kernel = map_kernel(i)) reads_[i] = reads_of(*kernel);
}

std::vector<MapRun::Read> MapRun::reads_of(const Kernel& kernel) const {
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

bool MapRun::reads_anywhere(const Kernel& kernel, size_t begin, size_t end) const {
  for (const ProgramCall& call : kernel.programs)
    for (const ProgramCall::Table& table : call.tables) {
      const Source& source = kernel.sources[static_cast<size_t>(table.source)];
      if (source.is_value && made_within(source.id, begin, end)) return true;
    }
  return false;
}

bool MapRun::is_internal(int value, size_t begin, size_t end) const {
  const PlanValue& v = values_[static_cast<size_t>(value)];
  return !v.keep && v.last_step < static_cast<int>(end) && made_within(value, begin, end);
}

bool MapRun::keeps_planes(const Kernel& kernel, size_t begin, size_t end) const {
  return planes_of(kernel) == 1 || std::ranges::none_of(kernel.outputs, [&](const Output& output) {
           return is_internal(output.value, begin, end);
         });
}

bool MapRun::reads_along_line(const Kernel& kernel, const Load& load, const Source& source,
                              bool internal) const {
  if (load.axes.size() != 1 || source.shape.rank != 1 || source.shape[0] != domain_.columns)
    return false;
  const int index = load.axes[0].index;
  const bool at_point = kernel.indices[static_cast<size_t>(index)].kind == IndexExpr::Kind::dim;
  return at_point || (internal && !wraps_around(kernel, index) &&
                      coordinate_at(kernel, index, 0, 0).has_value());
}

bool MapRun::fits_row_blocks(size_t begin, size_t end) const {
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

}  // namespace tutti::compiler
