// How a kernel runs, on a CPU or on a GPU. Empty until it is chosen.
#pragma once
#include "compiler/schedule/cpu_schedule.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {

using Schedule = std::variant<std::monostate, CpuSchedule, GpuSchedule>;

// Returns the strategy S of a schedule, or null if the schedule has another one.
template <class S>
const S* on_gpu(const Schedule& schedule) {
  const auto* gpu = std::get_if<GpuSchedule>(&schedule);
  return gpu ? std::get_if<S>(gpu) : nullptr;
}
template <class S>
const S* on_cpu(const Schedule& schedule) {
  const auto* cpu = std::get_if<CpuSchedule>(&schedule);
  return cpu ? std::get_if<S>(cpu) : nullptr;
}

// Returns whether the machine code of a kernel is the same under both.
bool same_code(const Schedule& a, const Schedule& b);

// Returns the part of the schedule on which the machine code depends, as text for the kernel's key.
std::string key_of(const Schedule& schedule);

}  // namespace tutti::schedule
