// Finds the loaded code of kernels and primitives: in the modules of the device, in the disk cache,
// or by compiling. The results may be launched as long as a use of the modules is held.
#pragma once
#include <functional>
#include <string>

#include "codegen/gpu/compiler.hpp"
#include "runtime/gpu/driver.hpp"
#include "runtime/gpu/known_primitives.hpp"
#include "runtime/gpu/modules.hpp"

namespace tutti::runtime::gpu {

class Loader {
 public:
  // `idle` as for Modules.
  Loader(Driver& driver, const codegen::GpuCompiler& compiler, std::function<void()> idle);

  Modules& modules() { return modules_; }

  // Require a use of the modules.
  Handle find(const compiler::KernelStep& step) {
    return find(*step.id, [&] { return compiler_.compile(step.kernel); });
  }
  Handle find(const KernelId& id, const codegen::GpuPrimitive& primitive) {
    return find(id, [&] { return compiler_.compile(primitive); });
  }
  Handle find(const KernelId& id, const compiler::ProductStep& step) {
    return find(id, [&] { return compiler_.compile(step); });
  }
  // Whether the code is loaded or on disk.
  bool has(const KernelId& id);
  KnownPrimitive know(const codegen::GpuPrimitive& primitive);
  void forget();  // no use may be held

 private:
  template <class Compile>
  Handle find(const KernelId& id, const Compile& compile) {
    return modules_.find(id, [&] { return load(id, compile); });
  }
  Module load(const KernelId& id, const std::function<std::string()>& compile);
  std::string disk_key(const KernelId& id) const { return id.key + "\n" + compiler_.description(); }
  Handle load_or_compile(const std::string& key, const std::function<std::string()>& compile);

  Driver& driver_;
  const codegen::GpuCompiler& compiler_;
  Modules modules_;
  KnownPrimitives primitives_;
};

}  // namespace tutti::runtime::gpu
