// The constants of the cost model, in units of one vector addition of one element. They were taken
// from timings on two AVX-512 cores (Sapphire Rapids, November 2026): a vector addition costs about
// 0.03 ns an element, memory traffic about 0.1 ns a byte and core, a launch about 3 us.
#pragma once
#include <cstdint>

namespace tutti::passes::cost {

constexpr double load = 1;                // an element from the first-level cache
constexpr double gathered_load = 4;       // an element at a computed place
constexpr double boundary = 0.5;          // a boundary rule, most of it outside of the inner loop
constexpr double cached_byte = 1.0;       // writing a byte and reading it again, within the caches
constexpr double memory_byte = 5.0;       // the same through main memory
constexpr double launch = 100e3;          // starting one more kernel
constexpr int64_t cache_bytes = 4 << 20;  // beyond this, an array goes through main memory

// A kernel stays within these, or it is cut (the paper's 5.2.3). Beyond about 1500 instructions the
// machine code compiles slower than it runs.
constexpr double max_operations = 1000;
constexpr double max_loads = 120;
constexpr int max_outputs = 16;

constexpr int64_t small_domain = 1 << 16;     // below this, launches cost more than memory traffic
constexpr int64_t streaming_bytes = 8 << 20;  // larger outputs pass by the caches

}  // namespace tutti::passes::cost
