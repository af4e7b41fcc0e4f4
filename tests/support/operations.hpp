// The table of element-wise operations, for tests that go through all of them.
#pragma once
#include "tutti/tutti.hpp"

namespace tutti::test {

struct Operation {
  Op op;
  const char* name;
  int arity;
  detail::Rule rule;
};

inline constexpr Operation operations[] = {
#define TUTTI_OP(id, arity, rule, cost, doc) {Op::id, #id, arity, detail::Rule::rule},
#include "tutti/detail/ops.def"
#undef TUTTI_OP
};

}  // namespace tutti::test
