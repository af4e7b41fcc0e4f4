// The properties of a machine that the compiler uses, as data: costs of memory, the transformations
// that pay off, tuning of kernels. Each machine is a constant (h200.hpp, avx512.hpp), passed to the
// compiler. Targets are never destroyed: the address of one identifies it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <variant>

#include "target/cpu_tuning.hpp"
#include "target/gpu_tuning.hpp"

namespace tutti::target {

// Costs of memory relative to arithmetic, in units of one addition of one element.
struct CostModel {
  double cached_byte;   // writing a byte and reading it again, within the caches
  double memory_byte;   // the same through main memory
  double launch;        // starting one more kernel
  int64_t cache_bytes;  // beyond this, an array goes through main memory
};

struct Target {
  const char* name;
  CostModel costs;
  // Kernels of stencils share common values of their points, in registers.
  bool shares_stencils;
  // Consecutive maps run row block by row block, within the caches.
  bool blocks_rows;
  // Short reductions are maps, with a result in each lane.
  bool writes_out_reductions;
  // Rows that are shorter than a vector are computed together.
  bool joins_short_rows;
  // Loops that a program has unrolled are rerolled.
  bool rerolls_loops;
  // Tuples that are gathered often are copied interleaved: components of an element are contiguous.
  bool interleaves_tuples;
  // Scatters compute cheap values and indices on the fly, instead of loading them.
  bool computes_scattered;
  // The values of a written section are computed in place where they read only their own elements.
  bool computes_sections_in_place;
  // Reductions over blocks of an image compute their elements, instead of loading a stored image.
  bool sinks_reshapes;
  // The most instructions of a kernel fused into a scan: the registers of a thread are limited.
  size_t most_consumer_instructions;
  std::variant<CpuTuning, GpuTuning> tuning;
};

}  // namespace tutti::target
