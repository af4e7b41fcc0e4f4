// How long the reductions of a kernel are.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::schedule {

// Elements behind one result of a wide reduction.
inline int64_t elements_a_result(const compiler::Kernel& reduction) {
  return compiler::elements_along(reduction.domain, reduction.kept, reduction.domain.rank);
}

}  // namespace tutti::schedule
