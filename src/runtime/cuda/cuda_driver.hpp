// The CUDA driver API as the driver of a GPU: one context, one stream for kernels and one for
// copies that overlap with them.
#pragma once
#include "runtime/cuda/driver_table.hpp"
#include "runtime/gpu/driver.hpp"

namespace tutti::runtime::cuda {

class CudaDriver final : public gpu::Driver {
 public:
  explicit CudaDriver(int device);  // a handle of the driver; throws DeviceError

  void make_current() override { use_context(context_); }

  Result allocate(size_t bytes, Address& address) override;
  Result free(Address address) noexcept override;
  Result allocate_pinned(size_t bytes, void*& block) override;
  Result clear(Address address, size_t bytes) override;
  Result copy_to_host(void* target, Address source, size_t bytes, gpu::Queue queue) override;
  Result copy_from_host(Address target, const void* source, size_t bytes,
                        gpu::Queue queue) override;

  Result wait(gpu::Queue queue) override;
  Result order(gpu::Queue first, gpu::Queue then) override;
  void* stream() const override { return kernels_.stream; }

  void start_assembler() override;
  std::string assemble(const std::string& ptx) override;
  Result load(const std::string& cubin, Handle& module) override;
  Result find_kernel(Handle module, Handle& function) override;
  void unload(Handle module) noexcept override;

  Result launch(const gpu::KernelCall& call) override;
  std::unique_ptr<gpu::LaunchGraph> make_graph(std::span<const gpu::KernelCall> calls) override;
  bool multiply(const compiler::ProductStep& step, Address a, Address b, Address c) override;

  Result make_mark(Handle& mark) override;
  Result set_mark(Handle mark) override;
  bool is_reached(Handle mark) override;
  Result nanoseconds_between(Handle first, Handle last, double& nanoseconds) override;

  std::string describe(Result result) const override { return cuda::describe(result); }
  bool is_out_of_memory(Result result) const override { return result == out_of_memory; }
  bool is_lost(Result result) const override;

 private:
  std::string link(const std::string& ptx);

  struct Ordered {
    Handle stream = nullptr;
    Handle done = nullptr;  // an event: all work that the stream was given before
  };
  const Ordered& of(gpu::Queue queue) const {
    return queue == gpu::Queue::kernels ? kernels_ : copies_;
  }

  const DriverTable& cu_;
  Handle context_ = nullptr;
  Ordered kernels_, copies_;
};

}  // namespace tutti::runtime::cuda
