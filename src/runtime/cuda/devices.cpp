#include "runtime/cuda/devices.hpp"

#include <cstdio>

#include "codegen/nvptx/ptx.hpp"
#include "runtime/cuda/cuda_driver.hpp"
#include "runtime/gpu/gpu_device.hpp"
#include "target/h200.hpp"

namespace tutti::runtime::cuda {
namespace {

constexpr int attribute_multiprocessors = 16, attribute_major = 75, attribute_minor = 76;

Device* open_device(int index) {
  int handle = 0, major = 0, minor = 0, version = 0, multiprocessors = 0;
  check(driver()->DeviceGet(&handle, index), "opening the device");
  char text[256] = {};
  driver()->DeviceGetName(text, sizeof text, handle);
  check(driver()->DeviceGetAttribute(&major, attribute_major, handle),
        "asking for the compute capability");
  check(driver()->DeviceGetAttribute(&minor, attribute_minor, handle),
        "asking for the compute capability");
  check(driver()->DeviceGetAttribute(&multiprocessors, attribute_multiprocessors, handle),
        "asking for the number of multiprocessors");
  check(driver()->DriverGetVersion(&version), "asking for the driver's version");
  size_t bytes = 0;
  driver()->DeviceTotalMem_v2(&bytes, handle);
  return gpu::make_device({
      .name = "cuda:" + std::to_string(index),
      .description = std::string(text) + ", compute capability " + std::to_string(major) + "." +
                     std::to_string(minor) + ", " + std::to_string(bytes >> 30) +
                     " GiB, driver for CUDA " + std::to_string(version / 1000) + "." +
                     std::to_string(version % 1000 / 10),
      .multiprocessors = multiprocessors,
      .target = target::h200,  // also used for other GPUs until they are measured
      .driver = std::make_unique<CudaDriver>(handle),
      .compiler =
          std::make_unique<codegen::PtxCompiler>(codegen::ptx_target(10 * major + minor, version)),
  });
}

}  // namespace

std::vector<Device*> devices() {
  std::vector<Device*> result;
  int count = 0;
  if (!driver() || driver()->DeviceGetCount(&count) != success) return result;
  for (int i = 0; i < count; ++i) {
    try {
      result.push_back(open_device(i));
    } catch (const DeviceError& error) {
      std::fprintf(stderr, "tutti: cuda:%d is not used: %s\n", i, error.what());
    }
  }
  return result;
}

const std::string& problem() { return driver_problem(); }

}  // namespace tutti::runtime::cuda
