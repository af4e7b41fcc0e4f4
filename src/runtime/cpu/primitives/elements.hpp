// Inputs of a primitive that are computed on the fly, and the kernel that consumes its results: one
// range at a time, in the caches.
#pragma once
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {

// Runs a kernel on the elements [begin, end) of its domain, in row-major order.
inline void run_stretch(const compiler::KernelStep& kernel, const PinnedCode& code,
                        const Words& words, int64_t begin, int64_t end) {
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
      : ElementReader(arguments, 0, arguments.step.fused ? arguments.step.elements.get() : nullptr,
                      arguments.words()) {}
  static ElementReader of_values(const PrimitiveArguments& arguments) {
    return {arguments, 1, arguments.step.values.get(), arguments.value_words()};
  }

  bool in_memory() const { return !kernel_; }

  // Returns the elements [begin, end): their address in memory, or `room` after computing them.
  const void* read(int64_t begin, int64_t end, void* room) const {
    if (in_memory()) return elements_ + begin * size_;
    Words words = words_;
    words[static_cast<size_t>(kernel_->layout.output(0))] =
        reinterpret_cast<int64_t>(room) - begin * size_;
    run_stretch(*kernel_, code_, words, begin, end);
    return room;
  }

 private:
  ElementReader(const PrimitiveArguments& arguments, size_t input,
                const compiler::KernelStep* kernel, const Words& words)
      : elements_(arguments.input<char>(input)),
        size_(size_of(arguments.step.inputs[input].type)),
        kernel_(kernel),
        words_(words),
        code_(kernel ? find_kernel(*kernel) : PinnedCode()) {}

  const char* elements_;
  const int64_t size_;
  const compiler::KernelStep* kernel_;  // null: they are in memory
  const Words& words_;
  const PinnedCode code_;
};

class ResultConsumer {
 public:
  explicit ResultConsumer(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        kernel_(arguments.step.consumer.get()),
        code_(kernel_ ? find_kernel(*kernel_) : PinnedCode()) {}

  // Consumes the results [begin, end) at their current address. Does nothing without a consumer.
  void take(int64_t begin, int64_t end, const void* results) const {
    if (!kernel_) return;
    Words words = arguments_.consumer_words();
    words[static_cast<size_t>(kernel_->layout.source(arguments_.step.consumed()))] =
        reinterpret_cast<int64_t>(results) - begin * size_of(arguments_.step.type);
    run_stretch(*kernel_, code_, words, begin, end);
  }

 private:
  const PrimitiveArguments& arguments_;
  const compiler::KernelStep* kernel_;
  const PinnedCode code_;
};

}  // namespace tutti::runtime
