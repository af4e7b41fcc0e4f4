// The counters behind statistics(). Any thread may add to them.
#pragma once
#include <atomic>
#include <cstdint>

namespace tutti {

struct Counters {
  std::atomic<int64_t> evaluations{0}, plans_built{0}, kernels_compiled{0}, kernels_from_disk{0},
      kernel_launches{0}, buffers_allocated{0}, buffers_reused_in_place{0}, bytes_in_use{0},
      bytes_in_pool{0}, peak_bytes_in_use{0}, compile_nanoseconds{0};
};

Counters& counters();

}  // namespace tutti
