// The choice of a strategy: the first alternative of a variant that accepts a kernel.
#pragma once
#include <cstddef>
#include <variant>

#include "tutti/error.hpp"

namespace tutti::schedule {

// Calls choose(arguments...) of the strategies in the order of the variant. Throws InternalError if
// none fits.
template <class Schedule, std::size_t first = 0, class... Arguments>
Schedule first_that_fits(const Arguments&... arguments) {
  if constexpr (first == std::variant_size_v<Schedule>) {
    throw InternalError("no strategy accepts a kernel");
  } else {
    if (const auto fits = std::variant_alternative_t<first, Schedule>::choose(arguments...))
      return *fits;
    return first_that_fits<Schedule, first + 1>(arguments...);
  }
}

}  // namespace tutti::schedule
