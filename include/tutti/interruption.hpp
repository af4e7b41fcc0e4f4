// Interruption of long evaluations. A scope on the calling thread is polled from time to time. When
// its function returns true, the evaluation throws Interrupted. No array changes: the results stay
// pending and can be evaluated again.
#pragma once
#include <chrono>
#include <functional>

#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class Interrupted : public Error {  // a scope has requested that an evaluation stops
 public:
  using Error::Error;
};

// During its lifetime, evaluations of this thread poll `wanted`: while they plan, between kernels
// that they compile or run, and between the tasks of a kernel on a CPU. If it returns true they
// stop; exceptions of `wanted` propagate out of the evaluation. A task, the compilation of a
// kernel, a call of a BLAS library and kernels that a GPU has started run to their end.
class InterruptionScope {
 public:
  using Duration = std::chrono::steady_clock::duration;
  // Short enough that a user does not notice; long enough that `wanted` may take a lock.
  static constexpr Duration usual_pause = std::chrono::milliseconds(20);
  explicit InterruptionScope(std::function<bool()> wanted, Duration pause = usual_pause);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  friend struct InterruptionAccess;
  std::function<bool()> wanted_;
  Duration pause_;  // between two calls of wanted_
  InterruptionScope* outer_;
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
