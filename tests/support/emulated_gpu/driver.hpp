// The driver of the emulated GPU. Its memory is memory of the host, which begins with garbage. Work
// is done as late as its order allows: when a queue is waited for. So a missing wait, or a missing
// order between the queues, shows as wrong elements. A kernel that goes wrong loses the device, and
// every later call says so.
#pragma once
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/gpu/driver.hpp"
#include "support/emulated_gpu/block_runner.hpp"

namespace tutti::test {

class EmulatedDriver final : public runtime::gpu::Driver {
 public:
  using Status = runtime::gpu::Status;
  using Address = runtime::gpu::Address;
  using Handle = runtime::gpu::Handle;
  using Queue = runtime::gpu::Queue;
  using KernelCall = runtime::gpu::KernelCall;

  // How much memory it has, for tests of a full device.
  void set_memory(size_t bytes) { memory_bytes_ = bytes; }

  void make_current() override {}
  Status allocate(size_t bytes, Address& address) override;
  Status free(Address address) noexcept override;
  Status allocate_pinned(size_t bytes, void*& block) override;
  Status clear(Address address, size_t bytes) override;
  Status copy_to_host(void* target, Address source, size_t bytes, Queue queue) override;
  Status copy_from_host(Address target, const void* source, size_t bytes, Queue queue) override;
  Status wait(Queue queue) override;
  Status order(Queue first, Queue then) override;
  void* stream() const override { return nullptr; }
  std::string assemble(const std::string& code) override { return code; }
  Status load(const std::string& code, Handle& module) override;
  Status find_kernel(Handle module, Handle& function) override;
  void unload(Handle module) noexcept override;
  Status launch(const KernelCall& call) override;
  std::unique_ptr<runtime::gpu::LaunchGraph> make_graph(std::span<const KernelCall> calls) override;
  bool multiply(const compiler::ProductStep&, Address, Address, Address) override { return false; }
  Status make_mark(Handle& mark) override;
  Status set_mark(Handle mark) override;
  bool is_reached(Handle mark) override;
  Status nanoseconds_between(Handle first, Handle last, double& nanoseconds) override;
  std::string describe(Status status) const override;
  bool is_out_of_memory(Status status) const override { return status == out_of_memory; }
  bool is_lost(Status status) const override { return status == lost; }

 private:
  static constexpr Status out_of_memory = 1, lost = 2;

  // Work in order. Counts say how much was given and how much is done.
  struct WorkQueue {
    std::list<std::function<void()>> waiting;
    size_t given = 0, done = 0;
  };
  WorkQueue& of(Queue queue) { return queue == Queue::kernels ? kernels_ : copies_; }
  Status give(Queue queue, std::function<void()> work);
  void do_until(WorkQueue& queue, size_t count);
  void run(Handle function, const schedule::Grid& grid, std::span<const int64_t> words);

  mutable std::recursive_mutex mutex_;
  WorkQueue kernels_, copies_;
  BlockRunner runner_;
  std::string problem_;  // of the kernel that lost the device
  size_t memory_bytes_ = size_t{1} << 30, allocated_ = 0;
  std::vector<std::pair<void*, size_t>> pinned_;
};

}  // namespace tutti::test
