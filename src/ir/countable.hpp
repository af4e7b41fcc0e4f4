// Numbers of elements that are int32 by their type: coordinates, counts of flags, numbers of
// segments. An array that has more elements than those hold is refused where it is asked for.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "ir/node.hpp"
#include "tutti/error.hpp"

namespace tutti::ir {

constexpr int64_t most_counted = std::numeric_limits<int32_t>::max();

// Throws ShapeError unless the number fits; `what` names it, `instead` says what to try.
inline void require_int32(int64_t number, const std::string& what, const char* instead,
                          const detail::Location& where) {
  if (number > most_counted)
    throw ShapeError(what + ": " + std::to_string(number) + " does not fit int32, which ends at " +
                     std::to_string(most_counted) + "; " + instead + detail::at(where));
}

// Whether a sum of it in int32 counts: it was made of flags, or is one everywhere.
inline bool is_counted(const Node& node) {
  if (node.type != ElementType::i32) return false;
  if (node.kind == Kind::constant) return node.value.bits == 1;
  return node.kind == Kind::cast && node.inputs()[0]->type == ElementType::b8;
}

}  // namespace tutti::ir
