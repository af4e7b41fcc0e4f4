// The element types of operands and results: the rules named in ops.def.
#pragma once
#include <span>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Returns whether index arrays and offsets can have a type.
constexpr bool is_index_type(ElementType type) {
  return type == ElementType::i32 || type == ElementType::i64;
}

// Returns the element type of the result. Throws TypeError if the inputs are not accepted.
ElementType result_type(Op op, std::span<const ElementType> inputs, const detail::Location& where);

}  // namespace tutti::ir
