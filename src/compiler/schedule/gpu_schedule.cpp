#include "compiler/schedule/gpu_schedule.hpp"

#include <algorithm>

#include "core/rounding.hpp"
#include "tutti/error.hpp"

namespace tutti::schedule {
namespace {

template <class Strategy>
bool try_one(const Kernel& kernel, const GpuTuning& gpu, std::optional<GpuSchedule>& chosen) {
  if (const std::optional<Strategy> fits = Strategy::choose(kernel, gpu)) chosen = *fits;
  return chosen.has_value();
}

template <class... Strategies>
GpuSchedule first_that_fits(const Kernel& kernel, const GpuTuning& gpu,
                            const std::variant<Strategies...>*) {
  std::optional<GpuSchedule> chosen;
  if (!(try_one<Strategies>(kernel, gpu, chosen) || ...))
    throw InternalError("no GPU strategy accepts a kernel");
  return *chosen;
}

}  // namespace

unsigned blocks(int64_t count, int64_t each, int64_t most) {
  return static_cast<unsigned>(std::clamp<int64_t>(divide_up(count, each), 1, most));
}

GpuSchedule choose_gpu(const Kernel& kernel, const GpuTuning& gpu) {
  return first_that_fits(kernel, gpu, static_cast<const GpuSchedule*>(nullptr));
}

}  // namespace tutti::schedule
