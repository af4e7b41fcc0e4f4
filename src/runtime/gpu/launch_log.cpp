#include "runtime/gpu/launch_log.hpp"

#include <algorithm>

#include "tutti/error.hpp"

namespace tutti::runtime::gpu {

void LaunchLog::fail(Status status, const char* what) {
  std::string text = std::string(what) + " (" + device_ + "): " + driver_.describe(status);
  std::lock_guard lock(mutex_);
  std::string kernels;
  const size_t count = std::min(next_, names_.size());
  for (size_t k = 1; k <= count; ++k)
    if (const Name& name = names_[(next_ - k) % names_.size()])
      kernels += (kernels.empty() ? "" : "; ") + *name;
  if (!kernels.empty()) text += ". The last kernels, latest first: " + kernels;
  if (driver_.is_lost(status))
    text +=
        ". The device is lost to this process: arrays that were only there cannot be read any "
        "more, those on the host can, and use(\"cpu\") goes on without it";
  throw DeviceError(text);
}

}  // namespace tutti::runtime::gpu
