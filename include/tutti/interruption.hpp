// A way to stop evaluations that take long. A scope on the calling thread is asked from time to
// time; where it says so, the evaluation throws Interrupted. No array changes by that: what was to
// be computed stays pending and can be evaluated again.
#pragma once
#include <chrono>
#include <functional>

#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class Interrupted : public Error {  // an evaluation was stopped because a scope asked for it
 public:
  using Error::Error;
};

// While it lives, evaluations of this thread call `wanted` from time to time: while they plan,
// between kernels that they compile or run, and between the tasks of a kernel on a CPU. True stops
// them, and what `wanted` throws comes out of the evaluation. Never stopped are one task, the
// compilation of one kernel, one call of a BLAS library and kernels that a GPU has begun.
class InterruptionScope {
 public:
  using Duration = std::chrono::steady_clock::duration;
  // Often enough that a user does not notice; rarely enough that the question may take a lock.
  static constexpr Duration usual_pause = std::chrono::milliseconds(20);
  explicit InterruptionScope(std::function<bool()> wanted, Duration pause = usual_pause);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  friend struct InterruptionAccess;
  std::function<bool()> wanted_;
  Duration pause_;  // between questions
  InterruptionScope* outer_;
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
