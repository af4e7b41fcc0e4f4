// The base of the primitives of a GPU: launches with the arguments of a step, temporary memory, and
// checks of offsets before kernels use them.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/gpu/arguments.hpp"
#include "runtime/gpu/primitives.hpp"
#include "runtime/gpu/segment_map.hpp"

namespace tutti::runtime::gpu {

// The position that check_offsets reads if every offset is valid: two equal words, which fill()
// writes.
constexpr int64_t no_wrong_offset = 0x7fffffff7fffffff;

namespace kernels = tutti::gpu;  // of src/kernels/gpu

// The greatest number of blocks for kernels with a grid-stride loop: more than fill any device.
constexpr int64_t most_blocks = 4096;

// The number of blocks for kernels whose amount of work is not known: enough to fill a device.
constexpr int64_t filling_blocks = 1056;

inline int64_t parts(int64_t count, int64_t each) { return (count + each - 1) / each; }
inline int64_t blocks_for_each(int64_t count) {
  return std::min(parts(count, kernels::block_threads), most_blocks);
}
inline std::string unsigned_name(int bytes) { return "u" + std::to_string(8 * bytes); }

// Device memory during a call. It may be reused as soon as the kernels are launched.
class Temporary {
 public:
  Temporary(DeviceMemory& memory, int64_t bytes)
      : memory_(memory),
        bytes_(static_cast<size_t>(std::max<int64_t>(bytes, 256))),
        address_(memory.take(bytes_)) {}
  ~Temporary() { memory_.give_back(address_, bytes_); }
  Temporary(const Temporary&) = delete;
  int64_t address() const { return static_cast<int64_t>(address_); }

 private:
  DeviceMemory& memory_;
  size_t bytes_;
  uint64_t address_;
};

// A non-negative number that a kernel reports to the host.
class Answer {
 public:
  explicit Answer(DeviceMemory& memory) : memory_(memory), number_(memory.take_answer()) {
    *number_ = none;
  }
  ~Answer() { memory_.give_back_answer(number_); }
  Answer(const Answer&) = delete;
  int64_t address() const { return reinterpret_cast<int64_t>(number_); }
  // Polls for a while, because the answer arrives before the driver notices the end of the kernel
  // (3 us earlier on an H200). Then it waits, which reports errors.
  int64_t get() const {
    memory_.start_kernels();
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::milliseconds(1);
    do {
      const int64_t number = std::atomic_ref(*number_).load(std::memory_order_acquire);
      if (number != none) return number;
    } while (Clock::now() < until);
    memory_.wait_for_kernels();
    return *number_;
  }

 private:
  static constexpr int64_t none = -1;

  DeviceMemory& memory_;
  int64_t* number_;
};

class Launches {
 public:
  Launches(PrimitiveLauncher& launcher, const compiler::PrimitiveStep& step,
           const PrimitiveCall& call)
      : launcher_(launcher), step_(step), call_(call), size_(size_of(step.type)) {}

 protected:
  int64_t elements(size_t input) const { return step_.inputs[input].shape.size(); }
  DeviceMemory& memory() { return launcher_.memory(); }

  // ---- launching

  // The part of the step that a kernel is specialised for.
  enum class Uses : uint8_t { nothing, operation, elements };

  codegen::GpuPrimitive primitive(const std::string& function, Uses uses, int resident = 0,
                                  int threads = kernels::block_threads) const {
    codegen::GpuPrimitive result;
    result.function = function;
    result.threads = threads;
    result.resident = resident;
    if (uses != Uses::nothing) {
      result.type = combined_;
      result.reduction = reduction_;
    }
    if (uses == Uses::elements) {
      result.elements = &step_.elements->kernel;
      result.elements_id = step_.elements->id.get();
    }
    return result;
  }
  template <class Arguments>
  void launch(const codegen::GpuPrimitive& primitive, int64_t blocks, const Arguments& arguments) {
    static_assert(sizeof(Arguments) <= sizeof(int64_t) * codegen::argument_words);
    Words words;
    if (primitive.elements) words = call_.words;
    if (primitive.values)
      words.insert(words.end(), call_.value_words.begin(), call_.value_words.end());
    if (primitive.consumer)
      words.insert(words.end(), call_.consumer_words.begin(), call_.consumer_words.end());
    const size_t before = words.size();
    words.resize(before + codegen::argument_words, 0);
    std::memcpy(words.data() + before, &arguments, sizeof arguments);
    launcher_.launch(primitive, std::max<int64_t>(blocks, 1), words);
  }
  template <class Arguments>
  void launch_for_each(const std::string& function, int64_t count, const Arguments& arguments,
                       Uses uses = Uses::nothing) {
    launch(primitive(function, uses), blocks_for_each(count), arguments);
  }
  void fill(int64_t address, int64_t bytes, uint32_t value) {
    launch_for_each("fill", bytes / 4, kernels::FillArguments{bytes / 4, address, value});
  }
  void copy(int64_t target, int64_t source, int64_t bytes) {
    launch_for_each("copy", bytes, kernels::CopyArguments{bytes, source, target});
  }

  // ---- offsets

  template <class Arguments>
  void set_offsets(Arguments& a, size_t input) const {
    a.offsets = call_.inputs[input];
    a.offset_count = elements(input);
    a.wide_offsets = step_.inputs[input].type == ElementType::i64;
  }

  // Checks offsets. Waits for the result, the first time that an array is used as offsets.
  void check_offsets(size_t input, int64_t count);
  // Returns the segment map. A kernel computes it the first time; the host does not wait.
  ArrayBuffer::MappedSegments mapped_segments(size_t input, int64_t count);
  void segments_of_elements(size_t input, int64_t out, int64_t count);

  int64_t segment_window(int64_t elements, int64_t longest) const;

  PrimitiveLauncher& launcher_;
  const compiler::PrimitiveStep& step_;
  const PrimitiveCall& call_;
  const int size_;
  ElementType combined_ = step_.type;
  Reduction reduction_ = step_.reduction;
};

}  // namespace tutti::runtime::gpu
