// Compiled kernels for the CPU: in memory by their identity, and on disk for the next process. The
// kernels in memory are limited in number and in bytes of code; beyond that the least recently used
// ones are released. A running kernel stays loaded until it has ended.
#pragma once
#include <functional>
#include <utility>

#include "codegen/codegen.hpp"
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

// Machine code that stays loaded during the lifetime of this object. The identity of its kernel
// must outlive it.
class PinnedCode {
 public:
  PinnedCode() = default;
  PinnedCode(const KernelId& id, void* entry)
      : id_(&id), entry_(reinterpret_cast<codegen::Entry>(entry)) {}
  PinnedCode(PinnedCode&& other) noexcept
      : id_(std::exchange(other.id_, nullptr)), entry_(other.entry_) {}
  PinnedCode& operator=(PinnedCode&&) = delete;
  ~PinnedCode() {
    if (id_) id_->code.unpin();
  }

  codegen::Entry entry() const { return entry_; }
  void operator()(const int64_t* words, int64_t a, int64_t b, int64_t c, int64_t d) const {
    entry_(words, a, b, c, d);
  }

 private:
  const KernelId* id_ = nullptr;
  codegen::Entry entry_ = nullptr;
};

// Returns the machine code of a kernel, from memory, from disk, or compiled now.
PinnedCode find_kernel(const compiler::KernelStep& step);
// Does the same for code of any other kind, whose key contains everything that it depends on.
using Compile = std::function<std::string()>;
PinnedCode find_kernel(const KernelId& id, const Compile& compile);

// Compiles the kernels of a plan that are not loaded on all cores, if there are several. A single
// missing kernel is compiled when the plan runs.
void compile_missing_kernels(const compiler::Plan& plan);
// Compiles all kernels of a plan for the CPU while `go_on` returns true. Returns whether all were
// compiled.
enum class Cores : uint8_t { one, all };
bool compile_kernels(const compiler::Plan& plan, Cores cores, const std::function<bool()>& go_on);

// Releases all kernels; running ones as soon as they have ended.
void forget_kernels();

// Several times the kernels of the largest programs of the tests and the benchmarks, which have
// some hundred kernels of 4 to 40 kB each.
struct KernelLimits {
  size_t kernels = 8192;
  size_t code_bytes = size_t{128} << 20;
};
TUTTI_EXPORT void set_kernel_limits(const KernelLimits& limits);
struct KernelCounts {
  size_t kernels = 0, code_bytes = 0;
};
TUTTI_EXPORT KernelCounts kernels_loaded();

}  // namespace tutti::runtime
