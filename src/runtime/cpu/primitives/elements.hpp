// The first input of a primitive that computes it as it goes: a stretch at a time, in the caches.
#pragma once
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/kernel_cache.hpp"

namespace tutti::runtime {

class ElementReader {
 public:
  explicit ElementReader(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        size_(size_of(arguments.step.inputs[0].type)),
        code_(arguments.step.fused ? find_kernel(*arguments.step.elements) : nullptr) {}

  bool in_memory() const { return !code_; }

  // The elements [begin, end): where they lie, or computed into `room`.
  const void* read(int64_t begin, int64_t end, void* room) const {
    if (in_memory()) return arguments_.input<char>(0) + begin * size_;
    const passes::KernelStep& kernel = *arguments_.step.elements;
    std::vector<int64_t> words = arguments_.words();
    words[static_cast<size_t>(kernel.layout.output(0))] =
        reinterpret_cast<int64_t>(room) - begin * size_;
    for (int64_t i = begin; i < end;) {
      const int64_t row = i / kernel.columns, column = i % kernel.columns;
      const int64_t stop = std::min(kernel.columns, column + end - i);
      code_(words.data(), row, row + 1, column, stop);
      i += stop - column;
    }
    return room;
  }

 private:
  const PrimitiveArguments& arguments_;
  const int64_t size_;
  const codegen::Entry code_;  // null: they are in memory
};

}  // namespace tutti::runtime
