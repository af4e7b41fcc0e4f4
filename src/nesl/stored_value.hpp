// A value of the global environment, with its type.
#pragma once
#include "nesl/value.hpp"

namespace tutti::nesl {

struct StoredValue {
  Mono type;
  Value value;
};

}  // namespace tutti::nesl
