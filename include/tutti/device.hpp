// Which device computes. By default a GPU where there is one; TUTTI_DEVICE=auto|cpu|cuda|cuda:N
// says otherwise, and so can the program, for all of it or for a scope.
#pragma once
#include <string>
#include <vector>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

struct DeviceInfo {
  std::string name;  // "cpu", "cuda:0"
  std::string description;
};

std::vector<DeviceInfo> devices();  // the CPU first
DeviceInfo device();                // the one in use by this thread
void use(
    const std::string& name);  // for all threads; throws DeviceError when there is no such device
void synchronize();            // waits until everything asked of the device has been done
// The CUstream on which this thread's GPU works, for libraries that share memory with Tutti; null
// on the CPU.
void* stream();

// Uses a device in this thread, for as long as it lives.
class ScopedDevice {
 public:
  explicit ScopedDevice(const std::string& name);
  ~ScopedDevice();
  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;

 private:
  void* before_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
