// The CPU that this process runs on: the costs of avx512.hpp with the cores and the caches that the
// system reports. What it does not report is taken from avx512.hpp.
#pragma once
#include "target/target.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::target {

TUTTI_EXPORT const Target& this_cpu();

// The cores that this process may use.
TUTTI_EXPORT int available_cores();

}  // namespace tutti::target
