#include "engine/plan_cache.hpp"

#include <cstdio>
#include <optional>

#include "compiler/plan/resize.hpp"
#include "core/process/interruption.hpp"
#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "engine/background.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/device.hpp"
#include "tutti/error.hpp"

namespace tutti::engine {

using compiler::Collected;
using compiler::SizeClass;

PlanCache::PlanRef PlanCache::from_other_lengths(const std::vector<uint64_t>& key,
                                                 const SizeClass& sizes) {
  if (sizes.key.empty()) return nullptr;
  const auto found = alike_.find(sizes.key);
  if (!found) return nullptr;
  const timeline::Scope scope("plan", "resize a plan");
  PlanRef plan = compiler::resize(*found->plan, {found->lengths, sizes.lengths});
  if (plan) same_.set(key, plan);
  return plan;
}

void PlanCache::add(const std::vector<uint64_t>& key, const SizeClass& sizes, PlanRef plan) {
  ++counters().plans_built;
  if (!sizes.key.empty()) alike_.set(sizes.key, {plan, sizes.lengths});
  same_.set(key, std::move(plan));
  ++added_;
}

PlanCache::PlanRef PlanCache::find(Collected& c, const target::Target& target, SizeClass& sizes) {
  c.add_to_key(target);
  if (const auto found = same_.find(c.key)) return *found;
  sizes = compiler::size_class_of(c, target);
  return from_other_lengths(c.key, sizes);
}

PlanCache::PlanRef PlanCache::make(Request request, runtime::Device& device) {
  // The function of an InterruptionScope must not wait for the planning that it interrupts.
  std::optional<Planning::Turn> turn;
  if (!is_asking()) turn.emplace(planning_, request.key);
  if (const auto found = same_.find(request.key)) return *found;
  const timeline::Scope scope("plan", "make a plan");
  PlanRef plan = compiler::make_plan(std::move(request.graph), device.target());
  device.compile(*plan, [] {
    stop_if_interrupted();
    return true;
  });
  add(request.key, request.sizes, plan);
  return plan;
}

PlanCache::PlanRef PlanCache::make_if_compiled(Request request, runtime::Device& device,
                                               bool waits_if_asked_again) {
  const std::vector<uint64_t> kind = request.sizes.key.empty() ? request.key : request.sizes.key;
  if (begun_.contains(kind)) {
    if (!waits_if_asked_again) return nullptr;
    begun_.wait_for(kind);
    if (PlanRef plan = from_other_lengths(request.key, request.sizes)) return plan;
    return make(std::move(request), device);
  }
  PlanRef plan = compiler::make_plan(std::move(request.graph), device.target());
  if (device.has_code(*plan) || !background_has_room()) {
    add(request.key, request.sizes, plan);
    return plan;
  }
  if (!begun_.add(kind)) return nullptr;  // another thread was faster
  device.start_compiler();
  end_background_at_exit();
  // Ends with the work, whether it was done or dropped.
  const auto under_way = std::make_shared<KeysInProgress::Removal>(begun_, kind);
  in_background([this, plan, under_way, device = &device, request = std::move(request)] {
    if (device->compile(*plan, [] { return !background_is_ending(); }))
      add(request.key, request.sizes, plan);
  });
  return nullptr;
}

PlanCache::PlanRef PlanCache::get_if_compiled(Collected& c, int times) {
  const target::Target& target = runtime::cpu().target();
  c.add_to_key(target);
  const int64_t added = added_;
  if (const auto found = same_.find(c.key)) return *found;
  if (missing_.find(c.key) == added) return nullptr;
  const SizeClass sizes = compiler::size_class_of(c, target);
  if (PlanRef plan = from_other_lengths(c.key, sizes)) return plan;
  // If a plan for other lengths exists but cannot be resized, these lengths are counted separately.
  const bool alone = sizes.key.empty() || alike_.find(sizes.key);
  const std::vector<uint64_t>& kind = alone ? c.key : sizes.key;
  Seen seen = seen_.find(kind).value_or(Seen());
  const bool begins = !seen.is_being_compiled && ++seen.times >= times && background_has_room();
  seen.is_being_compiled |= begins;
  seen_.set(kind, seen);
  if (seen.is_being_compiled) missing_.set(c.key, added);
  if (begins) compile_in_background(c, sizes, kind);
  return nullptr;
}

void PlanCache::compile_in_background(const Collected& c, const SizeClass& sizes,
                                      const std::vector<uint64_t>& kind) {
  const auto graph = std::make_shared<compiler::Graph>(compiler::copy_graph(c));
  const runtime::Cores cores = runtime::current_device().is_gpu()
                                   ? runtime::Cores::all
                                   : runtime::Cores::one;  // the other cores are busy
  in_background([this, graph, sizes, cores, kind, key = c.key] {
    const timeline::Scope scope("plan", "compile in the background");
    try {
      PlanRef plan = compiler::make_plan(std::move(*graph), runtime::cpu().target());
      if (!runtime::compile_kernels(*plan, cores, [] { return !background_is_ending(); })) return;
      add(key, sizes, std::move(plan));
      seen_.set(kind, {});          // if the plan is evicted, it is compiled again
    } catch (const Error& error) {  // the caller continues without compiled code
      if (live_settings().log)
        std::fprintf(stderr, "tutti: compiling in the background: %s\n", error.what());
    }
  });
}

void PlanCache::set_most(size_t plans) {
  same_.set_most(plans);
  alike_.set_most(plans);
}

void PlanCache::forget() {
  same_.forget();
  alike_.forget();
  seen_.forget();
  missing_.forget();
}

PlanCache& plan_cache() {
  static PlanCache* instance = new PlanCache;
  return *instance;
}

}  // namespace tutti::engine
