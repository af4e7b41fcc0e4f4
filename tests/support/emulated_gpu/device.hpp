// A GPU for tests that computes on the host: a second implementation of codegen/gpu/isa.hpp and of
// runtime/gpu/driver.hpp. All strategies of GPU schedules run on it, compared with the interpreter,
// on machines without a GPU. It is the device "emulated" of the programs that add it. The CPU runs
// vector primitives for it.
#pragma once
#include "runtime/device.hpp"
#include "support/emulated_gpu/driver.hpp"

namespace tutti::test {

// Adds the device, before anything is computed. Its driver lives as long as the process.
EmulatedDriver& add_emulated_gpu();

// A device by itself, which is not in the list.
struct EmulatedDevice {
  runtime::Device* device;
  EmulatedDriver& driver;
};
EmulatedDevice make_emulated_gpu(const std::string& name);

}  // namespace tutti::test
