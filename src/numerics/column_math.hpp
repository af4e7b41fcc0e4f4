// Mathematical functions over many numbers, with the same bits as scalar_ops.hpp. They use the
// processor's fused multiply-add if it has one; without it, each fma is a call.
#pragma once
#include <cstddef>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Returns whether `apply_to_column` supports an operation.
constexpr bool has_column_math(Op op) {
  switch (op) {
#define TUTTI_CALL(id) case Op::id:
#define TUTTI_CALL2(id)
#include "numerics/math/functions.def"
#undef TUTTI_CALL
#undef TUTTI_CALL2
    return true;
    default:
      return false;
  }
}
TUTTI_EXPORT void apply_to_column(Op op, const double* operands, double* results,
                                  std::size_t count);

}  // namespace tutti::ir
