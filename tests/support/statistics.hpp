// What the library has done since a point in time, for tests that count it.
#pragma once
#include "tutti/runtime.hpp"

namespace tutti::test {

inline Statistics since(const Statistics& before) {
  Statistics now = statistics();
  now.plans_built -= before.plans_built;
  now.buffers_allocated -= before.buffers_allocated;
  now.buffers_reused_in_place -= before.buffers_reused_in_place;
  return now;
}

}  // namespace tutti::test
