// What the compiler knows of a machine, as data: what memory costs on it, which transformations
// pay, how kernels are tuned for it. One constant a machine (h200.hpp, avx512.hpp); the compiler
// names none, it is given one. Targets are never destroyed: the address of one identifies it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <variant>

#include "target/cpu_tuning.hpp"
#include "target/gpu_tuning.hpp"

namespace tutti::target {

// What memory costs beside arithmetic, in units of one addition of one element.
struct CostModel {
  double cached_byte;   // writing a byte and reading it again, within the caches
  double memory_byte;   // the same through main memory
  double launch;        // starting one more kernel
  int64_t cache_bytes;  // beyond this, an array goes through main memory
};

struct Target {
  const char* name;
  CostModel costs;
  // Kernels of stencils share what their points have in common, in registers.
  bool shares_stencils;
  // Maps that follow each other run row block by row block, within the caches.
  bool blocks_rows;
  // Short reductions are maps, with a result in each lane.
  bool writes_out_reductions;
  // Loops that a program has unrolled become loops again.
  bool rerolls_loops;
  // Tuples that are gathered often are copied, with the components of an element together.
  bool interleaves_tuples;
  // Scatters compute cheap values and indices as they go, instead of reading them from memory.
  bool computes_scattered;
  // Instructions of a kernel that may become part of a scan: the registers of a thread are limited.
  size_t most_consumer_instructions;
  std::variant<CpuTuning, GpuTuning> tuning;
};

}  // namespace tutti::target
