#include "compiler/schedule/cpu_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/cost_constants.hpp"
#include "compiler/schedule/access_patterns.hpp"
#include "compiler/schedule/first_that_fits.hpp"
#include "core/elements/rounding.hpp"

namespace tutti::schedule {
namespace {

using compiler::Form;

// Returns a task of as many items as make up `points`.
TaskShape items_of(const Work& work, int64_t columns, int64_t points) {
  return {std::clamp<int64_t>(divide_up(points, columns), 1, std::max<int64_t>(work.items, 1)),
          columns};
}

// Describes which threads run the tasks, and how arrays are read.
std::string details(const Kernel& kernel, const Work& work, const TaskShape& task) {
  const bool one = task.items >= work.items && task.columns >= work.columns;
  std::string text = one ? ", as one task" : ", shared by the threads";
  if (any_at_computed_index(kernel)) return text + ": indices are computed";
  if (has_stencil(kernel))
    return text + ": stencil offsets are whole vectors from rows in the cache";
  return text;
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
      !(any_walks_across_rows(kernel) || any_gathers_across_rows(kernel, cpu.private_bytes)))
    return std::nullopt;
  return ColumnBlocks{cpu.strided_columns, cpu.strided_rows};
}
TaskShape ColumnBlocks::task(const Work& work, int64_t points) const {
  return {std::min(work.items, std::max(least_rows, divide_up(points, columns))), columns};
}
std::string ColumnBlocks::describe(const Kernel& kernel, const Work& work,
                                   const TaskShape& task) const {
  return "blocks of " + std::to_string(task.items) + " x " + std::to_string(task.columns) +
         " points" + details(kernel, work, task);
}

// ---- lines of recurrences

std::optional<Lines> Lines::choose(const Kernel& kernel, const Work&, const CpuTuning& cpu) {
  if (kernel.form != Form::recurrence) return std::nullopt;
  return Lines{kernel.domain[kernel.kept], cpu.column_step,
               any_walks_across_rows(kernel) ? cpu.strided_columns : cpu.line_columns};
}
TaskShape Lines::task(const Work& work, int64_t points) const {
  const int64_t lines = divide_up(points, length);
  const int64_t columns =
      std::min(work.columns, std::min(round_up(lines, column_step), most_columns));
  return {std::clamp<int64_t>(lines / columns, 1, std::max<int64_t>(work.items, 1)), columns};
}
std::string Lines::describe(const Kernel&, const Work& work, const TaskShape& task) const {
  const bool one = task.items >= work.items && task.columns >= work.columns;
  return "in order along the axis, " + std::to_string(task.items * task.columns) +
         " lines in lanes" + (one ? ", as one task" : ", blocks of lines shared by the threads");
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
  return first_that_fits<CpuSchedule>(kernel, work, cpu);
}

bool stores_past_caches(const Kernel& kernel, const CpuTuning& cpu) {
  if (kernel.form != Form::map || kernel.fused) return false;
  // A streaming store needs whole, aligned cache lines, so every row must start one. The ends of
  // rows are stored under masks, which is slow between streaming stores, so rows must be long.
  int64_t bytes = 0;
  for (const compiler::Output& output : kernel.outputs) {
    bytes += kernel.domain.size() * size_of(output.type);
    const int64_t row = kernel.domain[kernel.inner()] * size_of(output.type);
    if (kernel.domain.rank > 1 && (row % 64 != 0 || row < compiler::cost::streaming_row_bytes))
      return false;
  }
  return bytes > cpu.streaming_bytes;
}

namespace {

// Returns the number of tasks to aim at: equally many per thread, unless they would be too short.
double task_count(const Duration& duration, int threads, const CpuTuning& cpu) {
  const double usual = duration.nanoseconds / cpu.task_nanoseconds;
  if (duration.uneven) return std::max(usual, cpu.uneven_tasks * threads);
  if (usual < 2) return std::max(1.0, usual);  // stays on the calling thread
  const double even = std::ceil(usual / threads) * threads;
  return std::max(1.0, std::min(even, duration.nanoseconds / cpu.least_task_nanoseconds));
}

// Returns the items of the thread that has the most.
int64_t longest_part(const Work& work, const TaskShape& task, int threads) {
  const int64_t across = divide_up(work.columns, task.columns);
  return divide_up(divide_up(work.items, task.items) * across, threads) * task.items;
}

// With few items a task, one item less may leave less work to the busiest thread.
TaskShape balanced(const Work& work, TaskShape task, int threads) {
  constexpr int64_t few = 16;
  if (task.items > few) return task;
  TaskShape best = task;
  while (--task.items > best.items / 2)
    if (longest_part(work, task, threads) < longest_part(work, best, threads)) best = task;
  return best;
}

}  // namespace

TaskShape task_shape(const CpuSchedule& schedule, const Work& work, const Duration& duration,
                     int threads, const CpuTuning& cpu) {
  const double all = static_cast<double>(work.items) * static_cast<double>(work.columns);
  const auto points = std::max<int64_t>(
      1, static_cast<int64_t>(std::ceil(all / task_count(duration, threads, cpu))));
  const TaskShape task =
      std::visit([&](const auto& strategy) { return strategy.task(work, points); }, schedule);
  const bool shared = !duration.uneven && threads > 1 && task.items < work.items;
  return shared ? balanced(work, task, threads) : task;
}

}  // namespace tutti::schedule
