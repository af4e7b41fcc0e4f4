// Counts that are int32 by their type: coordinates, numbers of elements, offsets. An array with
// more elements than int32 can count is rejected at the call that needs the count.
#pragma once
#include <cstdint>
#include <limits>
#include <source_location>
#include <string>

#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::detail {

constexpr int64_t most_counted = std::numeric_limits<int32_t>::max();

// Returns the number as int32. Throws ShapeError if it does not fit; `what` names the number,
// `instead` says what to try.
inline int32_t require_int32(int64_t number, const std::string& what, const char* instead,
                             const std::source_location& where) {
  if (number > most_counted)
    throw ShapeError(what + ": " + std::to_string(number) + " does not fit int32, which ends at " +
                     std::to_string(most_counted) + "; " + instead + at(where));
  return static_cast<int32_t>(number);
}

}  // namespace tutti::detail
TUTTI_END_EXPORTS
