// Counts of elements, which are int32 by their type.
#pragma once
#include "graph/node.hpp"
#include "tutti/detail/require_int32.hpp"

namespace tutti::ir {

using detail::require_int32;

// Whether a sum of it in int32 counts: it was made of flags, or is one everywhere.
inline bool is_counted(const Node& node) {
  if (node.type != ElementType::i32) return false;
  if (node.kind == Kind::constant) return node.value.bits == 1;
  return node.kind == Kind::cast && node.inputs()[0]->type == ElementType::b8;
}

}  // namespace tutti::ir
