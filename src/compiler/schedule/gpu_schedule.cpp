#include "compiler/schedule/gpu_schedule.hpp"

#include <algorithm>

#include "compiler/schedule/first_that_fits.hpp"
#include "core/elements/rounding.hpp"

namespace tutti::schedule {

unsigned blocks(int64_t count, int64_t each, int64_t most) {
  return static_cast<unsigned>(std::clamp<int64_t>(divide_up(count, each), 1, most));
}

GpuSchedule choose_gpu(const Kernel& kernel, const GpuTuning& gpu) {
  return first_that_fits<GpuSchedule>(kernel, gpu);
}

}  // namespace tutti::schedule
