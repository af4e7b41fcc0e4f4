#include "passes/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/settings.hpp"
#include "ir/reduction_tree.hpp"
#include "passes/chain.hpp"
#include "passes/consume.hpp"
#include "passes/cost.hpp"
#include "passes/cse.hpp"
#include "passes/finish.hpp"
#include "passes/group.hpp"
#include "passes/lower.hpp"
#include "passes/reroll.hpp"
#include "passes/side_by_side.hpp"
#include "passes/steps.hpp"
#include "passes/verify.hpp"

namespace tutti::passes {
namespace {

// Runs a pass; with TUTTI_LOG its time is told.
template <class F>
auto timed(const char* name, F pass) {
  const auto start = std::chrono::steady_clock::now();
  auto result = pass();
  if (live_settings().log) {
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "tutti: pass %-22s %8.1f us\n", name, took.count());
  }
  return result;
}

class Planner {
 public:
  Planner(Graph graph, const target::Target& target) : graph_(std::move(graph)), target_(target) {}

  std::unique_ptr<Plan> run() {
    verify(graph_, "collection");
    const std::vector<int> stands_for =
        timed("common subexpressions", [&] { return eliminate_common_subexpressions(graph_); });
    verify(graph_, "common subexpressions");
    const bool steps = target_.rerolls_loops && timed("steps", [&] { return mark_steps(graph_); });
    make_steps();
    if (steps && written_out_) {  // no loop after all: kernels must be cut to size
      for (GraphNode& node : graph_.nodes) node.again = false;
      make_steps();
    }
    timed("consumers", [&] {
      fuse_consumers(*plan_);
      return 0;
    });
    note_last_uses();
    if (target_.blocks_rows)
      timed("chains", [&] {
        form_chains(*plan_);
        return 0;
      });
    note_last_uses();
    for (int place : stands_for) {
      plan_->value_of.push_back(value_of_[place]);
      plan_->leaf_of.push_back(graph_.nodes[place].kind == ir::Kind::leaf ? graph_.nodes[place].slot
                                                                          : -1);
    }
    return std::move(plan_);
  }

 private:
  void make_steps() {
    plan_ = std::make_unique<Plan>();
    plan_->target = &target_;
    written_out_ = false;
    memory_ = timed("materialise", [&] { return decide_materialisation(graph_, target_); });
    drop_unused();
    const std::vector<Group> groups =
        timed("group", [&] { return group_kernels(graph_, memory_); });
    number_values();
    timed("lower", [&] {
      for (const Group& group : groups) add_group(group);
      return 0;
    });
  }

  // Rewriting leaves nodes that no result needs any more: nothing is computed for them.
  void drop_unused() {
    std::vector<bool> used(graph_.nodes.size(), false);
    for (int i = static_cast<int>(graph_.nodes.size()) - 1; i >= 0; --i) {
      if (graph_.nodes[i].keep) used[i] = true;
      if (!used[i]) {
        memory_.in_memory[i] = false;
        continue;
      }
      for (int input : graph_.nodes[i].inputs) used[input] = true;
    }
  }

  void number_values() {
    value_of_.assign(graph_.nodes.size(), -1);
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (memory_.in_memory[i]) {
        const GraphNode& node = graph_.nodes[i];
        value_of_[i] = add_value(node.type, node.shape.size());
        plan_->values.back().keep = node.keep;
      }
  }

  int add_value(ElementType type, int64_t elements) {
    PlanValue value;
    value.type = type;
    value.elements = elements;
    plan_->values.push_back(std::move(value));
    return static_cast<int>(plan_->values.size()) - 1;
  }

  void add_group(const Group& group) {
    const GraphNode& node = graph_.nodes[group.nodes[0]];
    switch (group.kind) {
      case Group::Kind::alias:
        plan_->steps.emplace_back(AliasStep{source_of(node.inputs[0]), value_of_[group.nodes[0]]});
        return;
      case Group::Kind::product:
        add_product(node, group);
        return;
      case Group::Kind::primitive:
        add_primitive(node, group);
        return;
      case Group::Kind::map:
        if (node.shape.size() == 0) return;
        break;
      case Group::Kind::reduce:
        if (node.shape.size() == 0) return;
        if (graph_.nodes[node.inputs[0]].shape.size() == 0) {
          for (int i : group.nodes)
            plan_->steps.emplace_back(FillStep{
                ir::empty_result(graph_.nodes[i].reduction, graph_.nodes[i].type), value_of_[i]});
          return;
        }
        break;
    }
    Kernel kernel = lower(graph_, memory_, group, value_of_);
    if (target_.rerolls_loops && kernel.code.size() > cost::largest_straight && !reroll(kernel))
      written_out_ = true;
    if (target_.interleaves_tuples) join_sources(kernel);
    finish_kernel(kernel);
    note(kernel.form == Form::map ? "map" : "reduce", kernel.domain, group, kernel.sources);
    const auto first_step = plan_->steps.size();
    add_kernel(std::move(kernel));
    name_steps(first_step, group);
  }

  Source source_of(int i) const {
    const GraphNode& node = graph_.nodes[i];
    const bool leaf = node.kind == ir::Kind::leaf;
    return Source{!leaf, leaf ? node.slot : value_of_[i], node.type, node.shape};
  }

  void add_product(const GraphNode& node, const Group& group) {
    ProductStep step;
    step.type = node.type;
    const auto operand = [&](int i, bool& transposed) {
      const int matrix = transposed_matrix(graph_, i);
      transposed = matrix >= 0;
      return source_of(transposed ? matrix : i);
    };
    step.a = operand(node.inputs[0], step.a_transposed);
    step.b = operand(node.inputs[1], step.b_transposed);
    const Extents& right = graph_.nodes[node.inputs[1]].shape;
    step.inner = right[0];
    step.columns = elements_along(right, 1, right.rank);
    step.rows = elements_along(graph_.nodes[node.inputs[0]].shape, 0,
                               graph_.nodes[node.inputs[0]].shape.rank - 1);
    step.value = value_of_[group.nodes[0]];
    if (node.shape.size() == 0) return;
    if (step.inner == 0) {  // a sum of no products
      plan_->steps.emplace_back(FillStep{ScalarValue{node.type, 0}, step.value});
      return;
    }
    note("product", node.shape, group, {step.a, step.b});
    plan_->steps.emplace_back(std::move(step));
  }

  // What a primitive computes as it goes, into the caches.
  std::unique_ptr<KernelStep> computed_input(const Group& group, size_t input) {
    Kernel kernel = lower(graph_, memory_, group, value_of_, input);
    finish_kernel(kernel);
    kernel.streaming = false;
    kernel.fused = true;
    return std::make_unique<KernelStep>(scheduled(std::move(kernel)));
  }

  void add_primitive(const GraphNode& node, const Group& group) {
    if (node.shape.size() == 0) return;
    const int place = group.nodes[0];
    PrimitiveStep step;
    step.kind = node.kind;
    step.reduction = node.reduction;
    step.mode = node.mode;
    step.type = node.type;
    step.shape = node.shape;
    step.value = value_of_[place];
    step.place = place;
    for (int input : node.inputs) step.inputs.push_back(source_of(input));
    const size_t computed = ir::computed_inputs(node.kind);
    if (computed > 0 && step.inputs[0].shape.size() > 0) {
      step.elements = computed_input(group, 0);
      step.fused = step.inputs[0].id < 0;
      if (computed > 1 && step.inputs[1].id < 0) step.values = computed_input(group, 1);
    }
    std::vector<Source> reads;
    for (const Source& input : step.inputs)
      if (input.id >= 0) reads.push_back(input);
    for (const auto* kernel : {step.fused ? step.elements.get() : nullptr, step.values.get()})
      if (kernel)
        reads.insert(reads.end(), kernel->kernel.sources.begin(), kernel->kernel.sources.end());
    note(ir::kind_name(node.kind), node.shape, group, std::move(reads));
    plan_->steps.emplace_back(std::move(step));
  }

  void note(const char* name, const Extents& shape, const Group& group, std::vector<Source> reads) {
    auto what = std::make_shared<Explanation::Kernel>();
    what->name = name;
    what->operations = describe_operations(graph_, memory_.in_memory, group.nodes);
    std::vector<int> writes;
    for (int i : group.nodes) {
      writes.push_back(value_of_[i]);
      if (what->reason.find(memory_.reason[i]) == std::string::npos)
        what->reason += (what->reason.empty() ? "" : "; ") + memory_.reason[i];
    }
    plan_->notes.push_back({std::move(what), shape, std::move(reads), std::move(writes)});
  }

  // For messages of the device: what a kernel computes, and the source lines behind it.
  void name_steps(size_t first, const Group& group) {
    std::string text;
    for (int i : group.nodes) {
      const std::vector<std::string> operations =
          describe_operations(graph_, memory_.in_memory, {i});
      text += (text.empty() ? "" : ", ") + operations.back() + detail::at(graph_.nodes[i].where);
    }
    const auto name = std::make_shared<const std::string>(std::move(text));
    for (size_t s = first; s < plan_->steps.size(); ++s)
      std::get<KernelStep>(plan_->steps[s]).name = name;
  }

  KernelStep scheduled(Kernel kernel) const {
    choose_schedule(kernel, target_);
    verify(kernel);
    return KernelStep(std::move(kernel), target_);
  }

  // What a reduction leaves of its tiles is reduced by the next kernel in turn.
  void add_kernel(Kernel kernel) {
    if (kernel.form == Form::map) {
      plan_->steps.emplace_back(scheduled(std::move(kernel)));
      return;
    }
    const bool wide = kernel.form == Form::reduce_wide;
    const int64_t tiles = tiles_of(kernel);
    if (tiles == 1) {
      plan_->steps.emplace_back(scheduled(std::move(kernel)));
      return;
    }
    Kernel next;
    next.form = kernel.form;
    next.kept = 1;
    next.domain.push_back(elements_along(kernel.domain, 0, kernel.kept));
    next.domain.push_back(tiles);
    if (!wide) next.domain.push_back(kernel.domain[kernel.inner()]);
    Load load;
    for (int dim = 0; dim < next.domain.rank; ++dim) {
      IndexExpr e;
      e.kind = IndexExpr::Kind::dim;
      e.dim = dim;
      e.high = next.domain[dim] - 1;
      load.axes.push_back({dim, dim});
      next.indices.push_back(e);
    }
    for (Output& output : kernel.outputs) {
      const int partial = add_value(output.type, next.domain.size());
      load.source = static_cast<int>(next.sources.size());
      next.sources.push_back(Source{true, partial, output.type, next.domain});
      Instruction in;
      in.kind = Instruction::Kind::load;
      in.type = output.type;
      in.slot = static_cast<int>(next.loads.size());
      next.loads.push_back(load);
      next.code.push_back(in);
      Output total = output;
      total.instruction = static_cast<int>(next.code.size()) - 1;
      next.outputs.push_back(total);
      output.value = partial;
    }
    plan_->steps.emplace_back(scheduled(std::move(kernel)));
    add_kernel(std::move(next));
  }

  void note_last_uses() {
    for (int s = 0; s < static_cast<int>(plan_->steps.size()); ++s) {
      for_each_source(plan_->steps[s], [&](const Source& source) {
        if (source.is_value && source.id >= 0) plan_->values[source.id].last_step = s;
      });
    }
  }

  Graph graph_;
  const target::Target& target_;
  bool written_out_ = false;  // a large kernel was found to have no loop
  Materialised memory_;
  std::vector<int> value_of_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace

std::unique_ptr<Plan> make_plan(Graph graph, const target::Target& target) {
  return Planner(std::move(graph), target).run();
}

}  // namespace tutti::passes
