// Checks of results: evaluations look for faulty elements and report the operation that computed
// the first one. TUTTI_CHECK=nan,inf,overflow,bounds checks a whole process, ScopedChecks a scope.
#pragma once
#include <string>

#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Thrown by an evaluation that computed a faulty element. It names the operation, the element, its
// operands, how they were computed, and the source line. The arrays are computed and can be read.
class CheckError : public Error {
 public:
  using Error::Error;
};

// Checks the evaluations of this thread during the lifetime of the object. `checks` is a list with
// commas: nan and inf (in results), overflow (of integers, and their division by 0), bounds
// (indices outside of an array), all; "" for none. Throws Error for another word.
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
