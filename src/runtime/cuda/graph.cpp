#include "runtime/cuda/graph.hpp"

#include "runtime/cuda/driver_stack.hpp"

namespace tutti::runtime::cuda {
namespace {

// A call in the form that the driver takes.
struct Description {
  explicit Description(const KernelCall& call)
      : bytes(call.words.size_bytes()),
        extra{reinterpret_cast<void*>(1), const_cast<int64_t*>(call.words.data()),
              reinterpret_cast<void*>(2), &bytes, nullptr},
        node{call.function,       call.grid.x, call.grid.y, 1,       call.grid.threads_x,
             call.grid.threads_y, 1,           0,           nullptr, extra} {}
  Description(const Description&) = delete;

  size_t bytes;
  void* extra[5];
  KernelNode node;
};

}  // namespace

Graph::Graph(Handle context, Handle stream, std::span<const KernelCall> calls)
    : context_(context), stream_(stream) {
  nodes_.reserve(calls.size());  // after this only the driver can fail
  Result result = driver()->GraphCreate(&graph_, 0);
  for (const KernelCall& call : calls)
    if (result == success) result = add(call);
  if (result == success) result = driver()->GraphInstantiateWithFlags(&executable_, graph_, 0);
  if (result != success) destroy();
  check(result, "making a graph of kernels");
}

Graph::~Graph() {
  if (try_use_context(context_) == success) destroy();  // otherwise the device and it are lost
}

// The driver defers it until a running graph has ended.
void Graph::destroy() {
  if (executable_) driver()->GraphExecDestroy(executable_);
  if (graph_) driver()->GraphDestroy(graph_);
}

Result Graph::add(const KernelCall& call) {
  const Description description(call);
  const bool first = nodes_.empty();
  const Handle before = first ? nullptr : nodes_.back();
  return driver()->GraphAddKernelNode(&nodes_.emplace_back(), graph_, first ? nullptr : &before,
                                      first ? 0 : 1, &description.node);
}

Result Graph::replace(std::span<const KernelCall> calls) {
  return on_driver_stack(context_, [&] {
    Result result = success;
    for (size_t i = 0; i < calls.size() && result == success; ++i) {
      const Description description(calls[i]);
      result = driver()->GraphExecKernelNodeSetParams(executable_, nodes_[i], &description.node);
    }
    return result;
  });
}

Result Graph::launch() {
  return on_driver_stack(context_, [&] { return driver()->GraphLaunch(executable_, stream_); });
}

}  // namespace tutti::runtime::cuda
