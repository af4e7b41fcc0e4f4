// Stores values in a section of an array, computed on the fly. Rows of a section, and runs of
// values that are neighbours in the array, are computed where they belong; others are computed into
// a block in the cache.
#include <algorithm>
#include <cstring>

#include "graph/section_box.hpp"
#include "runtime/cpu/primitives/elements.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/split_tasks.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t copy_task = 1 << 20;    // bytes
constexpr int64_t values_task = 1 << 14;  // the most values of a task
constexpr int64_t block_bytes = 1 << 12;  // computed before they are stored one by one
// A kernel is started for runs of at least this many values: a start costs as much as a few of
// them.
constexpr int64_t run_worth_kernel = 32;

// Calls f(element, i, count) for pieces of the values [begin, end): `count` values from i on, whose
// elements are the inner stride apart.
template <class F>
void for_each_piece(const ir::SectionBox& box, int64_t begin, int64_t end, F f) {
  const int64_t row = box.extents[static_cast<size_t>(box.rank - 1)];
  for (int64_t i = begin; i < end;) {
    const int64_t count = std::min(end - i, row - i % row);
    f(box.element(i), i, count);
    i += count;
  }
}

template <class T>
class SectionWriter {
 public:
  explicit SectionWriter(const PrimitiveArguments& arguments)
      : box_(ir::section_box(arguments.section(), arguments.step.shape,
                             arguments.step.inputs[0].shape)),
        values_(arguments),
        count_(arguments.elements(0)),
        out_(arguments.output<T>()) {}

  // Requires that the output contains the base.
  void run() const {
    in_parts(count_, values_of_task(), [&](int64_t begin, int64_t end) {
      if (values_.has_rows_of(box_))
        values_.write_rows(box_, begin, end, out_);
      else if (!values_.in_memory() && box_.run() < run_worth_kernel)
        by_blocks(begin, end);
      else
        directly(begin, end);
    });
  }

 private:
  // Values that are expensive to compute have smaller tasks.
  int64_t values_of_task() const {
    const double each = values_.nanoseconds() / static_cast<double>(count_);
    if (each * static_cast<double>(values_task) <= this_cpu_tuning().task_nanoseconds)
      return values_task;
    return std::max<int64_t>(1, static_cast<int64_t>(this_cpu_tuning().task_nanoseconds / each));
  }

  void directly(int64_t begin, int64_t end) const {
    for_each_piece(box_, begin, end, [&](int64_t at, int64_t i, int64_t count) {
      if (const void* read = values_.read(i, i + count, out_ + at); read != out_ + at)
        store(static_cast<const T*>(read), at, count);
    });
  }

  void by_blocks(int64_t begin, int64_t end) const {
    constexpr auto block_values = block_bytes / static_cast<int64_t>(sizeof(T));
    alignas(64) T block[block_values];
    for (int64_t first = begin; first < end; first += block_values) {
      const int64_t last = std::min(end, first + block_values);
      values_.read(first, last, block);
      for_each_piece(box_, first, last, [&](int64_t at, int64_t i, int64_t count) {
        store(block + (i - first), at, count);
      });
    }
  }

  void store(const T* from, int64_t at, int64_t count) const {
    const int64_t stride = box_.strides[static_cast<size_t>(box_.rank - 1)];
    if (stride == 1)
      std::memcpy(out_ + at, from, static_cast<size_t>(count) * sizeof(T));
    else
      for (int64_t k = 0; k < count; ++k) out_[at + k * stride] = from[k];
  }

  const ir::SectionBox box_;
  const ElementReader values_;
  const int64_t count_;
  T* out_;
};

template <class T>
void write_as(const PrimitiveArguments& arguments) {
  // Before any write, because this finds the code of the kernel and may fail.
  const SectionWriter<T> writer(arguments);
  auto* out = arguments.output<char>();
  const bool has_base = arguments.step.inputs.size() > 1;
  const auto* base = has_base ? arguments.input<char>(1) : nullptr;
  const int64_t bytes = arguments.step.shape.size() * static_cast<int64_t>(sizeof(T));
  if (has_base && out != base)  // otherwise the base is overwritten
    in_parts(bytes, copy_task, [&](int64_t begin, int64_t end) {
      std::memcpy(out + begin, base + begin, static_cast<size_t>(end - begin));
    });
  writer.run();
}

}  // namespace

// Elements are treated as bits: only their size matters.
void write_section(const PrimitiveArguments& arguments) {
  switch (size_of(arguments.step.type)) {
    case 1:
      return write_as<uint8_t>(arguments);
    case 2:
      return write_as<uint16_t>(arguments);
    case 4:
      return write_as<uint32_t>(arguments);
    default:
      return write_as<uint64_t>(arguments);
  }
}

}  // namespace tutti::runtime
