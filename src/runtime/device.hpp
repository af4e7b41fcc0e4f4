// The interface of a device: it holds buffers and runs the steps of a plan on them.
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

// The arrays of a primitive, as the kernels of a device see them, and the source line of the call.
struct PrimitiveCall {
  SmallVector<int64_t> inputs;  // 0 for an input that is computed on the fly
  SmallVector<ir::Buffer*> buffers;
  Words words;                    // of the kernel that computes such inputs, without its output
  Words value_words;              // the same for the values of a pack
  Words consumer_words;           // of the kernel that consumes the results, without these
  int64_t output = 0;             // 0: only the consumer needs the results
  int64_t second_output = 0;      // of fourier_lines: the imaginary part
  ArrayBuffer* target = nullptr;  // the buffer of the output
  // write_section: the section that the values are written to.
  const ir::AffineMap* section = nullptr;
  detail::Location where;
};

// A kernel and all of its arguments.
struct Launch {
  const compiler::KernelStep* step;
  Words words;
};

// Launches that a device has combined into one, to run them repeatedly.
class Repetition {
 public:
  virtual ~Repetition() = default;
  virtual void run() = 0;
};

// During its lifetime, kernels given to run() may wait in order to be started together.
class Gathering {
 public:
  virtual ~Gathering() = default;
  virtual void start() = 0;  // starts the waiting kernels
};

class TUTTI_EXPORT Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;  // "cpu", "cuda:0": a value of TUTTI_DEVICE
  virtual std::string description() const = 0;

  virtual ir::BufferRef allocate(size_t bytes) = 0;
  // Makes a buffer around memory of this device that the caller owns.
  virtual ir::BufferRef wrap(void* memory, size_t bytes) = 0;
  // Does the same for memory that is never written; `owner` is held as long as the buffer exists.
  virtual ir::BufferRef borrow(const void* memory, size_t bytes, std::shared_ptr<const void> owner);
  // Returns the contents on this device, at an address that is valid as long as the buffer exists.
  virtual const void* lend(ir::Buffer& buffer);
  virtual int64_t address(
      ir::Buffer& buffer) = 0;  // for its kernels; transfers the contents to the device
  virtual int64_t overwrite(
      ir::Buffer& buffer) = 0;  // the same, for a buffer that will be overwritten

  // Loads or compiles the code of all kernels of a plan, in parallel.
  virtual void prepare(const compiler::Plan&) {}
  // Loads the libraries that compiling needs. Handlers registered with exit() afterwards run before
  // those of the libraries.
  virtual void start_compiler() {}
  // Returns whether a plan can run without compiling: its code is loaded, or on disk.
  virtual bool has_code(const compiler::Plan&) { return true; }
  // Loads or compiles all code of a new plan, primitives included, while go_on() returns true.
  // Returns whether all of it is loaded.
  virtual bool compile(const compiler::Plan&, const std::function<bool()>&) { return true; }
  // Gathers the kernels of a plan; null if single launches are as good.
  virtual std::unique_ptr<Gathering> gather() { return nullptr; }
  // Runs a kernel. `words` are all of its arguments.
  virtual void run(const compiler::KernelStep& step, const Words& words) = 0;
  // Combines launches; null if single launches are as good. The steps must outlive the result.
  virtual std::unique_ptr<Repetition> repeat(std::span<const Launch>) { return nullptr; }
  virtual void run(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) = 0;
  // Runs a chain, which is planned for CPUs only, with one block of words for each kernel.
  virtual void run(const compiler::ChainStep& step, std::vector<Words> words) = 0;
  // Returns a new buffer with the interleaved elements of several arrays of `bytes` each; for GPUs
  // only. The number of parts of an element is rounded up to a power of two.
  virtual ir::BufferRef interleave(std::span<const int64_t> arrays, size_t bytes,
                                   int element_bytes) = 0;
  // Returns whether the device has code for a primitive. If not, the CPU runs it.
  virtual bool can_run(const compiler::PrimitiveStep& step) const = 0;
  virtual void run(const compiler::PrimitiveStep& step, const PrimitiveCall& call) = 0;
  virtual const target::Target& target() const = 0;  // the target of its plans
  virtual bool is_gpu() const = 0;
  virtual void forget_kernels() = 0;
  virtual void limit_kernels(size_t) {}  // limits the number of loaded kernels; for tests
  virtual void synchronize() {}
  virtual void* stream() { return nullptr; }  // the driver's handle of the queue of its work
};

TUTTI_EXPORT Device& cpu();

// Returns all devices of this machine, the CPU first.
TUTTI_EXPORT const std::vector<Device*>& all_devices();
// Adds a device, before threads use devices: for tests.
void add_device(Device& device);
// Returns the device that evaluations of this thread use.
TUTTI_EXPORT Device& current_device();
TUTTI_EXPORT void use_device(Device* device,
                             bool this_thread_only);  // null with this_thread_only: none
Device* thread_device();
Device& find_device(const std::string& name);  // throws DeviceError with the known names

}  // namespace tutti::runtime
