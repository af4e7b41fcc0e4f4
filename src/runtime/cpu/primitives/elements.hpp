// Inputs of a primitive that are computed on the fly, and the kernel that consumes its results: one
// range at a time, in the caches.
#pragma once
#include <algorithm>
#include <array>
#include <memory>

#include "compiler/plan/words_in_place.hpp"
#include "graph/section_box.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {

// Runs a kernel on the elements [begin, end) of its domain, in row-major order.
inline void run_stretch(const compiler::KernelStep& kernel, const PinnedCode& code,
                        const int64_t* words, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end;) {
    const int64_t row = i / kernel.columns, column = i % kernel.columns;
    const int64_t stop = std::min(kernel.columns, column + end - i);
    code(words, row, row + 1, column, stop);
    i += stop - column;
  }
}

// A copy of a kernel's arguments. A usual number of them needs no memory of the heap, so that a
// section that is computed in place cannot fail when a part of it has been overwritten.
class CopiedWords {
 public:
  explicit CopiedWords(const Words& words) {
    if (words.size() <= compiler::most_words_in_place)
      words_ = here_.data();
    else
      words_ = (many_ = std::make_unique_for_overwrite<int64_t[]>(words.size())).get();
    std::copy(words.begin(), words.end(), words_);
  }
  int64_t& operator[](int word) { return words_[word]; }
  const int64_t* data() const { return words_; }

 private:
  std::array<int64_t, compiler::most_words_in_place> here_;
  std::unique_ptr<int64_t[]> many_;
  int64_t* words_;
};

class ElementReader {
 public:
  explicit ElementReader(const PrimitiveArguments& arguments)
      : ElementReader(arguments, 0, arguments.step.fused ? arguments.step.elements.get() : nullptr,
                      arguments.words()) {}
  static ElementReader of_values(const PrimitiveArguments& arguments) {
    return {arguments, 1, arguments.step.values.get(), arguments.value_words()};
  }

  bool in_memory() const { return !kernel_; }
  // Returns an estimate for the computation of all elements.
  double nanoseconds() const { return kernel_ ? kernel_->nanoseconds : 0; }

  // Returns whether the kernel computes rows of a section, which are contiguous in its array.
  bool has_rows_of(const ir::SectionBox& box) const {
    return kernel_ && box.rank > 1 && kernel_->columns == box.run() &&
           compiler::ArgumentLayout::has_output_strides(kernel_->kernel);
  }
  // Computes the elements [begin, end) where they belong in the array of the section.
  void write_rows(const ir::SectionBox& box, int64_t begin, int64_t end, void* array) const {
    const int64_t columns = kernel_->columns;
    const auto above = static_cast<size_t>(box.rank - 2);
    CopiedWords words(words_);
    words[kernel_->layout.output_stride(0)] = box.strides[above];
    for (int64_t i = begin; i < end;) {
      const int64_t row = i / columns, column = i % columns;
      int64_t last = row + 1;  // whole rows of one plane, or a part of a row
      if (column == 0 && end - i >= columns)
        last = std::min(end / columns, (row / box.extents[above] + 1) * box.extents[above]);
      const int64_t stop = last > row + 1 ? columns : std::min(columns, column + end - i);
      const int64_t first = box.element(row * columns) - row * box.strides[above];
      words[kernel_->layout.output(0)] = reinterpret_cast<int64_t>(array) + first * size_;
      code_(words.data(), row, last, column, stop);
      i = (last - 1) * columns + stop;
    }
  }

  // Returns the elements [begin, end): their address in memory, or `room` after computing them.
  const void* read(int64_t begin, int64_t end, void* room) const {
    if (in_memory()) return elements_ + begin * size_;
    CopiedWords words(words_);
    words[kernel_->layout.output(0)] = reinterpret_cast<int64_t>(room) - begin * size_;
    run_stretch(*kernel_, code_, words.data(), begin, end);
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
    CopiedWords words(arguments_.consumer_words());
    words[kernel_->layout.source(arguments_.step.consumed())] =
        reinterpret_cast<int64_t>(results) - begin * size_of(arguments_.step.type);
    run_stretch(*kernel_, code_, words.data(), begin, end);
  }

 private:
  const PrimitiveArguments& arguments_;
  const compiler::KernelStep* kernel_;
  const PinnedCode code_;
};

}  // namespace tutti::runtime
