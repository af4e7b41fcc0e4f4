// The most recently launched kernels of a device. Kernels run asynchronously, so their failures
// appear later. The next wait for the device reports a failure and names the kernels that may have
// caused it.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/gpu/driver.hpp"

namespace tutti::runtime::gpu {

class LaunchLog {
 public:
  using Name = std::shared_ptr<const std::string>;

  LaunchLog(const Driver& driver, std::string device)
      : driver_(driver), device_(std::move(device)) {}

  void note(const Name& name) {
    std::lock_guard lock(mutex_);
    names_[next_++ % names_.size()] = name;
  }

  // Throws DeviceError with the kernels that were started last. The message says so if this process
  // has lost the device.
  void check(Status status, const char* what) {
    if (status != success) fail(status, what);
  }

 private:
  [[noreturn]] void fail(Status status, const char* what);

  const Driver& driver_;
  const std::string device_;
  std::mutex mutex_;
  std::array<Name, 4> names_;
  size_t next_ = 0;
};

}  // namespace tutti::runtime::gpu
