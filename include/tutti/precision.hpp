// How exactly floating-point operations are computed. The default gives the same bits on every
// device. TUTTI_PRECISION=exact|contracted|fast changes it for a process, ScopedPrecision for the
// operations that a thread calls in a scope, the body of a captured program among them.
#pragma once
#include <cstdint>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

enum class Precision : uint8_t {
  exact,       // every operation rounds as it is written
  contracted,  // a * b + c and a * b - c of floating-point numbers become fma, on every device
  fast         // contracted, and a GPU may use approximate code for float (docs/math.md)
};

// Returns the precision of the operations that this thread calls.
Precision precision();

// Selects a precision for this thread during the lifetime of the object. An operation keeps the
// precision that it was called with, whenever it is evaluated.
class ScopedPrecision {
 public:
  explicit ScopedPrecision(Precision precision);
  ~ScopedPrecision();
  ScopedPrecision(const ScopedPrecision&) = delete;
  ScopedPrecision& operator=(const ScopedPrecision&) = delete;

 private:
  int before_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
