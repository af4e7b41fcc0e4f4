#include "runtime/cpu/cut.hpp"

namespace tutti::runtime {
namespace {

// Columns of a task are whole cache lines of every element type, and whole vectors.
constexpr int64_t column_step = 64;
// What a loop takes is not known before it runs: so many tasks for each thread even out most of it.
constexpr double uneven_tasks = 16;
// Rows of a column reduction keep their sums in the first-level cache.
constexpr int64_t reduction_columns = 2048;
// Loads that walk across rows touch one cache line a column: few enough columns to keep them.
constexpr int64_t strided_columns = 256;
constexpr int64_t strided_rows = 64;

int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

bool walks_across_rows(const passes::Kernel& kernel) {
  for (const passes::Load& load : kernel.loads)
    for (const auto& axis : load.axes)
      if (kernel.indices[axis.index].dim == kernel.inner() &&
          axis.source_axis != kernel.sources[load.source].shape.rank - 1)
        return true;
  return false;
}

}  // namespace

Cut::Cut(const passes::KernelStep& step, int threads)
    : all_items_(step.items),
      all_columns_(step.columns),
      items_(step.items),
      columns_(step.columns) {
  double tasks = std::max(1.0, step.nanoseconds / task_nanoseconds);
  if (step.uneven) tasks = std::max(tasks, uneven_tasks * threads);
  const double points = static_cast<double>(step.items) * static_cast<double>(step.columns);
  const auto size = std::max<int64_t>(1, static_cast<int64_t>(points / tasks));  // points of a task
  if (step.kernel.form != passes::Form::reduce_column && step.cuts_columns && step.items > 1 &&
      step.columns > strided_columns && walks_across_rows(step.kernel)) {
    columns_ = strided_columns;
    items_ = std::min(step.items, std::max(strided_rows, size / strided_columns));
  } else {
    if (step.kernel.form == passes::Form::reduce_column)
      columns_ = std::min(step.columns, reduction_columns);
    else if (step.cuts_columns && step.columns > size)
      columns_ = std::min(step.columns, round_up(size, column_step));
    items_ = std::clamp<int64_t>(size / columns_, 1, step.items);
  }
  down_ = (step.items + items_ - 1) / items_;
  across_ = (step.columns + columns_ - 1) / columns_;
}

}  // namespace tutti::runtime
