// Kernels that follow each other as one CUDA graph: starting it costs the driver little more than
// one launch, and between its kernels the device does not wait for the host.
#pragma once
#include <span>
#include <vector>

#include "compiler/schedule/gpu_schedule.hpp"
#include "runtime/cuda/driver.hpp"

namespace tutti::runtime::cuda {

// A kernel and its arguments, complete.
struct KernelCall {
  Handle function = nullptr;
  schedule::Grid grid;
  std::span<const int64_t> words;
};

class Graph {
 public:
  // The context is current.
  Graph(Handle context, std::span<const KernelCall> calls);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Other calls of the same functions, for the runs that follow.
  Result replace(std::span<const KernelCall> calls);
  Result launch(Handle stream) { return driver()->GraphLaunch(executable_, stream); }

 private:
  Result add(const KernelCall& call);
  void destroy();

  Handle context_, graph_ = nullptr, executable_ = nullptr;
  std::vector<Handle> nodes_;
};

}  // namespace tutti::runtime::cuda
