// The interface between gpu_compare and the hand-written CUDA programs. Those are a shared library,
// which nvcc builds if it is found (scripts/gpu_suite) and gpu_compare loads at run time. So both
// sides run in turns in one process, on the same inputs, and all elements are compared. Plain C++17
// without library types: the two sides come from different compilers.
#pragma once
#include "bench/harness/host_array.hpp"

namespace tutti::bench::cuda {

// The arrays of one benchmark. Images and matrices are square, so that their side follows from the
// bytes.
struct Problem {
  const HostArray* inputs;
  int input_count;
  const HostArray* outputs;
  int output_count;
};

// One program with its arrays on the device.
class Baseline {
 public:
  virtual ~Baseline() = default;
  virtual void launch() = 0;              // asks the device and does not wait
  virtual void wait() = 0;                // until everything asked for has been done
  virtual void fetch() = 0;               // copies the results to the outputs of the problem
  virtual const char* error() const = 0;  // what the device complained about; null if nothing
};

// What the library exports, under these names.
constexpr const char* list_symbol = "tutti_cuda_baseline_names";
constexpr const char* make_symbol = "tutti_cuda_make_baseline";

// All names, ended by null: that of a benchmark, or "benchmark/library" for a second opinion.
using ListBaselines = const char* const* (*)();
using MakeBaseline = Baseline* (*)(const char* name, const Problem* problem);

}  // namespace tutti::bench::cuda
