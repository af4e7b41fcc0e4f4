// The values and indices of a scatter, one range of values at a time. Inputs that are not in memory
// are computed by the kernel of the step into scratch memory in the first-level cache. Indices of
// several axes become places: row-major indices of the base.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "runtime/cpu/primitives/elements.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {

// The values [first, last) and their places. Both arrays are indexed by the number of the value. A
// place outside of the base is negative or too large.
template <class T, class P>
struct Stretch {
  int64_t first, last;
  const T* values;
  const P* places;
};

// T is the type of the values, P the type of the indices if the base has one axis, else int64_t.
template <class T, class P>
class Scattered {
 public:
  static constexpr int64_t stretch = 2048;  // 16 KB of 4-byte values with their indices

  explicit Scattered(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        kernel_(arguments.step.elements.get()),
        code_(kernel_ ? find_kernel(*kernel_) : PinnedCode()) {}

  int64_t count() const { return arguments_.elements(1); }

  // Returns the value if all values are one scalar argument.
  std::optional<T> constant_value() const {
    const int at = instruction_of(1);
    if (at < 0 || code(at).kind != compiler::Instruction::Kind::constant) return std::nullopt;
    const int64_t word = arguments_.words()[static_cast<size_t>(kernel_->layout.scalar(at))];
    T value;
    std::memcpy(&value, &word, sizeof(T));
    return value;
  }

  // Returns whether indices of one axis are below `places` because of their type: bytes, for
  // example, that were converted to int32.
  bool stay_below(int64_t places) const {
    if (!is_flat()) return false;
    for (int at = instruction_of(2); at >= 0; at = code(at).inputs[0]) {
      const ElementType type = code(at).type;
      if (type == ElementType::b8) return places > 1;
      if (type == ElementType::u8) return places > UINT8_MAX;
      if (type == ElementType::u16) return places > UINT16_MAX;
      const bool holds_them = type == ElementType::i32 || type == ElementType::i64;
      if (!holds_them || code(at).kind != compiler::Instruction::Kind::cast) return false;
    }
    return false;
  }

  // Returns the indices if they are bytes in memory that were converted, and all below `places`;
  // else null. They need not be converted.
  const uint8_t* bytes_below(int64_t places) const {
    int at = instruction_of(2);
    if (at < 0 || !stay_below(places) || kernel_->kernel.domain.rank != 1) return nullptr;
    while (code(at).kind == compiler::Instruction::Kind::cast &&
           (code(at).type == ElementType::i32 || code(at).type == ElementType::i64))
      at = code(at).inputs[0];
    if (code(at).kind != compiler::Instruction::Kind::load || code(at).type != ElementType::u8)
      return nullptr;
    const compiler::Kernel& kernel = kernel_->kernel;
    const compiler::Load& load = kernel.loads[static_cast<size_t>(code(at).slot)];
    const compiler::Source& source = kernel.sources[static_cast<size_t>(load.source)];
    const bool in_order = load.axes.size() == 1 && source.parts == 1 &&
                          source.shape.size() == count() &&
                          kernel.indices[static_cast<size_t>(load.axes[0].index)].kind ==
                              compiler::IndexExpr::Kind::dim;
    if (!in_order) return nullptr;
    return reinterpret_cast<const uint8_t*>(
        arguments_.words()[static_cast<size_t>(kernel_->layout.source(load.source))]);
  }

  // Calls f(stretch) for all of [begin, end), in order, or with the ranges in reverse order. A
  // constant value need not be stored for each index: without_values leaves it out if possible.
  template <bool backwards = false, bool without_values = false, class F>
  void for_each_stretch(int64_t begin, int64_t end, F f) const {
    if (begin >= end) return;
    const bool in_memory = !kernel_ || (without_values && arguments_.step.inputs[2].id >= 0);
    if (in_memory && is_flat())
      return f(Stretch<T, P>{begin, end, arguments_.template input<T>(1),
                             arguments_.template input<P>(2)});
    const Scratch scratch(*this);
    for (int64_t done = 0; done < end - begin; done += stretch) {
      const int64_t length = std::min(stretch, end - begin - done);
      const int64_t first = backwards ? end - done - length : begin + done;
      f(scratch.read(first, first + length));
    }
  }

 private:
  bool is_flat() const { return arguments_.step.shape.rank == 1; }

  const compiler::Instruction& code(int at) const {
    return kernel_->kernel.code[static_cast<size_t>(at)];
  }

  // Returns the instruction of the kernel that computes an input, or -1.
  int instruction_of(size_t input) const {
    const auto& inputs = arguments_.step.inputs;
    if (!kernel_ || inputs[input].id >= 0) return -1;
    const auto before =
        std::count_if(inputs.begin() + 1, inputs.begin() + static_cast<std::ptrdiff_t>(input),
                      [](const compiler::Source& other) { return other.id < 0; });
    return kernel_->kernel.outputs[static_cast<size_t>(before)].instruction;
  }

  // The memory in which one thread computes inputs and places.
  class Scratch {
   public:
    explicit Scratch(const Scattered& of)
        : of_(of),
          memory_(allocate(static_cast<size_t>(stretch * (bytes_of_inputs() + 8)))),
          words_(of.kernel_ ? of.arguments_.words() : Words()) {}

    Stretch<T, P> read(int64_t first, int64_t last) const {
      std::array<const char*, max_rank + 2> inputs{};
      const auto& step = of_.arguments_.step;
      Words words = words_;
      char* room = static_cast<char*>(memory_->data()) + stretch * 8;
      int output = 0;
      for (size_t k = 1; k < step.inputs.size(); ++k) {
        const int64_t size = size_of(step.inputs[k].type);
        if (step.inputs[k].id >= 0) {
          inputs[k] = of_.arguments_.template input<char>(k);
          continue;
        }
        inputs[k] = room - first * size;
        words[static_cast<size_t>(of_.kernel_->layout.output(output++))] =
            reinterpret_cast<int64_t>(inputs[k]);
        room += stretch * size;
      }
      if (of_.kernel_) run_stretch(*of_.kernel_, of_.code_, words.data(), first, last);
      const auto* values = reinterpret_cast<const T*>(inputs[1]);
      if (of_.is_flat()) return {first, last, values, reinterpret_cast<const P*>(inputs[2])};
      auto* places = reinterpret_cast<P*>(static_cast<char*>(memory_->data()) - first * 8);
      if (step.inputs[2].type == ElementType::i64)
        find_places<int64_t>(inputs, first, last, places);
      else
        find_places<int32_t>(inputs, first, last, places);
      return {first, last, values, places};
    }

   private:
    int64_t bytes_of_inputs() const {
      int64_t bytes = 0;
      for (const compiler::Source& input : of_.arguments_.step.inputs) bytes += size_of(input.type);
      return bytes;
    }

    template <class I>
    void find_places(const std::array<const char*, max_rank + 2>& inputs, int64_t first,
                     int64_t last, P* places) const {
      const compiler::Extents& shape = of_.arguments_.step.shape;
      for (int64_t i = first; i < last; ++i) {
        uint64_t place = 0;
        bool inside = true;
        for (int axis = 0; axis < shape.rank; ++axis) {
          const int64_t at = reinterpret_cast<const I*>(inputs[static_cast<size_t>(axis) + 2])[i];
          inside = inside && at >= 0 && at < shape[axis];
          place = place * static_cast<uint64_t>(shape[axis]) + static_cast<uint64_t>(at);
        }
        places[i] = inside ? static_cast<P>(place) : P{-1};
      }
    }

    const Scattered& of_;
    const ir::BufferRef memory_;
    const Words words_;
  };

  const PrimitiveArguments& arguments_;
  const compiler::KernelStep* kernel_;  // null: all inputs are in memory
  const PinnedCode code_;
};

}  // namespace tutti::runtime
