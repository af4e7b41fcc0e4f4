// Which element types an operation takes and gives: the rules named in ops.def.
#pragma once
#include <span>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Types of index arrays and offsets.
constexpr bool is_index_type(ElementType type) {
  return type == ElementType::i32 || type == ElementType::i64;
}

// The element type of the result; throws TypeError when the operation does not take the inputs.
ElementType result_type(Op op, std::span<const ElementType> inputs, const detail::Location& where);

}  // namespace tutti::ir
