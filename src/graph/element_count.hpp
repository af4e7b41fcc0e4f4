// Counts of elements, which are int32 by their type.
#pragma once
#include "graph/node.hpp"
#include "tutti/detail/require_int32.hpp"

namespace tutti::ir {

using detail::require_int32;

// Whether a sum of it in int32 counts: it was made of flags, or is one everywhere. A node that has
// been computed no longer knows what it was made of.
inline bool is_counted(const Node& node) {
  if (node.type != ElementType::i32) return false;
  if (node.kind == Kind::constant) return node.value.bits == 1;
  const auto inputs = node.inputs();
  return node.kind == Kind::cast && !inputs.empty() && inputs[0]->type == ElementType::b8;
}

}  // namespace tutti::ir
