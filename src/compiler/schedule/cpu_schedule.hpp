// How a kernel runs on a CPU, as a value: how its work is split into tasks for threads. The machine
// code is the same for all values, so they are not part of the kernel's key and never change a
// result. Chosen once, when a plan is made or resized. CpuSchedule lists the strategies in order of
// preference, as GpuSchedule does.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "compiler/schedule/gpu_schedule.hpp"
#include "target/cpu_tuning.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::schedule {

using target::CpuTuning;

// The items and columns of one task.
struct TaskShape {
  int64_t items = 0, columns = 0;
  bool operator==(const TaskShape&) const = default;
};

// Every strategy has these members:
//   choose    the strategy for a kernel, or nothing where it does not fit
//   task      the shape of tasks of about `points` points each
//   describe  what it does, for explain(); `task` is the shape of one task

// Elements that a vector primitive computes while it runs. The primitive splits its work itself.
struct FusedTasks {
  static std::optional<FusedTasks> choose(const Kernel& kernel, const Work&, const CpuTuning&);
  TaskShape task(const Work& work, int64_t) const { return {work.items, work.columns}; }
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

// One of several maps that run row block by row block, so that values passed between them stay in
// the cache (compiler/plan/row_block_chains.hpp). Chosen by that pass.
struct RowBlocks {
  int kernels = 0;
  static std::optional<RowBlocks> choose(const Kernel&, const Work&, const CpuTuning&) {
    return std::nullopt;
  }
  TaskShape task(const Work& work, int64_t) const { return {work.items, work.columns}; }
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

// Maps that read across rows, or at computed rows: blocks of a few columns and many rows.
struct ColumnBlocks {
  int64_t columns = 0, least_rows = 0;
  static std::optional<ColumnBlocks> choose(const Kernel& kernel, const Work& work,
                                            const CpuTuning& cpu);
  TaskShape task(const Work& work, int64_t points) const;
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

// Recurrences: blocks of columns, whose lines are computed in lanes from end to end.
struct Lines {
  int64_t length = 0;                         // of a line
  int64_t column_step = 0, most_columns = 0;  // of a block
  static std::optional<Lines> choose(const Kernel& kernel, const Work& work, const CpuTuning& cpu);
  TaskShape task(const Work& work, int64_t points) const;
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

// All other maps: whole rows, or parts of rows that are longer than a task.
struct Rows {
  int64_t column_step = 0;  // columns of a part are multiples of it
  static std::optional<Rows> choose(const Kernel& kernel, const Work& work, const CpuTuning& cpu);
  TaskShape task(const Work& work, int64_t points) const;
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

// Reductions along the last axes: a task takes tiles.
struct ReductionTiles {
  static std::optional<ReductionTiles> choose(const Kernel& kernel, const Work&, const CpuTuning&);
  TaskShape task(const Work& work, int64_t points) const;
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

// Reductions that keep the last axis: tiles of a number of columns.
struct ReductionColumns {
  int64_t columns = 0;
  static std::optional<ReductionColumns> choose(const Kernel& kernel, const Work&,
                                                const CpuTuning& cpu);
  TaskShape task(const Work& work, int64_t points) const;
  std::string describe(const Kernel& kernel, const Work& work, const TaskShape& task) const;
};

using CpuSchedule = std::variant<FusedTasks, RowBlocks, ColumnBlocks, Lines, Rows, ReductionTiles,
                                 ReductionColumns>;

// Returns the first strategy that accepts the kernel. Throws InternalError if none does.
CpuSchedule choose_cpu(const Kernel& kernel, const Work& work, const CpuTuning& cpu);

// Returns whether a kernel's stores bypass the caches: its results would be evicted before they are
// read.
bool stores_past_caches(const Kernel& kernel, const CpuTuning& cpu);

// The estimated duration of the work on one core, and whether some points take much longer.
struct Duration {
  double nanoseconds = 0;
  bool uneven = false;
};
// Returns the shape of a task. Tasks of even work are assigned to threads in advance, so the shape
// minimises the work of the busiest thread.
TUTTI_EXPORT TaskShape task_shape(const CpuSchedule& schedule, const Work& work,
                                  const Duration& duration, int threads, const CpuTuning& cpu);

}  // namespace tutti::schedule
