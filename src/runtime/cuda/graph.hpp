// Kernels that follow each other as one CUDA graph: starting it costs one launch, and between its
// kernels the device does not wait for the host.
#pragma once
#include <span>
#include <vector>

#include "runtime/cuda/grid.hpp"
#include "runtime/cuda/launch_log.hpp"
#include "runtime/device.hpp"

namespace tutti::runtime::cuda {

struct GraphKernel {
  Handle function;
  Grid grid;
  std::span<const int64_t> words;
  LaunchLog::Name name;
};

class Graph final : public Repetition {
 public:
  // The context is current.
  Graph(Handle context, Handle stream, LaunchLog& log, std::span<const GraphKernel> kernels);
  ~Graph() override;
  void run() override;

 private:
  static Result add(Handle graph, Handle& last, const GraphKernel& kernel);

  Handle context_, stream_, executable_ = nullptr;
  LaunchLog& log_;
  std::vector<LaunchLog::Name> names_;
};

}  // namespace tutti::runtime::cuda
