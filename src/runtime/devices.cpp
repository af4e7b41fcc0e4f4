// The list of devices, and the choice of the device that is used.
#include <atomic>

#include "core/escape.hpp"
#include "core/process/fork.hpp"
#include "core/settings/environment.hpp"
#include "runtime/cuda/devices.hpp"
#include "runtime/device.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

thread_local Device* device_of_thread = nullptr;

// Selects the CPU in a child of fork(): GPUs belong to the process that started them.
void leave_gpus() {
  if (device_of_thread && device_of_thread->is_gpu()) device_of_thread = &cpu();
  use_device(&cpu(), false);
}

// Returns the device of TUTTI_DEVICE: auto (a GPU if there is one), cpu, cuda or cuda:N.
Device* device_from_environment() {
  const char* wanted = variable("TUTTI_DEVICE");
  const std::string name = wanted ? wanted : "auto";
  if (name == "auto") return all_devices().size() > 1 ? all_devices()[1] : all_devices()[0];
  return &find_device(name);
}

std::atomic<Device*>& device_of_process() {
  static std::atomic<Device*> device{device_from_environment()};
  return device;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): devices that can do it keep the owner
ir::BufferRef Device::borrow(const void*, size_t, std::shared_ptr<const void>) {
  throw DeviceError("memory of the device " + name() + " cannot be viewed: copy it to the host");
}
const void* Device::lend(ir::Buffer&) {
  throw DeviceError("memory of the device " + name() + " cannot be lent: copy it to the host");
}

namespace {

// Each family of GPUs is one line.
std::vector<Device*>& found_devices() {
  static std::vector<Device*>* devices = [] {
    auto* list = new std::vector<Device*>{&cpu()};
    for (Device* device : cuda::devices()) list->push_back(device);
    if (list->size() > 1) in_forked_child(leave_gpus);
    return list;
  }();
  return *devices;
}

}  // namespace

const std::vector<Device*>& all_devices() { return found_devices(); }
void add_device(Device& device) { found_devices().push_back(&device); }

Device& current_device() {
  return device_of_thread ? *device_of_thread : *device_of_process().load();
}
Device* thread_device() { return device_of_thread; }

void use_device(Device* device, bool this_thread_only) {
  if (this_thread_only)
    device_of_thread = device;
  else
    device_of_process() = device;
}

Device& find_device(const std::string& name) {
  std::string known;
  for (Device* device : all_devices()) {
    if (device->name() == name || (name == "cuda" && device->name() == "cuda:0")) return *device;
    known += (known.empty() ? "" : ", ") + device->name();
  }
  throw DeviceError(
      "there is no device '" + escaped(name) + "'; this machine has: " + known +
      (name.rfind("cuda", 0) == 0 && !cuda::problem().empty() ? " (" + cuda::problem() + ")" : ""));
}

}  // namespace tutti::runtime
