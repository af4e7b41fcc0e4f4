// The CPU that this process runs on: the costs of avx512.hpp with the cores and caches that the
// system reports, or those of avx512.hpp if it reports none.
#pragma once
#include "target/target.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::target {

TUTTI_EXPORT const Target& this_cpu();

// Returns the number of cores that this process may use.
TUTTI_EXPORT int available_cores();

}  // namespace tutti::target
