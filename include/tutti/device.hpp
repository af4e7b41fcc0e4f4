// The device that computes. The default is a GPU where one is found. TUTTI_DEVICE=auto|cpu|cuda|
// cuda:N changes it for a process, use() for a program and ScopedDevice for a scope.
#pragma once
#include <string>
#include <vector>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// A device of this machine.
struct DeviceInfo {
  std::string name;  // "cpu", "cuda:0"
  std::string description;
};

std::vector<DeviceInfo> devices();  // all devices; the CPU is the first
DeviceInfo device();                // the device that this thread uses
void use(
    const std::string& name);  // for all threads; throws DeviceError if there is no such device
void synchronize();            // waits until the device has finished all work submitted to it
// Returns the CUstream on which the GPU of this thread works, for libraries that share memory with
// Tutti; null on the CPU.
void* stream();

// Selects a device for this thread during the lifetime of the object.
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
