// The vector primitives on a GPU: selects the kernels of kernels/gpu, their arguments and the
// memory between them.
#pragma once
#include <span>

#include "codegen/gpu/primitives.hpp"
#include "runtime/device.hpp"
#include "runtime/gpu/zeroed_memory.hpp"

namespace tutti::runtime::gpu {

// The services of a device that primitives need. Everything is ordered by its only stream.
class PrimitiveLauncher {
 public:
  virtual ~PrimitiveLauncher() = default;
  virtual DeviceMemory& memory() = 0;
  virtual ZeroedMemory& zeros() = 0;
  virtual int64_t multiprocessors() const = 0;
  virtual void launch(const codegen::GpuPrimitive& primitive, int64_t blocks,
                      std::span<const int64_t> words) = 0;
};

// Requires a device that has primitives.
bool can_run(const compiler::PrimitiveStep& step);
void run_primitive(PrimitiveLauncher& launcher, const compiler::PrimitiveStep& step,
                   const PrimitiveCall& call);

}  // namespace tutti::runtime::gpu
