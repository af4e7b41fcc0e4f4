// CPUs, from timings on two cores with AVX-512 in November 2026. Other CPUs are treated alike. A
// vector addition costs about 0.03 ns an element, memory traffic about 0.1 ns a byte and core, a
// launch about 3 us.
#pragma once
#include <cstdint>

#include "target/target.hpp"

namespace tutti::target {

constexpr CpuTuning avx512_tuning{
    .cores = 16,
    .private_bytes = 2 << 20,
    .streaming_bytes = 8 << 20,
    .task_nanoseconds = 30e3,
    .least_task_nanoseconds = 4e3,
    .uneven_tasks = 16,
    .column_step = 64,
    .reduction_columns = 2048,
    .strided_columns = 256,
    .strided_rows = 64,
    .line_columns = 1024,
};

inline constexpr Target avx512{
    .name = "avx512",
    .costs = {.cached_byte = 1, .memory_byte = 5, .launch = 100e3, .cache_bytes = 4 << 20},
    .shares_stencils = false,
    .blocks_rows = true,
    .writes_out_reductions = true,
    .joins_short_rows = true,
    .rerolls_loops = false,
    .interleaves_tuples = false,
    .computes_scattered = true,
    .computes_sections_in_place = true,
    .sinks_reshapes = true,
    .most_consumer_instructions = SIZE_MAX,
    .tuning = avx512_tuning,
};

}  // namespace tutti::target
