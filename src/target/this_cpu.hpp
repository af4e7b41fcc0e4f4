// The CPU that this process runs on: the costs of avx512.hpp with the cores and the caches that the
// system reports. What it does not report is taken from avx512.hpp.
#pragma once
#include "target/target.hpp"

namespace tutti::target {

const Target& this_cpu();

// The cores that this process may use.
int available_cores();

}  // namespace tutti::target
