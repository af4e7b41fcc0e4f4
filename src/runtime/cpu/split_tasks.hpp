// Splits the work of a kernel into tasks for threads. The division never changes a result.
#pragma once
#include <algorithm>

#include "compiler/plan/plan.hpp"
#include "target/this_cpu.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

const target::CpuTuning& this_cpu_tuning();

// The work of a step as a grid of tasks.
class TUTTI_EXPORT Cut {
 public:
  Cut(const compiler::KernelStep& step, int threads);

  int64_t count() const { return across_ * down_; }

  // Runs a task: body(item, last item, column, last column).
  template <class Body>
  void run(int64_t task, const Body& body) const {
    const int64_t item = task / across_ * task_.items;
    const int64_t column = task % across_ * task_.columns;
    body(item, std::min(item + task_.items, all_items_), column,
         std::min(column + task_.columns, all_columns_));
  }

 private:
  int64_t all_items_, all_columns_;
  schedule::TaskShape task_;
  int64_t down_, across_;  // tasks
};

}  // namespace tutti::runtime
