// The precision of the operations that are called: TUTTI_PRECISION for the process, ScopedPrecision
// for a thread. Read for every operation, with two loads.
#pragma once
#include <atomic>
#include <optional>
#include <string_view>

#include "tutti/precision.hpp"

namespace tutti {
namespace detail {
extern constinit std::atomic<int> process_precision;  // -1: the environment has not been read
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int thread_precision;  // -1: none
Precision read_process_precision();
}  // namespace detail

inline Precision precision_wanted() {
  if (detail::thread_precision >= 0) [[unlikely]]
    return static_cast<Precision>(detail::thread_precision);
  const int process = detail::process_precision.load(std::memory_order_relaxed);
  return process >= 0 ? static_cast<Precision>(process) : detail::read_process_precision();
}

}  // namespace tutti
