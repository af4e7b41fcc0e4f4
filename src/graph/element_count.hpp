// Counts of elements, whose type is int32.
#pragma once
#include "graph/node.hpp"
#include "tutti/detail/require_int32.hpp"

namespace tutti::ir {

using detail::require_int32;

// Returns whether an int32 sum of the node is a count: elements are converted flags, or all 1.
// A computed node no longer has its inputs.
inline bool is_counted(const Node& node) {
  if (node.type != ElementType::i32) return false;
  if (node.kind == Kind::constant) return node.value.bits == 1;
  const auto inputs = node.inputs();
  return node.kind == Kind::cast && !inputs.empty() && inputs[0]->type == ElementType::b8;
}

}  // namespace tutti::ir
