// The first input of a primitive that computes it as it goes, and the kernel that takes its
// results: a stretch at a time, in the caches.
#pragma once
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/kernel_cache.hpp"

namespace tutti::runtime {

// The elements [begin, end) of a kernel's domain, in row-major order.
inline void run_stretch(const passes::KernelStep& kernel, codegen::Entry code,
                        const std::vector<int64_t>& words, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end;) {
    const int64_t row = i / kernel.columns, column = i % kernel.columns;
    const int64_t stop = std::min(kernel.columns, column + end - i);
    code(words.data(), row, row + 1, column, stop);
    i += stop - column;
  }
}

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
    run_stretch(kernel, code_, words, begin, end);
    return room;
  }

 private:
  const PrimitiveArguments& arguments_;
  const int64_t size_;
  const codegen::Entry code_;  // null: they are in memory
};

class ResultConsumer {
 public:
  explicit ResultConsumer(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        kernel_(arguments.step.consumer.get()),
        code_(kernel_ ? find_kernel(*kernel_) : nullptr) {}

  // The results [begin, end), where they lie now. Without a consumer nothing happens.
  void take(int64_t begin, int64_t end, const void* results) const {
    if (!kernel_) return;
    std::vector<int64_t> words = arguments_.consumer_words();
    words[static_cast<size_t>(kernel_->layout.source(arguments_.step.consumed()))] =
        reinterpret_cast<int64_t>(results) - begin * size_of(arguments_.step.type);
    run_stretch(*kernel_, code_, words, begin, end);
  }

 private:
  const PrimitiveArguments& arguments_;
  const passes::KernelStep* kernel_;
  const codegen::Entry code_;
};

}  // namespace tutti::runtime
