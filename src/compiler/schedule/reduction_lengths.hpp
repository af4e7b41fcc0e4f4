// The lengths of a kernel's reductions.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::schedule {

// Returns the number of elements per result of a wide reduction.
inline int64_t elements_a_result(const compiler::Kernel& reduction) {
  return compiler::elements_along(reduction.domain, reduction.kept, reduction.domain.rank);
}

}  // namespace tutti::schedule
