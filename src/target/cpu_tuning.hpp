// The properties of a CPU that the compiler uses, as data: cores and caches, and how work is split
// into tasks for threads.
#pragma once
#include <cstdint>

namespace tutti::target {

struct CpuTuning {
  // ---- the machine
  int cores;
  int64_t private_bytes;  // of the largest cache that is private to a core

  // ---- memory
  // Stores of larger outputs bypass the caches. Outputs that fit the caches of all cores together
  // stay there for the kernel that reads them.
  int64_t streaming_bytes;

  // ---- tasks
  // Long enough that starting a task is negligible (about 1 us), short enough to balance. Work
  // below two of them stays on the calling thread.
  double task_nanoseconds;
  // Work is split evenly down to tasks of this length. A shorter task ends before another thread
  // would have picked it up.
  double least_task_nanoseconds;
  // The duration of a loop is not known before it runs. This number of tasks for each thread
  // balances most of the difference.
  double uneven_tasks;
  int64_t column_step;        // columns of a task: whole cache lines of every type, whole vectors
  int64_t reduction_columns;  // column reductions keep their sums in the first-level cache
  // Loads across rows touch one cache line a column: few enough columns to keep those lines.
  int64_t strided_columns;
  int64_t strided_rows;
  // Recurrences read the previous row: few enough columns that rows of some arrays stay in the
  // first-level cache.
  int64_t line_columns;
};

}  // namespace tutti::target
