// Attributes kernels to the NESL functions that needed them, for `tutti explain`.
#pragma once
#include <memory>

#include "nesl/eval/machine.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl {

// Lives while a function is evaluated. Small, since every call on the stack has one.
class KernelCount {
 public:
  KernelCount(Machine& machine, const std::string& function) {
    if (machine.observer.count_kernels) begin(machine.observer, function);
  }
  ~KernelCount() {
    if (count_) end();
  }
  KernelCount(const KernelCount&) = delete;
  KernelCount& operator=(const KernelCount&) = delete;

 private:
  struct Count {
    Observer& observer;
    const std::string& function;
    Count* outer;
    Observer::Kernels begin, inside;  // at the start; in functions called from here
  };
  void begin(Observer& observer, const std::string& function);
  void end();

  std::unique_ptr<Count> count_;
  static thread_local Count* innermost_;
};

}  // namespace tutti::nesl
