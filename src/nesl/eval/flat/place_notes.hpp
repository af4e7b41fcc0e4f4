// Says where the program is before work on contexts: its checks are made later, and their errors
// come back with the place.
#pragma once
#include "nesl/core/core.hpp"
#include "nesl/eval/machine.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl::flat {

inline void note_place(const Machine& machine, const CoreFunction& function, const CoreExpr& expr) {
  const Place place = machine.place_of(function, expr);
  nested::set_origin({{place.function, place.expr, place.through}});
}

inline Place place_of(const nested::Origin& origin) {
  return {static_cast<const CoreFunction*>(origin.parts[0]),
          static_cast<const CoreExpr*>(origin.parts[1]),
          static_cast<const CoreFunction*>(origin.parts[2])};
}

// The errors of the work happened at this expression, those found at once and those found later.
template <class Work>
auto at_place(const Machine& machine, const CoreFunction& function, const CoreExpr& expr,
              const Work& work) {
  note_place(machine, function, expr);
  try {
    return work();
  } catch (RuntimeError& error) {
    if (!error.place.function) error.place = machine.place_of(function, expr);
    throw;
  }
}

}  // namespace tutti::nesl::flat
