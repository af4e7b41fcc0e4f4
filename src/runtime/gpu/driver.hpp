// What a GPU's driver must offer to the runtime: memory, copies, code, launches and their order.
// One implementation a family of GPUs, one object a device; it lives as long as the process.
// Calls that start something give the driver's status, since failures of kernels appear at any
// later call and are reported with the names of the kernels (launch_log.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "compiler/plan/plan.hpp"
#include "compiler/schedule/gpu_schedule.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::gpu {

using Status = int;        // 0: success; else the driver's own number
using Address = uint64_t;  // in device memory
using Handle = void*;      // of a module, a function

constexpr Status success = 0;

// A kernel and its arguments, complete.
struct KernelCall {
  Handle function = nullptr;
  schedule::Grid grid;
  std::span<const int64_t> words;
};

// Kernels that follow each other as one: starting it costs the driver little more than one launch,
// and between its kernels the device does not wait for the host.
class LaunchGraph {
 public:
  virtual ~LaunchGraph() = default;
  // Other calls of the same functions, for the launches that follow.
  virtual Status replace(std::span<const KernelCall> calls) = 0;
  virtual Status launch() = 0;
};

// Work of one queue is done in order. Kernels have one, and everything that belongs between them.
// The other is for copies that overlap with kernels.
enum class Queue : uint8_t { kernels, copies };

class Driver {
 public:
  virtual ~Driver() = default;

  // The calls of this thread are for this device from now on. Throws DeviceError.
  virtual void make_current() = 0;

  // ---- memory; addresses are multiples of 256

  virtual Status allocate(size_t bytes, Address& address) = 0;
  virtual Status free(Address address) noexcept = 0;
  // Memory of the host that kernels may write, at the same address; it is never freed.
  virtual Status allocate_pinned(size_t bytes, void*& block) = 0;
  virtual Status clear(Address address, size_t bytes) = 0;  // whole words, in order of kernels
  virtual Status copy_to_host(void* target, Address source, size_t bytes, Queue queue) = 0;
  // Has read the source when it returns, unless that is pinned.
  virtual Status copy_from_host(Address target, const void* source, size_t bytes, Queue queue) = 0;

  // ---- order

  virtual Status wait(Queue queue) = 0;
  // What is given to `then` from now on starts after all that `first` was given until now.
  virtual Status order(Queue first, Queue then) = 0;
  virtual void* stream() const = 0;  // the queue of kernels, as users of the driver know it

  // ---- code

  virtual void start_assembler() {}  // loads it, if that is a library of its own
  // From what the device's compiler gives to what load() takes; kept in the disk cache. Throws
  // CompileError.
  virtual std::string assemble(const std::string& code) = 0;
  virtual Status load(const std::string& assembled, Handle& module) = 0;
  virtual Status find_kernel(Handle module, Handle& function) = 0;
  virtual void unload(Handle module) noexcept = 0;

  // ---- launches, in the queue of kernels

  virtual Status launch(const KernelCall& call) = 0;
  virtual std::unique_ptr<LaunchGraph> make_graph(
      std::span<const KernelCall> calls) = 0;  // throws DeviceError
  // A product by a library of the vendor; false where there is none, or it does not take this one.
  virtual bool multiply(const compiler::ProductStep& step, Address a, Address b, Address c) = 0;

  // ---- times

  // A mark is reached when all that the queue of kernels was given before has ended.
  virtual Status make_mark(Handle& mark) = 0;
  virtual Status set_mark(Handle mark) = 0;
  virtual bool is_reached(Handle mark) = 0;
  virtual Status nanoseconds_between(Handle first, Handle last, double& nanoseconds) = 0;

  // ---- errors

  virtual std::string describe(Status status) const = 0;
  virtual bool is_out_of_memory(Status status) const = 0;
  virtual bool is_lost(Status status) const = 0;  // every later call fails as well

  // Throws DeviceError naming what was tried.
  void check(Status status, const char* what) const {
    if (status != success) throw DeviceError(std::string(what) + ": " + describe(status));
  }
};

}  // namespace tutti::runtime::gpu
