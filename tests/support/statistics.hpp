// What the library has done since a point in time, for tests that count it.
#pragma once
#include "tutti/runtime.hpp"

namespace tutti::test {

// Returns the increase of every counter. The bytes in use, in the pool and at the peak are those of
// now.
inline Statistics since(const Statistics& before) {
  Statistics now = statistics();
  now.evaluations -= before.evaluations;
  now.plans_built -= before.plans_built;
  now.kernels_compiled -= before.kernels_compiled;
  now.kernels_from_disk -= before.kernels_from_disk;
  now.kernel_launches -= before.kernel_launches;
  now.buffers_allocated -= before.buffers_allocated;
  now.buffers_reused_in_place -= before.buffers_reused_in_place;
  now.compile_seconds -= before.compile_seconds;
  return now;
}

}  // namespace tutti::test
