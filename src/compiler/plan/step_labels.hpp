// Labels of the steps of a plan in a timeline: operations, shape, bytes, source lines. Made at the
// first traced run of the plan.
#pragma once
#include <atomic>
#include <vector>

#include "core/timeline/timeline.hpp"

namespace tutti::compiler {

struct Plan;

// Holds the labels of a plan. If several threads make them at the same time, those of the first are
// kept. A copy starts without labels.
class StepLabels {
 public:
  StepLabels() = default;
  StepLabels(const StepLabels&) noexcept {}
  StepLabels& operator=(const StepLabels&) noexcept { return *this; }
  ~StepLabels() { delete labels_.load(); }

  const std::vector<timeline::LabelRef>& of(const Plan& plan) const;  // one for each step

 private:
  mutable std::atomic<const std::vector<timeline::LabelRef>*> labels_{nullptr};
};

}  // namespace tutti::compiler
