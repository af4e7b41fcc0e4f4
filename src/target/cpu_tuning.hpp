// What the compiler knows of a CPU, as data: its cores and caches, and how work is cut into tasks
// for threads.
#pragma once
#include <cstdint>

namespace tutti::target {

struct CpuTuning {
  // ---- the machine
  int cores;
  int64_t private_bytes;  // of the largest cache that a core has for itself

  // ---- memory
  // Outputs that are larger are stored past the caches. What fits into the caches of all cores
  // together is left there for the kernel that reads it.
  int64_t streaming_bytes;

  // ---- tasks
  // Long enough that starting a task does not count (about 1 us), short enough to balance. Work
  // below two of them stays on the calling thread.
  double task_nanoseconds;
  // Work is dealt out evenly down to tasks of this length; a shorter task is over before the thread
  // that would run it has seen it.
  double least_task_nanoseconds;
  // The time of a loop is not known before it runs. This number of tasks for each thread balances
  // most of it.
  double uneven_tasks;
  int64_t column_step;        // columns of a task: whole cache lines of every type, whole vectors
  int64_t reduction_columns;  // column reductions keep their sums in the first-level cache
  // Loads that walk across rows touch one cache line a column: few enough columns to keep them.
  int64_t strided_columns;
  int64_t strided_rows;
  // Recurrences read the row before: few enough columns that rows of some arrays stay in the
  // first-level cache.
  int64_t line_columns;
};

}  // namespace tutti::target
