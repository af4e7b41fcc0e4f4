#include "compiler/verify.hpp"

#include "compiler/kernel/index_range.hpp"
#include "graph/type_rules.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

[[noreturn]] void broken(const std::string& what, size_t where) {
  throw InternalError("a pass broke its promise: " + what + " at " + std::to_string(where));
}

void check(bool holds, const char* what, size_t where) {
  if (!holds) broken(what, where);
}

void check_inputs(const Graph& graph, size_t i) {
  const GraphNode& node = graph.nodes[i];
  for (int input : node.inputs)
    check(input >= 0 && static_cast<size_t>(input) < i, "an input comes after its user", i);
  if (node.kind == Kind::elementwise) {
    check(static_cast<int>(node.inputs.size()) == ir::op_arity(node.op),
          "an operation has the wrong number of inputs", i);
    std::vector<ElementType> types;
    for (int input : node.inputs) {
      const GraphNode& from = graph.nodes[static_cast<size_t>(input)];
      check(from.shape == node.shape || from.shape.rank == 0, "an operand has another shape", i);
      types.push_back(from.type);
    }
    check(ir::result_type(node.op, types, node.where) == node.type,
          "an operation gives another type", i);
  }
  if (ir::info_of(node.kind).keeps_type)
    check(graph.nodes[static_cast<size_t>(node.inputs[0])].type == node.type,
          "the element type changes", i);
  if (node.kind == Kind::affine)
    for (int axis = 0; axis < graph.nodes[static_cast<size_t>(node.inputs[0])].shape.rank; ++axis)
      check(node.map->axes[static_cast<size_t>(axis)].axis < node.shape.rank,
            "a map names an axis that is not there", i);
}

// A 64-bit coordinate needs a kernel with wide indices.
bool is_coordinate(ElementType type, bool wide) {
  return ir::is_index_type(type) && (wide || size_of(type) == 4);
}

void check_indices(const Kernel& kernel) {
  for (size_t i = 0; i < kernel.indices.size(); ++i) {
    const IndexExpr& e = kernel.indices[i];
    check(e.dim >= IndexExpr::from_data && e.dim < kernel.domain.rank,
          "a coordinate follows an axis that is not there", i);
    if (e.is_derived())
      check(e.source >= 0 && static_cast<size_t>(e.source) < i,
            "a coordinate comes before its source", i);
    if (e.kind == IndexExpr::Kind::gathered)
      check(e.source >= 0 && static_cast<size_t>(e.source) < kernel.code.size() &&
                is_coordinate(kernel.code[static_cast<size_t>(e.source)].type, kernel.wide_index),
            "a coordinate is no integer of its width", i);
    if (e.divides())
      check(e.scale > 0 && kernel.indices[static_cast<size_t>(e.source)].low >= 0,
            "a joined coordinate cannot be divided", i);
    const bool narrow = e.low >= INT32_MIN && e.high <= INT32_MAX && e.extent <= INT32_MAX;
    check(kernel.wide_index || narrow, "a coordinate does not fit its 32 bits", i);
    if (e.kind == IndexExpr::Kind::clamp || e.kind == IndexExpr::Kind::wrap)
      check(e.extent > 0 && e.low >= 0 && e.high < e.extent, "a boundary rule leaves its array", i);
  }
}

void check_loads(const Kernel& kernel) {
  for (size_t i = 0; i < kernel.loads.size(); ++i) {
    const Load& load = kernel.loads[i];
    check(load.source >= 0 && static_cast<size_t>(load.source) < kernel.sources.size(),
          "a load has no source", i);
    const Source& source = kernel.sources[static_cast<size_t>(load.source)];
    for (const Load::Axis& axis : load.axes) {
      check(axis.index >= 0 && static_cast<size_t>(axis.index) < kernel.indices.size(),
            "a load has no coordinate", i);
      check(axis.source_axis >= 0 && axis.source_axis < source.shape.rank,
            "a load names an axis that is not there", i);
      // Joined axes iterate over several axes of the source as one.
      const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
      check(e.low >= 0 && e.high < source.shape.size(), "a load leaves its array", i);
    }
  }
}

// Register tiles omit the boundary rules along rows and columns: inside of the tiled rectangle each
// must be the identity.
void check_tiles(const Kernel& kernel, const schedule::RegisterTiles& t) {
  const auto stays_inside = [&](int index, int64_t extent) {
    const int dim = kernel.indices[static_cast<size_t>(index)].dim;
    if (dim != kernel.inner() && dim != kernel.inner() - 1) return true;
    const IndexRange tiled = dim == kernel.inner() ? IndexRange{t.first_column, t.last_column - 1}
                                                   : IndexRange{t.first_row, t.last_row - 1};
    return dim < 0 || range_of(kernel, index, dim, tiled).within(0, extent);
  };
  for (size_t i = 0; i < kernel.indices.size(); ++i) {
    const IndexExpr& e = kernel.indices[i];
    if (e.kind == IndexExpr::Kind::clamp || e.kind == IndexExpr::Kind::wrap)
      check(stays_inside(e.source, e.extent), "a register tile crosses a border", i);
  }
  for (size_t i = 0; i < kernel.code.size(); ++i)
    if (kernel.code[i].kind == Instruction::Kind::inside)
      check(stays_inside(kernel.code[i].slot, kernel.code[i].extent),
            "a register tile leaves its array", i);
  for (size_t i = 0; i < kernel.loads.size(); ++i)
    for (const Load::Axis& axis : kernel.loads[i].axes)
      check(!kernel.indices[static_cast<size_t>(axis.index)].is_computed(),
            "a register tile reads at computed indices", i);
}

}  // namespace

void verify(const Graph& graph, const char* after) {
  try {
    for (size_t i = 0; i < graph.nodes.size(); ++i) check_inputs(graph, i);
    for (int root : graph.roots)
      check(graph.nodes.at(static_cast<size_t>(root)).keep, "a result is not kept",
            static_cast<size_t>(root));
  } catch (const Error& error) {
    throw InternalError(std::string(error.what()) + ", after " + after);
  }
}

void verify(const Kernel& kernel) {
  check(kernel.domain.rank >= 1 && kernel.kept >= 0 && kernel.kept <= kernel.domain.rank,
        "the domain is malformed", 0);
  check(kernel.form != Form::recurrence || kernel.kept + 1 < kernel.domain.rank,
        "a recurrence has no axis for its lanes", 0);
  check_indices(kernel);
  check_loads(kernel);
  check(!std::holds_alternative<std::monostate>(kernel.schedule), "a kernel has no schedule", 0);
  if (const auto* tiles = schedule::on_gpu<schedule::RegisterTiles>(kernel.schedule))
    check_tiles(kernel, *tiles);
  for (size_t i = 0; i < kernel.code.size(); ++i) {
    const Instruction& in = kernel.code[i];
    for (int input : in.inputs)
      check(input < static_cast<int>(i), "an instruction comes before its operand", i);
    if (in.kind == Instruction::Kind::op) {
      std::vector<ElementType> types;
      for (int input : in.inputs)
        if (input >= 0) types.push_back(kernel.code[static_cast<size_t>(input)].type);
      check(ir::result_type(in.op, types, {}) == in.type, "an instruction gives another type", i);
    }
    if (in.kind == Instruction::Kind::program) {
      const ProgramCall& call = kernel.programs.at(static_cast<size_t>(in.slot));
      for (int argument : call.arguments)
        check(argument < static_cast<int>(i), "a program runs before its arguments", i);
      const int slot = call.program->outputs.at(static_cast<size_t>(in.output));
      check(call.program->slots.at(static_cast<size_t>(slot)) == in.type,
            "a program gives another type", i);
    }
    if (in.kind == Instruction::Kind::carried || in.kind == Instruction::Kind::after) {
      const Repeat::Carried& carried = kernel.repeat.carried.at(static_cast<size_t>(in.slot));
      for (int from : {carried.before, carried.next})
        check(kernel.code.at(static_cast<size_t>(from)).type == in.type,
              "a step is given another type", i);
    }
    if (in.kind == Instruction::Kind::previous)
      check(kernel.form == Form::recurrence &&
                kernel.outputs.at(static_cast<size_t>(in.slot)).type == in.type &&
                kernel.code.at(static_cast<size_t>(in.inputs[0])).type == in.type,
            "a recurrence is given another type", i);
    if (in.kind == Instruction::Kind::load)
      check(
          in.slot >= 0 && static_cast<size_t>(in.slot) < kernel.loads.size() &&
              kernel.sources[static_cast<size_t>(kernel.loads[static_cast<size_t>(in.slot)].source)]
                      .type == in.type,
          "a load gives another type", i);
  }
  for (const Output& output : kernel.outputs)
    check(output.instruction >= 0 && static_cast<size_t>(output.instruction) < kernel.code.size() &&
              kernel.code[static_cast<size_t>(output.instruction)].type == output.type,
          "an output stores another type", static_cast<size_t>(output.value));
}

void verify(const Plan& plan, const char* after) {
  std::vector<bool> written(plan.values.size(), false);
  const auto check_reads = [&](const Source& source, size_t step) {
    if (!source.is_value || source.id < 0) return;
    const auto value = static_cast<size_t>(source.id);
    if (value >= plan.values.size() || (!written[value] && plan.values[value].elements > 0))
      throw InternalError("a pass broke its promise: step " + std::to_string(step) +
                          " reads value " + std::to_string(source.id) +
                          ", which no earlier step writes, after " + after);
  };
  const auto check_kernel = [&](const Kernel& kernel, int in_registers, size_t step) {
    for (const Source& source : kernel.sources)
      if (!source.is_value || source.id != in_registers) check_reads(source, step);
    for (const Output& output : kernel.outputs)
      if (output.value >= 0) written.at(static_cast<size_t>(output.value)) = true;
  };
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    if (const auto* kernel = std::get_if<KernelStep>(&step)) check_kernel(kernel->kernel, -1, s);
    if (const auto* chain = std::get_if<ChainStep>(&step))
      for (const KernelStep& kernel : chain->kernels) check_kernel(kernel.kernel, -1, s);
    if (const auto* product = std::get_if<ProductStep>(&step)) {
      check_reads(product->a, s), check_reads(product->b, s);
      written.at(static_cast<size_t>(product->value)) = true;
    }
    if (const auto* alias = std::get_if<AliasStep>(&step)) {
      check_reads(alias->from, s);
      written.at(static_cast<size_t>(alias->value)) = true;
    }
    if (const auto* fill = std::get_if<FillStep>(&step))
      written.at(static_cast<size_t>(fill->value)) = true;
    if (const auto* primitive = std::get_if<PrimitiveStep>(&step)) {
      for (const Source& input : primitive->inputs) check_reads(input, s);
      for (const auto* part : {&primitive->elements, &primitive->values})
        if (*part) {
          for (const Source& source : (*part)->kernel.sources) check_reads(source, s);
        }
      written.at(static_cast<size_t>(primitive->value)) = true;
      if (primitive->second_value >= 0)
        written.at(static_cast<size_t>(primitive->second_value)) = true;
      if (primitive->consumer) check_kernel(primitive->consumer->kernel, primitive->value, s);
    }
  }
  for (size_t v = 0; v < plan.values.size(); ++v)
    if (plan.values[v].keep && plan.values[v].elements > 0 && !written[v])
      throw InternalError("a pass broke its promise: no step writes value " + std::to_string(v) +
                          ", which is kept, after " + after);
}

}  // namespace tutti::compiler
