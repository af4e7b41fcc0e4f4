// CPUs: taken from timings on two cores with AVX-512 in November 2026. Others are taken for it.
#pragma once
#include "target/cpu_tuning.hpp"

namespace tutti::target {

constexpr CpuTuning avx512_tuning{
    .task_nanoseconds = 30e3,
    .uneven_tasks = 16,
    .column_step = 64,
    .reduction_columns = 2048,
    .strided_columns = 256,
    .strided_rows = 64,
};

}  // namespace tutti::target
