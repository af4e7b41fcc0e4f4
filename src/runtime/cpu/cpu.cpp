// The CPU: splits kernels into tasks for all cores. The division never changes a result.
#include <chrono>

#include "core/process/interruption.hpp"
#include "core/statistics.hpp"
#include "runtime/cpu/chain.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/cpu/product.hpp"
#include "runtime/cpu/split_tasks.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/device.hpp"

namespace tutti::runtime {
namespace {

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
  ir::BufferRef borrow(const void* memory, size_t bytes,
                       std::shared_ptr<const void> owner) override {
    return ArrayBuffer::borrowed_on_host(memory, bytes, std::move(owner));
  }
  const void* lend(ir::Buffer& buffer) override { return array_of(buffer).lend_on_host(); }
  int64_t address(ir::Buffer& buffer) override { return reinterpret_cast<int64_t>(buffer.data()); }
  int64_t overwrite(ir::Buffer& buffer) override {
    buffer.data();
    return reinterpret_cast<int64_t>(array_of(buffer).overwrite_on_host());
  }

  void prepare(const compiler::Plan& plan) override { compile_missing_kernels(plan); }
  void run(const compiler::KernelStep& step, const Words& arguments) override {
    const PinnedCode code = find_kernel(step);
    ++counters().kernel_launches;
    const Cut cut(step, cpu_threads());
    const auto run_task = [&](int64_t task) {
      if (task > 0) stop_if_interrupted();
      cut.run(task, [&](int64_t item, int64_t last_item, int64_t column, int64_t last_column) {
        code(arguments.data(), item, last_item, column, last_column);
      });
    };
    const int64_t done = run_alone(step, cut.count(), run_task);
    if (done < cut.count())
      parallel_for(cut.count() - done, [&](int64_t task) { run_task(done + task); });
  }

  const target::Target& target() const override { return target::this_cpu(); }
  bool is_gpu() const override { return false; }
  void forget_kernels() override { runtime::forget_kernels(); }
  void run(const compiler::ChainStep& step, std::vector<Words> words) override {
    run_chain(step, words);
  }

  ir::BufferRef interleave(std::span<const int64_t>, size_t, int) override {
    throw InternalError("a plan for a GPU runs on a CPU");
  }
  bool can_run(const compiler::PrimitiveStep&) const override { return true; }
  void run(const compiler::PrimitiveStep& step, const PrimitiveCall& call) override {
    ++counters().kernel_launches;
    run_primitive(step, call);
  }

  void run(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) override {
    ++counters().kernel_launches;
    multiply_matrices(step, reinterpret_cast<const void*>(a), reinterpret_cast<const void*>(b),
                      reinterpret_cast<void*>(c));
  }

 private:
  // Runs the first tasks on this thread and returns their number. Short work is done here entirely,
  // still in blocks that fit the caches. Loops of programs count as short until they take too long.
  template <class RunTask>
  static int64_t run_alone(const compiler::KernelStep& step, int64_t count,
                           const RunTask& run_task) {
    if (step.nanoseconds >= 2 * this_cpu_tuning().task_nanoseconds && cpu_threads() > 1) return 0;
    const bool may_take_long = step.uneven && cpu_threads() > 1;
    const auto start = std::chrono::steady_clock::now();
    int64_t done = 0;
    while (done < count) {
      run_task(done++);
      if (may_take_long &&
          std::chrono::steady_clock::now() - start >
              std::chrono::duration<double, std::nano>(this_cpu_tuning().task_nanoseconds))
        break;
    }
    return done;
  }
};

}  // namespace

Device& cpu() {
  static Cpu* instance = new Cpu;
  return *instance;
}

}  // namespace tutti::runtime
