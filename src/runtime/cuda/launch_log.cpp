#include "runtime/cuda/launch_log.hpp"

#include <algorithm>

#include "tutti/error.hpp"

namespace tutti::runtime::cuda {
namespace {

// After errors of these numbers (an illegal address, a trap, a failed launch, ...) every later call
// fails as well.
bool loses_context(Result result) { return result >= 700 && result < 720; }

}  // namespace

void LaunchLog::fail(Result result, const char* what) {
  std::string text = std::string(what) + " (" + device_ + "): " + describe(result);
  std::lock_guard lock(mutex_);
  std::string kernels;
  const size_t count = std::min(next_, names_.size());
  for (size_t k = 1; k <= count; ++k)
    if (const Name& name = names_[(next_ - k) % names_.size()])
      kernels += (kernels.empty() ? "" : "; ") + *name;
  if (!kernels.empty()) text += ". The last kernels, latest first: " + kernels;
  if (loses_context(result))
    text +=
        ". The device is lost to this process: arrays that were only there cannot be read any "
        "more, those on the host can, and use(\"cpu\") goes on without it";
  throw DeviceError(text);
}

}  // namespace tutti::runtime::cuda
