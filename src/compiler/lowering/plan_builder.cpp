#include "compiler/lowering/plan_builder.hpp"

#include <algorithm>

#include "compiler/lowering/lower.hpp"
#include "compiler/plan/words_in_place.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::compiler {
namespace {

const char* name_of(Form form) {
  if (form == Form::recurrence) return "recurrence";
  return form == Form::map ? "map" : "reduce";
}

class PlanBuilder {
 public:
  PlanBuilder(const Graph& graph, const Materialised& memory, const target::Target& target,
              KernelPasses passes)
      : graph_(graph), memory_(memory), target_(target), passes_(std::move(passes)) {
    plan_->target = &target;
    number_values();
  }

  void add(const Group& group) {
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
      case Group::Kind::recurrence:
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
    Kernel kernel = lower(graph_, memory_, group, value_of_, target_);
    for (Output& output : kernel.outputs)  // states of a recurrence that are not results
      if (output.value < 0) output.value = add_value(output.type, kernel.domain.size());
    passes_.prepare(kernel);
    note(name_of(kernel.form), kernel.domain, group, kernel.sources);
    const auto first_step = plan_->steps.size();
    add_kernel(std::move(kernel));
    name_steps(first_step, group);
  }

  std::unique_ptr<Plan> take() {
    plan_->value_of = std::move(value_of_);
    return std::move(plan_);
  }

 private:
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
    plan_->values.push_back(value);
    return static_cast<int>(plan_->values.size()) - 1;
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

  // Makes the kernel that computes inputs of a primitive while it runs, into the caches.
  std::unique_ptr<KernelStep> computed_inputs(const Group& group, std::vector<size_t> inputs) {
    Kernel kernel = lower(graph_, memory_, group, value_of_, target_, std::move(inputs));
    kernel.fused = true;
    passes_.prepare(kernel);
    return std::make_unique<KernelStep>(scheduled(std::move(kernel)));
  }

  // Computes those inputs of a scatter that are not in memory, by one kernel.
  void compute_scattered(PrimitiveStep& step, const Group& group) {
    std::vector<size_t> computed;
    for (size_t k = 1; k < step.inputs.size(); ++k)
      if (step.inputs[k].id < 0) computed.push_back(k);
    if (computed.empty() || step.inputs[1].shape.size() == 0) return;
    step.elements = computed_inputs(group, std::move(computed));
    step.fused = true;
  }

  // A part of a transform that is no result gets a value of its own.
  void set_parts(PrimitiveStep& step, const Group& group) {
    int parts[] = {-1, -1};
    for (int i : group.nodes)
      parts[graph_.nodes[i].get<ir::FourierLines>().imaginary] = value_of_[i];
    for (int& part : parts)
      if (part < 0) part = add_value(step.type, step.shape.size());
    step.value = parts[0];
    step.second_value = parts[1];
  }

  void add_primitive(const GraphNode& node, const Group& group) {
    if (node.shape.size() == 0) return;
    const int place = group.nodes[0];
    PrimitiveStep step;
    step.kind = node.kind;
    step.reduction = node.reduction;
    step.payload = node.payload;
    step.type = node.type;
    step.shape = node.shape;
    step.value = value_of_[place];
    step.place = node.place < 0 ? place : node.place;
    if (node.kind == ir::Kind::fourier_lines) set_parts(step, group);
    for (int input : node.inputs) step.inputs.push_back(source_of(input));
    const size_t computed = ir::computed_inputs(node.kind);
    if (computed > 0 && step.inputs[0].shape.size() > 0) {
      step.elements = computed_inputs(group, {0});
      step.fused = step.inputs[0].id < 0;
      if (computed > 1 && step.inputs[1].id < 0) step.values = computed_inputs(group, {1});
    }
    step.in_place = node.in_place && target_.computes_sections_in_place && step.elements &&
                    step.elements->layout.words() <= static_cast<int>(most_words_in_place);
    if (node.kind == ir::Kind::scatter) compute_scattered(step, group);
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
      const std::string line = detail::at(graph_.nodes[i].where);
      if (!line.empty() && std::ranges::find(what->lines, line) == what->lines.end())
        what->lines.push_back(line);
      if (what->reason.find(memory_.reason[i]) == std::string::npos)
        what->reason += (what->reason.empty() ? "" : "; ") + memory_.reason[i];
    }
    plan_->notes.push_back({std::move(what), shape, std::move(reads), std::move(writes)});
  }

  // Names steps for error messages of the device: what a kernel computes, and its source lines.
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
    passes_.schedule(kernel);
    return KernelStep(std::move(kernel), target_);
  }

  // Adds the steps of a kernel. A reduction with several tiles is followed by one of their totals.
  void add_kernel(Kernel kernel) {
    if (kernel.form == Form::map || kernel.form == Form::recurrence || tiles_of(kernel) == 1) {
      plan_->steps.emplace_back(scheduled(std::move(kernel)));
      return;
    }
    Kernel next = reduction_of_tiles(kernel);
    plan_->steps.emplace_back(scheduled(std::move(kernel)));
    add_kernel(std::move(next));
  }

  // Returns the kernel that reduces the totals of tiles. `kernel` writes those to new values.
  Kernel reduction_of_tiles(Kernel& kernel) {
    Kernel next;
    next.form = kernel.form;
    next.kept = 1;
    next.domain.push_back(elements_along(kernel.domain, 0, kernel.kept));
    next.domain.push_back(tiles_of(kernel));
    if (kernel.form == Form::reduce_column) next.domain.push_back(kernel.domain[kernel.inner()]);
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
    return next;
  }

  const Graph& graph_;
  const Materialised& memory_;
  const target::Target& target_;
  const KernelPasses passes_;
  std::vector<int> value_of_;
  std::unique_ptr<Plan> plan_ = std::make_unique<Plan>();
};

}  // namespace

std::unique_ptr<Plan> build_plan(const Graph& graph, const Materialised& memory,
                                 const std::vector<Group>& groups, const target::Target& target,
                                 KernelPasses passes) {
  PlanBuilder builder(graph, memory, target, std::move(passes));
  for (const Group& group : groups) builder.add(group);
  return builder.take();
}

}  // namespace tutti::compiler
