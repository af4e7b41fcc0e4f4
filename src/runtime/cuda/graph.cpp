#include "runtime/cuda/graph.hpp"

#include "core/statistics.hpp"

namespace tutti::runtime::cuda {

Graph::Graph(Handle context, Handle stream, LaunchLog& log, std::span<const GraphKernel> kernels)
    : context_(context), stream_(stream), log_(log) {
  Handle graph = nullptr;
  check(driver()->GraphCreate(&graph, 0), "making a graph of kernels");
  Result result = success;
  Handle last = nullptr;
  for (const GraphKernel& kernel : kernels) {
    if (result != success) break;
    result = add(graph, last, kernel);
    names_.push_back(kernel.name);
  }
  if (result == success) result = driver()->GraphInstantiateWithFlags(&executable_, graph, 0);
  driver()->GraphDestroy(graph);
  check(result, "making a graph of kernels");
}

Result Graph::add(Handle graph, Handle& last, const GraphKernel& kernel) {
  size_t bytes = kernel.words.size_bytes();
  void* extra[] = {reinterpret_cast<void*>(1), const_cast<int64_t*>(kernel.words.data()),
                   reinterpret_cast<void*>(2), &bytes, nullptr};
  const KernelNode node{kernel.function,
                        kernel.grid.x,
                        kernel.grid.y,
                        1,
                        kernel.grid.threads_x,
                        kernel.grid.threads_y,
                        1,
                        0,
                        nullptr,
                        extra};
  const Handle before = last;
  return driver()->GraphAddKernelNode(&last, graph, &before, before ? 1 : 0, &node);
}

Graph::~Graph() {
  if (!executable_) return;
  use_context(context_);
  driver()->GraphExecDestroy(executable_);  // after it has run, if it is running
}

void Graph::run() {
  use_context(context_);
  for (const LaunchLog::Name& name : names_) log_.note(name);
  counters().kernel_launches += static_cast<int64_t>(names_.size());
  log_.check(driver()->GraphLaunch(executable_, stream_), "starting a graph of kernels");
}

}  // namespace tutti::runtime::cuda
