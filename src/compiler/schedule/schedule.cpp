#include "compiler/schedule/schedule.hpp"

namespace tutti::schedule {

bool same_code(const Schedule& a, const Schedule& b) {
  const auto* first = std::get_if<GpuSchedule>(&a);
  const auto* second = std::get_if<GpuSchedule>(&b);
  if (!first || !second) return first == second;
  return std::visit(
      [&]<class S>(const S& strategy) {
        const S* other = std::get_if<S>(second);
        return other && strategy.structure() == other->structure();
      },
      *first);
}

std::string key_of(const Schedule& schedule) {
  const auto* gpu = std::get_if<GpuSchedule>(&schedule);
  if (!gpu) return "";  // CPUs run the same code under every schedule
  std::string text = std::to_string(gpu->index()) + ' ';
  std::visit(
      [&](const auto& strategy) {
        for (int64_t number : strategy.structure()) text += std::to_string(number) + ' ';
      },
      *gpu);
  return text;
}

}  // namespace tutti::schedule
