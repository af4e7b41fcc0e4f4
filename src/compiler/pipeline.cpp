#include "compiler/pipeline.hpp"

#include <chrono>
#include <cstdio>
#include <cstring>

#include "compiler/cost_constants.hpp"
#include "compiler/graph_passes/cse.hpp"
#include "compiler/graph_passes/detect_unrolled_loops.hpp"
#include "compiler/graph_passes/sink_reshapes.hpp"
#include "compiler/kernel_passes/interleave_tuples.hpp"
#include "compiler/kernel_passes/join_axes.hpp"
#include "compiler/kernel_passes/normalise_kernel.hpp"
#include "compiler/kernel_passes/reroll_loops.hpp"
#include "compiler/lowering/plan_builder.hpp"
#include "compiler/plan/fuse_scan_consumer.hpp"
#include "compiler/plan/row_block_chains.hpp"
#include "compiler/print/print.hpp"
#include "compiler/verify.hpp"
#include "core/process/interruption.hpp"
#include "core/process/thread.hpp"
#include "core/settings/settings.hpp"
#include "core/timeline/timeline.hpp"

namespace tutti::compiler {
namespace {

using target::Target;

// The state of one compilation. Each member is complete once the pass that makes it has run.
struct Compilation {
  Graph graph;
  const Target& target;
  Dump dump;
  std::vector<int> stands_for{};  // by node: the node that has its value
  Materialised memory{};
  std::vector<Group> groups{};
  std::unique_ptr<Plan> plan{};
  bool reshapes_are_sunk = false;
  bool stays_unrolled = false;  // a large kernel has no loop to reroll
};

struct Pass {
  const char* name;
  bool Target::* applies;  // null: on every machine
  void (*run)(Compilation&);
  const char* representation;
  std::string (*print)(const Compilation&);
  void (*verify)(const Compilation&, const char* after);
};

struct KernelPass {
  const char* name;
  bool Target::* applies;
  void (*run)(Compilation&, Kernel&);
  void (*verify)(const Kernel&);
};

std::string graph_text(const Compilation& c) { return print(c.graph); }
std::string memory_text(const Compilation& c) { return print(c.graph, c.memory); }
std::string groups_text(const Compilation& c) { return print(c.groups); }
std::string plan_text(const Compilation& c) { return print(*c.plan); }
void check_graph(const Compilation& c, const char* after) { verify(c.graph, after); }
void check_sunk_reshapes(const Compilation& c, const char* after) {
  if (c.reshapes_are_sunk) check_graph(c, after);
}
void check_plan(const Compilation& c, const char* after) { verify(*c.plan, after); }

void lower_groups(Compilation& c);
void note_last_uses(Plan& plan);

// ---- the passes

// Passes over the graph: they merge nodes of equal value and mark unrolled loops.
constexpr Pass graph_passes[] = {
    {"collect", nullptr, [](Compilation&) {}, "graph", graph_text, check_graph},
    {"common_subexpressions", nullptr,
     [](Compilation& c) { c.stands_for = eliminate_common_subexpressions(c.graph); }, "graph",
     graph_text, check_graph},
    {"sink_reshapes", &Target::sinks_reshapes,
     [](Compilation& c) { c.reshapes_are_sunk = sink_reshapes(c.graph, c.target, c.stands_for); },
     "graph", graph_text, check_sunk_reshapes},
    {"detect_unrolled_loops", &Target::rerolls_loops,
     [](Compilation& c) { mark_unrolled_loops(c.graph); }, "graph", graph_text, check_graph},
};

// From the graph to steps: decide which values are materialised and which of them share a kernel.
constexpr Pass kernel_forming[] = {
    {"materialise", nullptr,
     [](Compilation& c) {
       c.memory = decide_materialisation(c.graph, c.target);
       drop_unused(c.graph, c.memory);
     },
     "graph", memory_text, check_graph},
    {"form_kernels", nullptr,
     [](Compilation& c) { c.groups = group_kernels(c.graph, c.memory, c.target); }, "kernels",
     groups_text, check_graph},
    {"lower", nullptr, lower_groups, "plan", plan_text, check_plan},
};

// Passes over each kernel, after lowering. Kernels in primitives are not rerolled or interleaved.
constexpr KernelPass kernel_passes[] = {
    {"lower_kernel", nullptr, [](Compilation&, Kernel&) {}, nullptr},
    {"reroll_loops", &Target::rerolls_loops,
     [](Compilation& c, Kernel& kernel) {
       if (!kernel.fused && kernel.code.size() > cost::largest_straight && !reroll(kernel))
         c.stays_unrolled = true;
     },
     nullptr},
    {"interleave_tuples", &Target::interleaves_tuples,
     [](Compilation&, Kernel& kernel) {
       if (!kernel.fused) interleave_tuples(kernel);
     },
     nullptr},
    {"join_short_rows", &Target::joins_short_rows,
     [](Compilation&, Kernel& kernel) { join_short_rows(kernel); }, nullptr},
    {"normalise_kernel", nullptr, [](Compilation&, Kernel& kernel) { normalise_kernel(kernel); },
     nullptr},
};

// Passes over each step: a reduction is several kernels.
constexpr KernelPass step_passes[] = {
    {"choose_schedule", nullptr,
     [](Compilation& c, Kernel& kernel) { choose_schedule(kernel, c.target); }, verify},
};

// Passes over the plan.
constexpr Pass plan_passes[] = {
    {"fuse_scan_consumers", nullptr,
     [](Compilation& c) {
       fuse_consumers(*c.plan);
       note_last_uses(*c.plan);
     },
     "plan", plan_text, check_plan},
    {"form_row_blocks", &Target::blocks_rows,
     [](Compilation& c) {
       form_chains(*c.plan);
       note_last_uses(*c.plan);
     },
     "plan", plan_text, check_plan},
};

// ---- running them

// Reports the time of a pass if TUTTI_LOG is set.
class Timer {
 public:
  explicit Timer(const char* pass) : pass_(pass) {}
  ~Timer() {
    if (!live_settings().log) return;
    const std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - start_;
    std::fprintf(stderr, "tutti: pass %-22s %8.1f us\n", pass_, took.count());
  }
  Timer(const Timer&) = delete;

 private:
  const char* const pass_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <size_t count>
void run(const Pass (&passes)[count], Compilation& c) {
  for (const Pass& pass : passes) {
    if (pass.applies && !(c.target.*pass.applies)) continue;
    stop_if_interrupted();
    {
      const Timer timer(pass.name);
      const timeline::Scope scope("plan", pass.name);
      pass.run(c);
    }
    pass.verify(c, pass.name);
    c.dump.after(pass.name, pass.representation, [&] { return pass.print(c); });
  }
}

template <size_t count>
void run(const KernelPass (&passes)[count], Compilation& c, Kernel& kernel) {
  for (const KernelPass& pass : passes) {
    if (pass.applies && !(c.target.*pass.applies)) continue;
    {
      const timeline::Scope scope("plan", pass.name);
      pass.run(c, kernel);
    }
    if (pass.verify) pass.verify(kernel);
    c.dump.after(pass.name, "kernel", [&] { return print(kernel); });
  }
}

void lower_groups(Compilation& c) {
  c.stays_unrolled = false;
  const KernelPasses on_the_way{[&](Kernel& kernel) {
                                  stop_if_interrupted();
                                  c.dump.begin("kernel");
                                  run(kernel_passes, c, kernel);
                                },
                                [&](Kernel& kernel) { run(step_passes, c, kernel); }};
  c.plan = build_plan(c.graph, c.memory, c.groups, c.target, on_the_way);
}

void note_last_uses(Plan& plan) {
  for (PlanValue& value : plan.values) value.last_step = -1;
  for (int s = 0; s < static_cast<int>(plan.steps.size()); ++s)
    for_each_source(plan.steps[static_cast<size_t>(s)], [&](const Source& source) {
      if (source.is_value && source.id >= 0)
        plan.values[static_cast<size_t>(source.id)].last_step = s;
    });
  // A state of a recurrence, or a part of a transform, that no other step reads is live while its
  // step runs.
  for (int s = 0; s < static_cast<int>(plan.steps.size()); ++s) {
    const auto live = [&](int v) {
      PlanValue& value = plan.values[static_cast<size_t>(v)];
      if (value.last_step < 0 && !value.keep) value.last_step = s;
    };
    const Step& step = plan.steps[static_cast<size_t>(s)];
    if (const auto* kernel = std::get_if<KernelStep>(&step))
      for (const Output& output : kernel->kernel.outputs) live(output.value);
    if (const auto* primitive = std::get_if<PrimitiveStep>(&step); primitive)
      if (primitive->second_value >= 0) live(primitive->value), live(primitive->second_value);
  }
  std::vector<int>& ended = plan.by_last_step;
  ended.clear();
  for (int v = 0; v < static_cast<int>(plan.values.size()); ++v)
    if (plan.values[static_cast<size_t>(v)].last_step >= 0) ended.push_back(v);
  std::ranges::stable_sort(ended, {},
                           [&](int v) { return plan.values[static_cast<size_t>(v)].last_step; });
}

// Notes where each node of the input graph has its value: in a value of the plan or in a leaf.
void note_places(Compilation& c) {
  const std::vector<int> value_of = std::move(c.plan->value_of);
  c.plan->value_of.clear();
  for (int place : c.stands_for) {
    const GraphNode& node = c.graph.nodes[static_cast<size_t>(place)];
    c.plan->value_of.push_back(value_of[static_cast<size_t>(place)]);
    c.plan->leaf_of.push_back(node.kind == ir::Kind::leaf ? node.slot : -1);
  }
}

}  // namespace

std::unique_ptr<Plan> run_pipeline(Graph graph, const Target& target, Dump dump) {
  Compilation c{.graph = std::move(graph), .target = target, .dump = std::move(dump)};
  run(graph_passes, c);
  run(kernel_forming, c);
  if (c.graph.has_unrolled_loop && c.stays_unrolled) {  // split large kernels
    unmark_unrolled_loops(c.graph);
    run(kernel_forming, c);
  }
  run(plan_passes, c);
  note_places(c);
  return std::move(c.plan);
}

std::vector<const char*> pass_names() {
  std::vector<const char*> names;
  const auto add = [&](const auto& passes) {
    for (const auto& pass : passes) names.push_back(pass.name);
  };
  add(graph_passes), add(kernel_forming), add(kernel_passes), add(step_passes), add(plan_passes);
  return names;
}

std::unique_ptr<Plan> make_plan(Graph graph, const Target& target) {
  struct Call {
    Graph graph;
    const Target& target;
    std::unique_ptr<Plan> plan;
  } call{std::move(graph), target, nullptr};
  run_with_compiler_stack(
      [](void* there) {
        Call& now = *static_cast<Call*>(there);
        now.plan = run_pipeline(std::move(now.graph), now.target, Dump::from_environment());
      },
      &call);
  return std::move(call.plan);
}

}  // namespace tutti::compiler
