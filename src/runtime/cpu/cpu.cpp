// The CPU: cuts kernels into tasks for all cores. How the work is cut never changes a result.
#include <algorithm>

#include "core/statistics.hpp"
#include "runtime/cpu/chain.hpp"
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/cpu/product.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/device.hpp"
#include "runtime/kernel_cache.hpp"

namespace tutti::runtime {
namespace {

// Tasks of about this length: long enough that starting one does not count (about 1 us), short
// enough to balance. Work below two of them stays on the calling thread.
constexpr double task_nanoseconds = 30e3;

// Columns of a task are whole cache lines of every element type.
constexpr int64_t column_step = 64;
// Rows of a column reduction keep their sums in the first-level cache.
constexpr int64_t reduction_columns = 2048;
// Loads that walk across rows touch one cache line a column: few enough columns to keep them.
constexpr int64_t strided_columns = 256;
constexpr int64_t strided_rows = 64;

int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

// The work of a step as a grid of tasks.
struct Cut {
  int64_t items, columns;  // of one task

  int64_t item_tasks(const passes::KernelStep& step) const {
    return (step.items + items - 1) / items;
  }
  int64_t column_tasks(const passes::KernelStep& step) const {
    return (step.columns + columns - 1) / columns;
  }
};

bool walks_across_rows(const passes::Kernel& kernel) {
  for (const passes::Load& load : kernel.loads)
    for (const auto& axis : load.axes)
      if (kernel.indices[axis.index].dim == kernel.inner() &&
          axis.source_axis != kernel.sources[load.source].shape.rank - 1)
        return true;
  return false;
}

Cut cut(const passes::KernelStep& step) {
  const double tasks = std::max(1.0, step.nanoseconds / task_nanoseconds);
  const double points = static_cast<double>(step.items) * static_cast<double>(step.columns);
  const auto size = std::max<int64_t>(1, static_cast<int64_t>(points / tasks));  // points of a task
  Cut result{step.items, step.columns};
  if (step.kernel.form == passes::Form::reduce_column) {
    result.columns = std::min(step.columns, reduction_columns);
  } else if (step.cuts_columns && step.items > 1 && step.columns > strided_columns &&
             walks_across_rows(step.kernel)) {
    result.columns = strided_columns;
    result.items = std::min(step.items, std::max(strided_rows, size / strided_columns));
    return result;
  } else if (step.cuts_columns && step.columns > size) {
    result.columns = std::min(step.columns, round_up(size, column_step));
  }
  result.items = std::clamp<int64_t>(size / result.columns, 1, step.items);
  return result;
}

class Cpu final : public Device {
 public:
  std::string name() const override { return "cpu"; }
  std::string description() const override {
    return codegen::cpu_name() + ", " + std::to_string(codegen::vector_bits()) + "-bit SIMD, " +
           std::to_string(cpu_threads()) + " threads";
  }

  ir::BufferRef allocate(size_t bytes) override { return ArrayBuffer::on_host(bytes); }
  ir::BufferRef wrap(void* memory, size_t bytes) override {
    return ArrayBuffer::around_host(memory, bytes);
  }
  int64_t address(ir::Buffer& buffer) override { return reinterpret_cast<int64_t>(buffer.data()); }
  int64_t overwrite(ir::Buffer& buffer) override {
    buffer.data();
    return reinterpret_cast<int64_t>(static_cast<ArrayBuffer&>(buffer).overwrite_on_host());
  }

  void run(const passes::KernelStep& step, const std::vector<int64_t>& arguments) override {
    const int64_t* words = arguments.data();
    const codegen::Entry entry = find_kernel(step);
    ++counters().kernel_launches;
    if (step.nanoseconds < 2 * task_nanoseconds || cpu_threads() == 1) {
      run_all(step, words, entry);
      return;
    }
    const Cut tasks = cut(step);
    const int64_t across = tasks.column_tasks(step), count = across * tasks.item_tasks(step);
    parallel_for(
        count,
        [&](int64_t task) {
          const int64_t item = task / across * tasks.items, column = task % across * tasks.columns;
          entry(words, item, std::min(item + tasks.items, step.items), column,
                std::min(column + tasks.columns, step.columns));
        },
        step.uneven ? Tasks::uneven : Tasks::even);
  }

  bool is_gpu() const override { return false; }
  void forget_kernels() override { runtime::forget_kernels(); }
  void run(const passes::ChainStep& step, std::vector<std::vector<int64_t>> words) override {
    run_chain(step, std::move(words));
  }

  bool can_run(const passes::PrimitiveStep&) const override { return true; }
  void run(const passes::PrimitiveStep& step, const PrimitiveCall& call) override {
    ++counters().kernel_launches;
    run_primitive(step, call);
  }

  void run(const passes::ProductStep& step, int64_t a, int64_t b, int64_t c) override {
    ++counters().kernel_launches;
    multiply_matrices(step, reinterpret_cast<const void*>(a), reinterpret_cast<const void*>(b),
                      reinterpret_cast<void*>(c));
  }

 private:
  // On this thread, still in blocks that respect the caches.
  static void run_all(const passes::KernelStep& step, const int64_t* words, codegen::Entry entry) {
    const Cut tasks = cut(step);
    for (int64_t item = 0; item < step.items; item += tasks.items)
      for (int64_t column = 0; column < step.columns; column += tasks.columns)
        entry(words, item, std::min(item + tasks.items, step.items), column,
              std::min(column + tasks.columns, step.columns));
  }
};

}  // namespace

Device& cpu() {
  static Cpu* instance = new Cpu;
  return *instance;
}

}  // namespace tutti::runtime
