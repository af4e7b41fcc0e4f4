#include "compiler/schedule/cpu_schedule.hpp"

#include <algorithm>

#include "compiler/schedule/access_patterns.hpp"
#include "tutti/error.hpp"

namespace tutti::schedule {
namespace {

using compiler::Form;

int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

// As many items as make up the points of a task.
TaskShape items_of(const Work& work, int64_t columns, int64_t points) {
  return {std::clamp<int64_t>(points / columns, 1, std::max<int64_t>(work.items, 1)), columns};
}

// Who runs the tasks, and how arrays are read.
std::string details(const Kernel& kernel, const Work& work, const TaskShape& task) {
  const bool one = task.items >= work.items && task.columns >= work.columns;
  std::string text = one ? ", as one task" : ", shared by the threads";
  if (any_at_computed_index(kernel)) return text + ": indices are computed";
  if (has_stencil(kernel))
    return text + ": stencil offsets are whole vectors from rows in the cache";
  return text;
}

template <class Strategy>
bool try_one(const Kernel& kernel, const Work& work, const CpuTuning& cpu,
             std::optional<CpuSchedule>& chosen) {
  if (const auto fits = Strategy::choose(kernel, work, cpu)) chosen = *fits;
  return chosen.has_value();
}

template <class... Strategies>
CpuSchedule first_that_fits(const Kernel& kernel, const Work& work, const CpuTuning& cpu,
                            const std::variant<Strategies...>*) {
  std::optional<CpuSchedule> chosen;
  if (!(try_one<Strategies>(kernel, work, cpu, chosen) || ...))
    throw InternalError("no CPU strategy accepts a kernel");
  return *chosen;
}

}  // namespace

// ---- inside of primitives

std::optional<FusedTasks> FusedTasks::choose(const Kernel& kernel, const Work&, const CpuTuning&) {
  return kernel.fused ? std::optional(FusedTasks{}) : std::nullopt;
}
std::string FusedTasks::describe(const Kernel&, const Work&, const TaskShape&) const {
  return "inside of the primitive";
}

// ---- row blocks

std::string RowBlocks::describe(const Kernel&, const Work&, const TaskShape&) const {
  return "in row blocks with " + std::to_string(kernels - 1) +
         (kernels == 2 ? " other kernel" : " other kernels") +
         ": what passes between them stays in the cache";
}

// ---- column blocks

std::optional<ColumnBlocks> ColumnBlocks::choose(const Kernel& kernel, const Work& work,
                                                 const CpuTuning& cpu) {
  if (kernel.form != Form::map || work.items <= 1 || work.columns <= cpu.strided_columns ||
      !any_walks_across_rows(kernel))
    return std::nullopt;
  return ColumnBlocks{cpu.strided_columns, cpu.strided_rows};
}
TaskShape ColumnBlocks::task(const Work& work, int64_t points) const {
  return {std::min(work.items, std::max(least_rows, points / columns)), columns};
}
std::string ColumnBlocks::describe(const Kernel& kernel, const Work& work,
                                   const TaskShape& task) const {
  return "blocks of " + std::to_string(task.items) + " x " + std::to_string(task.columns) +
         " points" + details(kernel, work, task);
}

// ---- rows

std::optional<Rows> Rows::choose(const Kernel& kernel, const Work&, const CpuTuning& cpu) {
  return kernel.form == Form::map ? std::optional(Rows{cpu.column_step}) : std::nullopt;
}
TaskShape Rows::task(const Work& work, int64_t points) const {
  const int64_t columns =
      work.columns > points ? std::min(work.columns, round_up(points, column_step)) : work.columns;
  return items_of(work, columns, points);
}
std::string Rows::describe(const Kernel& kernel, const Work& work, const TaskShape& task) const {
  return (task.columns < work.columns ? "parts of rows" : "whole rows") +
         details(kernel, work, task);
}

// ---- reductions

std::optional<ReductionTiles> ReductionTiles::choose(const Kernel& kernel, const Work&,
                                                     const CpuTuning&) {
  return kernel.form == Form::reduce_wide ? std::optional(ReductionTiles{}) : std::nullopt;
}
TaskShape ReductionTiles::task(const Work& work, int64_t points) const {
  return items_of(work, work.columns, points);
}
std::string ReductionTiles::describe(const Kernel& kernel, const Work& work,
                                     const TaskShape& task) const {
  return "whole tiles" + details(kernel, work, task);
}

std::optional<ReductionColumns> ReductionColumns::choose(const Kernel& kernel, const Work&,
                                                         const CpuTuning& cpu) {
  if (kernel.form != Form::reduce_column) return std::nullopt;
  return ReductionColumns{cpu.reduction_columns};
}
TaskShape ReductionColumns::task(const Work& work, int64_t points) const {
  return items_of(work, std::min(work.columns, columns), points);
}
std::string ReductionColumns::describe(const Kernel& kernel, const Work& work,
                                       const TaskShape& task) const {
  return "tiles of " + std::to_string(task.columns) + " columns" + details(kernel, work, task);
}

// ---- all of them

CpuSchedule choose_cpu(const Kernel& kernel, const Work& work, const CpuTuning& cpu) {
  return first_that_fits(kernel, work, cpu, static_cast<const CpuSchedule*>(nullptr));
}

TaskShape task_shape(const CpuSchedule& schedule, const Work& work, double nanoseconds,
                     double least, const CpuTuning& cpu) {
  const double tasks = std::max(least, nanoseconds / cpu.task_nanoseconds);
  const double all = static_cast<double>(work.items) * static_cast<double>(work.columns);
  const auto points = std::max<int64_t>(1, static_cast<int64_t>(all / tasks));
  return std::visit([&](const auto& strategy) { return strategy.task(work, points); }, schedule);
}

}  // namespace tutti::schedule
