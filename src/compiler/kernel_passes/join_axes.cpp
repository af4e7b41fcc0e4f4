#include "compiler/kernel_passes/join_axes.hpp"

#include <algorithm>

namespace tutti::compiler {
namespace {

// In units of a third of a vector instruction, fitted to timings of rows of 2 to 64 floats with
// AVX-512 (decision 90). "Odd" is a load that cannot be joined: it needs a coordinate for each
// lane.
constexpr int64_t row = 24, row_of_odd_load = 20;
constexpr int64_t element = 2, element_of_odd_load = 3;
constexpr int64_t least_points = 64;  // fewer take no time either way

bool is_dim(const Kernel& kernel, int index, int dim) {
  return kernel.indices[index].kind == IndexExpr::Kind::dim && kernel.indices[index].dim == dim;
}

int64_t stride_of(const Source& source, int axis) {
  int64_t stride = 1;
  for (int a = axis + 1; a < source.shape.rank; ++a) stride *= source.shape[a];
  return stride;
}

// Returns whether axes d and d + 1 of the domain are one axis for this load: absent or contiguous.
// Axis d + 1 may already consist of several axes of the source if `across_axes`.
bool joins(const Kernel& kernel, const Load& load, int d, bool across_axes) {
  int first = -1, second = -1;
  for (int a = 0; a < static_cast<int>(load.axes.size()); ++a) {
    const int dim = kernel.indices[load.axes[a].index].dim;
    if (dim == d) {
      if (first >= 0 || !is_dim(kernel, load.axes[a].index, d)) return false;
      first = a;
    } else if (dim == d + 1) {
      if (second >= 0 || !is_dim(kernel, load.axes[a].index, d + 1)) return false;
      second = a;
    }
  }
  if (first < 0 && second < 0) return true;
  if (first < 0 || second < 0) return false;
  const Source& source = kernel.sources[load.source];
  if (across_axes)
    return stride_of(source, load.axes[first].source_axis) ==
           kernel.domain[d + 1] * stride_of(source, load.axes[second].source_axis);
  return load.axes[second].source_axis == load.axes[first].source_axis + 1 &&
         source.shape[load.axes[second].source_axis] == kernel.domain[d + 1];
}

bool can_join(const Kernel& kernel, int d, bool across_axes) {
  if (kernel.form != Form::map && d + 1 == kernel.kept) return false;  // kept | reduced
  if (kernel.form == Form::recurrence && d == kernel.kept) return false;
  if (kernel.form == Form::reduce_column && d + 1 == kernel.inner())
    return false;  // reduced | inner
  for (const IndexExpr& e : kernel.indices) {
    if (!e.divides()) continue;  // the quotient of a longer axis is another one
    const int dim = kernel.indices[e.source].dim;
    if (dim == d || dim == d + 1) return false;
  }
  for (const Instruction& in : kernel.code) {
    // A coordinate that is a value, or decides a boundary, is needed separately.
    if (in.kind != Instruction::Kind::index && in.kind != Instruction::Kind::inside) continue;
    const int dim = kernel.indices[in.slot].dim;
    if (dim == d || dim == d + 1) return false;
  }
  return std::all_of(kernel.loads.begin(), kernel.loads.end(),
                     [&](const Load& load) { return joins(kernel, load, d, across_axes); });
}

// Removes axis d of the domain, whose points have become part of axis d + 1.
void remove_axis(Kernel& kernel, int d) {
  for (IndexExpr& e : kernel.indices)
    if (e.dim > d) --e.dim;
  kernel.domain[d + 1] *= kernel.domain[d];
  for (int k = d; k + 1 < kernel.domain.rank; ++k) kernel.domain[k] = kernel.domain[k + 1];
  --kernel.domain.rank;
  if (kernel.form != Form::map && d < kernel.kept) --kernel.kept;
}

void join(Kernel& kernel, int d) {
  for (Load& load : kernel.loads)
    std::erase_if(load.axes, [&](const Load::Axis& axis) { return is_dim(kernel, axis.index, d); });
  for (IndexExpr& e : kernel.indices)
    if (e.kind == IndexExpr::Kind::dim && e.dim == d + 1)
      e.high = kernel.domain[d] * kernel.domain[d + 1] - 1;
  remove_axis(kernel, d);
}

// Returns whether a load reads along axis d or the one after it.
bool follows(const Kernel& kernel, const Load& load, int d) {
  return std::any_of(load.axes.begin(), load.axes.end(), [&](const Load::Axis& axis) {
    const int dim = kernel.indices[axis.index].dim;
    return dim == d || dim == d + 1;
  });
}

bool pays_to_divide(const Kernel& kernel, int d) {
  const int64_t odd = std::count_if(
      kernel.loads.begin(), kernel.loads.end(),
      [&](const Load& load) { return follows(kernel, load, d) && !joins(kernel, load, d, true); });
  return kernel.domain[d + 1] * (element + element_of_odd_load * odd) <=
         row + row_of_odd_load * odd;
}

bool fits_narrow_index(const Kernel& kernel) {
  return kernel.domain.size() <= INT32_MAX &&
         std::all_of(kernel.sources.begin(), kernel.sources.end(),
                     [](const Source& source) { return source.shape.size() <= INT32_MAX; });
}

// Joins the last two axes. Their coordinates become quotient and remainder of the joined one.
void join_by_division(Kernel& kernel) {
  const int d = kernel.inner() - 1;
  const int64_t rows = kernel.domain[d], length = kernel.domain[d + 1];
  // The joined coordinate is the first one, so that all others may refer to it.
  IndexExpr joined;
  joined.kind = IndexExpr::Kind::dim;
  joined.dim = d + 1;
  joined.high = rows * length - 1;
  for (Load& load : kernel.loads) {
    const bool as_one = follows(kernel, load, d) && joins(kernel, load, d, true);
    if (as_one)
      std::erase_if(load.axes,
                    [&](const Load::Axis& axis) { return is_dim(kernel, axis.index, d); });
    for (Load::Axis& axis : load.axes)
      axis.index = as_one && is_dim(kernel, axis.index, d + 1) ? 0 : axis.index + 1;
  }
  for (IndexExpr& e : kernel.indices) {
    if (e.kind != IndexExpr::Kind::dim && e.kind != IndexExpr::Kind::gathered && e.source >= 0)
      ++e.source;
    if (e.dim != d && e.dim != d + 1) continue;
    if (e.kind == IndexExpr::Kind::dim) {
      const bool is_row = e.dim == d;
      e.kind = is_row ? IndexExpr::Kind::quotient : IndexExpr::Kind::remainder;
      e.source = 0;
      e.scale = length;
      e.extent = is_row ? rows : length;
    }
    e.dim = IndexExpr::from_data;
  }
  kernel.indices.insert(kernel.indices.begin(), joined);
  for (Instruction& in : kernel.code)
    if (in.kind == Instruction::Kind::index || in.kind == Instruction::Kind::inside) ++in.slot;
  for (StaysInside& s : kernel.stays_inside) ++s.index;
  remove_axis(kernel, d);
}

}  // namespace

void join_contiguous_axes(Kernel& kernel) {
  for (int d = kernel.domain.rank - 2; d >= 0; --d)
    if (can_join(kernel, d, false)) join(kernel, d);
}

void join_short_rows(Kernel& kernel) {
  if (kernel.form != Form::map || kernel.fused || kernel.domain.size() < least_points ||
      !fits_narrow_index(kernel))
    return;
  const auto join_all = [&] {
    for (int d = kernel.domain.rank - 2; d >= 0; --d)
      if (can_join(kernel, d, true)) join(kernel, d);
  };
  for (join_all(); kernel.domain.rank >= 2 && pays_to_divide(kernel, kernel.inner() - 1);
       join_all())
    join_by_division(kernel);
}

}  // namespace tutti::compiler
