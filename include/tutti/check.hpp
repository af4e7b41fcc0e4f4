// Blame: evaluations look for faults in what they compute, and name the operation that made the
// first one. TUTTI_CHECK=nan,inf,overflow,bounds checks a whole process; ScopedChecks a part of it.
#pragma once
#include <string>

#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Thrown by an evaluation that computed a fault: names the operation, the element, its operands,
// the source line, and how the operands were computed. The arrays are computed and can be read.
class CheckError : public Error {
 public:
  using Error::Error;
};

// Checks the evaluations of this thread for as long as it lives. `checks` is a list with commas:
// nan and inf (in results), overflow (of integers, and divisions of them by 0), bounds (indices
// outside of an array), all; "" for none. Throws Error for another word.
class ScopedChecks {
 public:
  explicit ScopedChecks(const std::string& checks);
  ~ScopedChecks();
  ScopedChecks(const ScopedChecks&) = delete;
  ScopedChecks& operator=(const ScopedChecks&) = delete;

 private:
  int before_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
