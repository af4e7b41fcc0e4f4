// A GPU of any family as a device of the runtime: its driver and its compiler contain everything
// that differs between families.
#pragma once
#include <memory>
#include <string>

#include "codegen/gpu/compiler.hpp"
#include "runtime/device.hpp"
#include "runtime/gpu/driver.hpp"

namespace tutti::runtime::gpu {

struct GpuParts {
  std::string name;  // a value of TUTTI_DEVICE
  std::string description;
  int64_t multiprocessors = 1;  // blocks that run at the same time are a multiple of this
  const target::Target& target;
  std::unique_ptr<Driver> driver;
  std::unique_ptr<codegen::GpuCompiler> compiler;
};

// Makes a device, which is never destroyed, like all devices.
Device* make_device(GpuParts parts);

}  // namespace tutti::runtime::gpu
