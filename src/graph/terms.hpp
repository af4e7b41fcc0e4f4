// Short names for nodes, for builders that write formulas.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

inline NodeRef apply(Op op, const NodeRef& a, const Location& where) {
  return make_elementwise(op, {&a, 1}, where);
}
inline NodeRef apply(Op op, const NodeRef& a, const NodeRef& b, const Location& where) {
  const NodeRef inputs[] = {a, b};
  return make_elementwise(op, inputs, where);
}
inline NodeRef apply(Op op, const NodeRef& a, const NodeRef& b, const NodeRef& c,
                     const Location& where) {
  const NodeRef inputs[] = {a, b, c};
  return make_elementwise(op, inputs, where);
}

// Makes an integer constant of rank 0.
inline NodeRef number(int64_t value, ElementType type, const Location& where) {
  return make_constant({type, static_cast<uint64_t>(value)}, {}, where);
}

}  // namespace tutti::ir
