// How a kernel runs: on a CPU or on a GPU. Nothing until it is chosen.
#pragma once
#include "compiler/schedule/cpu_schedule.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {

using Schedule = std::variant<std::monostate, CpuSchedule, GpuSchedule>;

// The strategy S of a schedule, or null if it is another one.
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

// Whether the machine code of a kernel is the same under both.
bool same_code(const Schedule& a, const Schedule& b);

// All of the schedule that the machine code depends on, as text: part of the kernel's key.
std::string key_of(const Schedule& schedule);

}  // namespace tutti::schedule
