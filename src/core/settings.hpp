// The settings as every layer reads them: single values, without a lock and without copies.
#pragma once
#include <atomic>
#include <cstdint>

namespace tutti {

struct LiveSettings {
  std::atomic<int> threads, max_pending_operations;
  std::atomic<bool> reproducible, interpret, disk_cache, log, checks, debug_programs;
  std::atomic<int64_t> cache_bytes, max_pending_bytes, pool_bytes, max_bytes, small_work,
      loop_limit;
};

const LiveSettings& live_settings();

// TUTTI_SIMD_BITS as it was at the start, so that a wrong value is reported on machines with a GPU
// too.
int simd_bits();

}  // namespace tutti
