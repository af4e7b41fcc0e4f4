#include "target/cpu_variants.hpp"

#include <functional>
#include <vector>

#include "target/this_cpu.hpp"

namespace tutti::target {
namespace {

Target variant(const char* name, const std::function<void(Target&, CpuTuning&)>& change) {
  Target target = this_cpu();
  target.name = name;
  CpuTuning tuning = std::get<CpuTuning>(target.tuning);
  change(target, tuning);
  target.tuning = tuning;
  return target;
}

std::vector<Target> make_variants() {
  constexpr double factor = 3;  // more than the costs are likely to be wrong by
  return {
      this_cpu(),
      variant("no row blocks", [](Target& t, CpuTuning&) { t.blocks_rows = false; }),
      variant("expensive memory",
              [](Target& t, CpuTuning&) {
                t.costs.memory_byte *= factor;
                t.costs.cached_byte *= factor;
              }),
      variant("cheap memory",
              [](Target& t, CpuTuning&) {
                t.costs.memory_byte /= factor;
                t.costs.cached_byte /= factor;
              }),
      variant("smaller caches", [](Target&, CpuTuning& c) { c.private_bytes /= 4; }),
      variant("stores through the caches",
              [](Target&, CpuTuning& c) { c.streaming_bytes = INT64_MAX; }),
      variant("stores past the caches", [](Target&, CpuTuning& c) { c.streaming_bytes = 1 << 20; }),
      variant("longer tasks", [](Target&, CpuTuning& c) { c.task_nanoseconds *= 4; }),
  };
}

}  // namespace

std::span<const Target> cpu_variants() {
  static const auto* variants = new std::vector<Target>(make_variants());
  return *variants;
}

}  // namespace tutti::target
