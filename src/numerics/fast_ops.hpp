// Fast operations and the exact ones that they stand for: fast_ops.def as functions.
#pragma once
#include <optional>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Returns the operation of ops.def that `op` stands for: itself, unless it is a fast one.
constexpr Op exact_of(Op op) {
  switch (op) {
#define TUTTI_FAST_OP(id, exact, arity, cost, doc) \
  case Op::id:                                     \
    return Op::exact;
#include "tutti/detail/fast_ops.def"
#undef TUTTI_FAST_OP
    default:
      return op;
  }
}

constexpr bool is_fast(Op op) { return exact_of(op) != op; }

// Returns the fast operation that stands for `op`, if there is one.
constexpr std::optional<Op> fast_of(Op op) {
  switch (op) {
#define TUTTI_FAST_OP(id, exact, arity, cost, doc) \
  case Op::exact:                                  \
    return Op::id;
#include "tutti/detail/fast_ops.def"
#undef TUTTI_FAST_OP
    default:
      return std::nullopt;
  }
}

}  // namespace tutti::ir
