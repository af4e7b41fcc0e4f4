// What a device can do: hold buffers and run the steps of a plan on them.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/plan/plan.hpp"
#include "core/block_pool.hpp"
#include "graph/segment_offsets.hpp"
#include "runtime/memory/buffer.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

using Words = SmallVector<int64_t>;  // the arguments of a kernel

// The arrays of a primitive as the kernels of a device see them, and where the user wrote it.
struct PrimitiveCall {
  SmallVector<int64_t> inputs;  // 0 for an input that is computed as the primitive goes
  SmallVector<ir::Buffer*> buffers;
  Words words;                    // of the kernel that does that, but for its output
  Words value_words;              // the same for the values of a pack
  Words consumer_words;           // of the kernel that takes the results, but for those
  int64_t output = 0;             // 0: it alone needs them
  ArrayBuffer* target = nullptr;  // what the output is in
  // write_section: where the values go.
  const ir::AffineMap* section = nullptr;
  detail::Location where;
};

// A kernel and its arguments, complete.
struct Launch {
  const compiler::KernelStep* step;
  Words words;
};

// Launches that a device has made one of, to run them again and again.
class Repetition {
 public:
  virtual ~Repetition() = default;
  virtual void run() = 0;
};

// While it lives, kernels that run() was given may wait, to be started together.
class Gathering {
 public:
  virtual ~Gathering() = default;
  virtual void start() = 0;  // those that wait
};

class TUTTI_EXPORT Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;  // "cpu", "cuda:0": what TUTTI_DEVICE takes
  virtual std::string description() const = 0;

  virtual ir::BufferRef allocate(size_t bytes) = 0;
  // A buffer around memory of this device that the caller owns.
  virtual ir::BufferRef wrap(void* memory, size_t bytes) = 0;
  // The same for memory that is never written; `owner` is held as long as the buffer.
  virtual ir::BufferRef borrow(const void* memory, size_t bytes, std::shared_ptr<const void> owner);
  // The contents on this device, at an address that stays valid as long as the buffer.
  virtual const void* lend(ir::Buffer& buffer);
  virtual int64_t address(
      ir::Buffer& buffer) = 0;  // as its kernels see it; brings the contents there
  virtual int64_t overwrite(
      ir::Buffer& buffer) = 0;  // the same, for a buffer that will be written over

  // Gets the code of all kernels of a plan ready, together rather than one by one.
  virtual void prepare(const compiler::Plan&) {}
  // Loads what compiling needs. What is registered with exit() afterwards runs before that ends.
  virtual void start_compiler() {}
  // Whether a plan could run without compiling: its code is loaded, or on disk.
  virtual bool has_code(const compiler::Plan&) { return true; }
  // Gets all code of a new plan ready, primitives included, as long as go_on() says so. Returns
  // whether all of it is.
  virtual bool compile(const compiler::Plan&, const std::function<bool()>&) { return true; }
  // For the kernels of a plan; null where nothing is better than one launch after the other.
  virtual std::unique_ptr<Gathering> gather() { return nullptr; }
  // `words` are the arguments of the step, complete.
  virtual void run(const compiler::KernelStep& step, const Words& words) = 0;
  // Null where nothing is better than one launch after the other. The steps must outlive it.
  virtual std::unique_ptr<Repetition> repeat(std::span<const Launch>) { return nullptr; }
  virtual void run(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) = 0;
  // Chains are planned for CPUs only. One block of words for each kernel.
  virtual void run(const compiler::ChainStep& step, std::vector<Words> words) = 0;
  // A new buffer with the interleaved elements of several arrays of `bytes` each; for GPUs only. An
  // element has as many parts as the next power of two.
  virtual ir::BufferRef interleave(std::span<const int64_t> arrays, size_t bytes,
                                   int element_bytes) = 0;
  // A device that has no code for a primitive leaves it to the CPU.
  virtual bool can_run(const compiler::PrimitiveStep& step) const = 0;
  virtual void run(const compiler::PrimitiveStep& step, const PrimitiveCall& call) = 0;
  virtual const target::Target& target() const = 0;  // what plans for it are made for
  virtual bool is_gpu() const = 0;
  virtual void forget_kernels() = 0;
  virtual void limit_kernels(size_t) {}  // the most that stay loaded; for tests
  virtual void synchronize() {}
  virtual void* stream() { return nullptr; }  // what orders its work, as its driver knows it
};

TUTTI_EXPORT Device& cpu();

// All devices of this machine, the CPU first.
TUTTI_EXPORT const std::vector<Device*>& all_devices();
// Adds one that was not found, before threads use devices: for tests of a device.
void add_device(Device& device);
// The one that evaluations of this thread use.
TUTTI_EXPORT Device& current_device();
TUTTI_EXPORT void use_device(Device* device,
                             bool this_thread_only);  // null with this_thread_only: no longer
Device* thread_device();
Device& find_device(const std::string& name);  // throws DeviceError with the names there are

}  // namespace tutti::runtime
