// How the work of a kernel is cut into tasks for threads. It never changes a result.
#pragma once
#include <algorithm>

#include "passes/plan.hpp"

namespace tutti::runtime {

// Tasks of about this length: long enough that starting one does not count (about 1 us), short
// enough to balance. Work below two of them stays on the calling thread.
constexpr double task_nanoseconds = 30e3;

// The work of a step as a grid of tasks.
class Cut {
 public:
  Cut(const passes::KernelStep& step, int threads);

  int64_t count() const { return across_ * down_; }

  // A task: body(item, last item, column, last column).
  template <class Body>
  void run(int64_t task, const Body& body) const {
    const int64_t item = task / across_ * items_, column = task % across_ * columns_;
    body(item, std::min(item + items_, all_items_), column,
         std::min(column + columns_, all_columns_));
  }

 private:
  int64_t all_items_, all_columns_;
  int64_t items_, columns_;  // of one task
  int64_t down_, across_;    // tasks
};

}  // namespace tutti::runtime
