// Consecutive kernels as one CUDA graph.
#pragma once
#include <span>
#include <vector>

#include "runtime/cuda/driver_table.hpp"
#include "runtime/gpu/driver.hpp"

namespace tutti::runtime::cuda {

using gpu::KernelCall;

class Graph final : public gpu::LaunchGraph {
 public:
  // Requires that the context is current.
  Graph(Handle context, Handle stream, std::span<const KernelCall> calls);
  ~Graph() override;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Result replace(std::span<const KernelCall> calls) override;
  Result launch() override;

 private:
  Result add(const KernelCall& call);
  void destroy();

  const Handle context_, stream_;
  Handle graph_ = nullptr, executable_ = nullptr;
  std::vector<Handle> nodes_;
};

}  // namespace tutti::runtime::cuda
