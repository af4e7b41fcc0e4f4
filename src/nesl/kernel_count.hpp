// Attributes kernels to the NESL functions that needed them, for `tutti explain`.
#pragma once
#include "nesl/machine.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl {

// Lives while a function is evaluated.
class KernelCount {
 public:
  KernelCount(Machine& machine, const std::string& function);
  ~KernelCount();
  KernelCount(const KernelCount&) = delete;
  KernelCount& operator=(const KernelCount&) = delete;

 private:
  Observer::Kernels here() const;

  Machine& machine_;
  const std::string& function_;
  KernelCount* outer_ = nullptr;
  Observer::Kernels begin_, inside_;  // at the start; in functions called from here
  static thread_local KernelCount* innermost_;
};

}  // namespace tutti::nesl
