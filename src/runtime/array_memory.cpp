#include "runtime/array_memory.hpp"

#include <string>

#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

void require_room(size_t bytes) {
  const int64_t limit = live_settings().max_bytes;
  if (limit > 0 && counters().bytes_in_use + static_cast<int64_t>(bytes) > limit)
    throw OutOfMemory("an array of " + std::to_string(bytes) + " bytes would exceed the limit of " +
                      std::to_string(limit) + " bytes (TUTTI_MAX_BYTES); " +
                      std::to_string(counters().bytes_in_use) + " are in use");
}

void count_taken(size_t bytes) {
  const int64_t used = counters().bytes_in_use += static_cast<int64_t>(bytes);
  int64_t peak = counters().peak_bytes_in_use;
  while (used > peak && !counters().peak_bytes_in_use.compare_exchange_weak(peak, used)) {
  }
}

void count_given_back(size_t bytes) { counters().bytes_in_use -= static_cast<int64_t>(bytes); }

}  // namespace tutti::runtime
