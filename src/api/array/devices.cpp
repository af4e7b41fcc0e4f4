// The functions of tutti/device.hpp: the devices of the runtime, by name.
#include "runtime/device.hpp"
#include "tutti/device.hpp"

namespace tutti {
namespace {

DeviceInfo info(const runtime::Device& device) { return {device.name(), device.description()}; }

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> result;
  for (const runtime::Device* device : runtime::all_devices()) result.push_back(info(*device));
  return result;
}

DeviceInfo device() { return info(runtime::current_device()); }
void use(const std::string& name) { runtime::use_device(&runtime::find_device(name), false); }
void synchronize() { runtime::current_device().synchronize(); }
void* stream() { return runtime::current_device().stream(); }

ScopedDevice::ScopedDevice(const std::string& name) : before_(runtime::thread_device()) {
  runtime::use_device(&runtime::find_device(name), true);
}
ScopedDevice::~ScopedDevice() { runtime::use_device(static_cast<runtime::Device*>(before_), true); }

}  // namespace tutti
