// A GPU as a device of the runtime, of any family: what differs between families is in its driver
// and its compiler.
#pragma once
#include <memory>
#include <string>

#include "codegen/gpu/compiler.hpp"
#include "runtime/device.hpp"
#include "runtime/gpu/driver.hpp"

namespace tutti::runtime::gpu {

struct GpuParts {
  std::string name;  // as TUTTI_DEVICE takes it
  std::string description;
  int64_t multiprocessors = 1;  // blocks that run at the same time are a multiple of this
  const target::Target& target;
  std::unique_ptr<Driver> driver;
  std::unique_ptr<codegen::GpuCompiler> compiler;
};

// Never destroyed, as all devices.
Device* make_device(GpuParts parts);

}  // namespace tutti::runtime::gpu
