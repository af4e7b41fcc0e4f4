// Describes kernels for explain(): the operations fused into them, and the bytes that they read.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include "compiler/plan/plan.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

// "axis 1", "axes 0, 2"
std::string list_axes(uint32_t mask) {
  std::string text = std::has_single_bit(mask) ? "axis " : "axes ";
  for (uint32_t left = mask; left; left &= left - 1)
    text += (left == mask ? "" : ", ") + std::to_string(std::countr_zero(left));
  return text;
}

std::string describe(const GraphNode& node) {
  switch (node.kind) {
    case Kind::constant:
      return "constant";
    case Kind::index:
      return "index(" + std::to_string(node.get<ir::IndexAxis>().axis) + ")";
    case Kind::elementwise:
      return ir::op_name(node.op);
    case Kind::cast:
      return std::string("cast<") + name(node.type) + ">";
    case Kind::affine: {
      std::string text = node.map->name;
      if (text != "shift" && text != "rotate") return text;
      for (int i = 0; i < node.shape.rank; ++i)
        text += (i ? ", " : " {") + std::to_string(-node.map->axes[i].offset);
      return text + "}";
    }
    case Kind::gather:
      return "gather";
    case Kind::reduce:
      return std::string(ir::reduction_name(node.reduction)) + "(" +
             list_axes(node.get<ir::ReducedAxes>().mask) + ")";
    case Kind::leaf:
      break;
    default:
      if (!ir::is_combining_primitive(node.kind)) return ir::kind_name(node.kind);
      return std::string(ir::kind_name(node.kind)) + "(" + ir::reduction_name(node.reduction) + ")";
  }
  return "array";
}

// ---- the part of an array that is read

using Kernels = std::vector<const Kernel*>;

// Calls f(kernel) for the kernels of a step.
template <class F>
void for_each_kernel(const Step& step, F f) {
  if (const auto* one = std::get_if<KernelStep>(&step)) f(one->kernel);
  if (const auto* chain = std::get_if<ChainStep>(&step))
    for (const KernelStep& part : chain->kernels) f(part.kernel);
  if (const auto* primitive = std::get_if<PrimitiveStep>(&step))
    for (const auto* part : {&primitive->elements, &primitive->values, &primitive->consumer})
      if (*part) f((*part)->kernel);
}

bool writes_one_of(const Kernel& kernel, const std::set<int>& values) {
  return std::any_of(kernel.outputs.begin(), kernel.outputs.end(),
                     [&](const Output& output) { return values.count(output.value) > 0; });
}

// Returns the kernels that compute the values of a note: those that write them, and those that
// write intermediate results, such as totals of tiles, which no note names.
Kernels kernels_of(const Plan& plan, const KernelNote& note) {
  std::set<int> named, wanted(note.writes.begin(), note.writes.end());
  for (const KernelNote& any : plan.notes) named.insert(any.writes.begin(), any.writes.end());
  Kernels result;
  for (const Step& step : std::views::reverse(plan.steps)) {
    const auto* primitive = std::get_if<PrimitiveStep>(&step);
    const bool all = primitive && wanted.count(primitive->value) > 0;
    for_each_kernel(step, [&](const Kernel& kernel) {
      if (!all && !writes_one_of(kernel, wanted)) return;
      result.push_back(&kernel);
      for (const Source& source : kernel.sources)
        if (source.is_value && !named.count(source.id)) wanted.insert(source.id);
    });
  }
  return result;
}

// The coordinates on one axis of an array: from low to high with a constant stride.
struct Span {
  int64_t low = 0, high = 0, step = 0;
  int64_t count() const { return step ? (high - low) / step + 1 : 1; }
  void join(const Span& other) {
    step = std::gcd(std::gcd(step, other.step), low - other.low);
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

Span span_of(const Kernel& kernel, int index, int64_t extent) {
  const IndexExpr* e = &kernel.indices[static_cast<size_t>(index)];
  Span span{std::clamp<int64_t>(e->low, 0, extent - 1), std::clamp<int64_t>(e->high, 0, extent - 1),
            1};
  if (span.low != e->low || span.high != e->high) return span;
  for (; e->kind == IndexExpr::Kind::affine; e = &kernel.indices[static_cast<size_t>(e->source)])
    span.step *= std::abs(e->scale);
  if (e->slot >= 0) return {e->slot, e->slot, 0};  // an index unlike those of other slots
  if (e->kind != IndexExpr::Kind::dim) span.step = 1;
  if (span.low == span.high) span.step = 0;
  return span;
}

// Returns the extent of an axis of a load. A kernel may iterate over several axes of an array as
// one; it then names only the last of them.
int64_t joined_extent(const Load& load, int axis, const Extents& shape) {
  const auto is_named = [&](int other) {
    return std::any_of(load.axes.begin(), load.axes.end(),
                       [&](const Load::Axis& named) { return named.source_axis == other; });
  };
  int64_t extent = shape[axis];
  for (int other = axis - 1; other >= 0 && !is_named(other); --other) extent *= shape[other];
  return extent;
}

// Returns an upper bound on the elements of a source that a kernel reads.
int64_t elements_read(const Kernel& kernel, int s) {
  const Source& source = kernel.sources[static_cast<size_t>(s)];
  const int64_t all = source.shape.size();
  if (kernel.repeat.steps || source.parts > 1 || all == 0) return all;
  for (const ProgramCall& call : kernel.programs)
    for (const ProgramCall::Table& table : call.tables)
      if (table.source == s) return all;
  std::vector<Span> spans;
  int64_t loads = 0;
  for (const Load& load : kernel.loads) {
    if (load.source != s) continue;
    std::vector<Span> here(static_cast<size_t>(source.shape.rank));
    for (const Load::Axis& axis : load.axes)
      here[static_cast<size_t>(axis.source_axis)] =
          span_of(kernel, axis.index, joined_extent(load, axis.source_axis, source.shape));
    if (loads++ == 0)
      spans = std::move(here);
    else
      for (size_t i = 0; i < spans.size(); ++i) spans[i].join(here[i]);
  }
  int64_t inside = 1;
  for (const Span& span : spans) inside *= span.count();
  return std::min(inside, loads * kernel.domain.size());
}

int64_t elements_read(const Kernels& kernels, const Source& source) {
  int64_t result = 0;
  bool found = false;
  for (const Kernel* kernel : kernels)
    for (size_t s = 0; s < kernel->sources.size(); ++s) {
      const Source& other = kernel->sources[s];
      if (other.is_value != source.is_value || other.id != source.id) continue;
      found = true;
      result += elements_read(*kernel, static_cast<int>(s));
    }
  return found ? std::min(result, source.shape.size()) : source.shape.size();
}

}  // namespace

std::vector<Explanation::Kernel> explain(const Plan& plan) {
  std::vector<Explanation::Kernel> result;
  std::map<int, int> makers, alias_of;  // by value: the index of its kernel; the value it aliases
  for (const Step& step : plan.steps)
    if (const auto* alias = std::get_if<AliasStep>(&step); alias && alias->from.is_value)
      alias_of[alias->value] = alias->from.id;
  for (const KernelNote& note : plan.notes) {
    Explanation::Kernel kernel = *note.what;
    std::set<int> needs;
    for (const Source& source : note.reads) {
      int value = source.id;
      while (alias_of.contains(value)) value = alias_of[value];
      if (const auto maker = makers.find(value); source.is_value && maker != makers.end())
        needs.insert(maker->second);
    }
    kernel.needs.assign(needs.begin(), needs.end());
    for (int value : note.writes) makers[value] = static_cast<int>(result.size());
    kernel.shape = detail::to_string(note.shape);
    const Kernels kernels = kernels_of(plan, note);
    for (const Source& source : note.reads)
      kernel.bytes_read += elements_read(kernels, source) * size_of(source.type);
    for (int value : note.writes) {
      const PlanValue& written = plan.values[static_cast<size_t>(value)];
      kernel.bytes_written += written.elements * size_of(written.type);
    }
    if (!note.writes.empty()) kernel.strategy = strategy_of(plan, note.writes[0]);
    result.push_back(std::move(kernel));
  }
  return result;
}

std::vector<std::string> describe_operations(const Graph& graph, const std::vector<bool>& in_memory,
                                             const std::vector<int>& group) {
  std::set<int> seen(group.begin(), group.end());
  std::vector<int> stack(group.begin(), group.end());
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    for (int input : graph.nodes[i].inputs)
      if (!in_memory[input] && graph.nodes[input].kind != Kind::leaf && seen.insert(input).second)
        stack.push_back(input);
  }
  std::vector<std::string> names;
  for (int i : seen)  // ascending: producers first
    if (graph.nodes[i].kind != Kind::constant || std::count(group.begin(), group.end(), i))
      names.push_back(describe(graph.nodes[i]));
  return names;
}

}  // namespace tutti::compiler
