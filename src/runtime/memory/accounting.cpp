#include "runtime/memory/accounting.hpp"

#include <string>

#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

bool try_reserve(size_t bytes) {
  const int64_t limit = live_settings().max_bytes, more = static_cast<int64_t>(bytes);
  std::atomic<int64_t>& in_use = counters().bytes_in_use;
  int64_t used = in_use;
  do {
    if (limit > 0 && used + more > limit) return false;
  } while (!in_use.compare_exchange_weak(used, used + more));
  int64_t peak = counters().peak_bytes_in_use;
  while (used + more > peak &&
         !counters().peak_bytes_in_use.compare_exchange_weak(peak, used + more)) {
  }
  return true;
}

void reserve(size_t bytes) {
  if (try_reserve(bytes)) return;
  throw OutOfMemory("an array of " + std::to_string(bytes) + " bytes would exceed the limit of " +
                    std::to_string(live_settings().max_bytes) + " bytes (TUTTI_MAX_BYTES); " +
                    std::to_string(counters().bytes_in_use) + " are in use");
}

void count_given_back(size_t bytes) { counters().bytes_in_use -= static_cast<int64_t>(bytes); }

}  // namespace tutti::runtime
