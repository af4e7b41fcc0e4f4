#include "core/statistics.hpp"

#include "tutti/runtime.hpp"

namespace tutti {

Counters& counters() {
  static Counters instance;
  return instance;
}

Statistics statistics() {
  const Counters& c = counters();
  Statistics s;
  s.evaluations = c.evaluations;
  s.plans_built = c.plans_built;
  s.kernels_compiled = c.kernels_compiled;
  s.kernels_from_disk = c.kernels_from_disk;
  s.kernel_launches = c.kernel_launches;
  s.buffers_allocated = c.buffers_allocated;
  s.buffers_reused_in_place = c.buffers_reused_in_place;
  s.bytes_in_use = c.bytes_in_use;
  s.bytes_in_pool = c.bytes_in_pool;
  s.peak_bytes_in_use = c.peak_bytes_in_use;
  s.compile_seconds = static_cast<double>(c.compile_nanoseconds) * 1e-9;
  return s;
}

}  // namespace tutti
