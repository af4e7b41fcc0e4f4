#include "program/function.hpp"

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "numerics/scalar_apply.hpp"
#include "program/substitute.hpp"
#include "reference/interpreter.hpp"
#include "reference/program_interpreter.hpp"

namespace tutti::ir {
namespace {

void check_arguments(const Function& function, std::span<const NodeRef> arguments,
                     const Location& where) {
  if (arguments.size() != function.parameters.size())
    throw InternalError("inline_function: " + std::to_string(arguments.size()) + " arguments for " +
                        std::to_string(function.parameters.size()) + " parameters" +
                        detail::at(where));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Node &argument = *arguments[i], &parameter = *function.parameters[i];
    if (argument.type != parameter.type ||
        (parameter.shape.rank > 0 && argument.shape.rank != parameter.shape.rank))
      throw InternalError("inline_function: argument " + std::to_string(i) +
                          " does not fit its parameter" + detail::at(where));
  }
}

}  // namespace

NodeRef make_parameter(ElementType type, int rank, const Location& where) {
  Extents shape;  // the extents of an array are known when the function is applied
  for (int i = 0; i < rank; ++i) shape.push_back(1);
  return NodeRef(new Node(Kind::parameter, type, shape, where));
}

std::vector<NodeRef> inline_function(const Function& function, std::span<const NodeRef> arguments,
                                     const Location& where) {
  check_arguments(function, arguments, where);
  return substitute(function, arguments, [&](const Node& node, std::span<const NodeRef> inputs) {
    return rebuild(node, inputs, node.where.line() ? node.where : where);
  });
}

bool has_loops(const Function& function) {
  for (const Node* node : dependent_nodes(function, Dependent::on_loops_too))
    if (node->kind == Kind::program && node->program->loops) return true;
  return false;
}

Function with_loop_limit(const Function& function, int64_t limit) {
  Function result{function.parameters, {}};
  NodeRef exceeded;
  std::unordered_map<const ScalarProgram*, ProgramRef> limited;
  result.results = substitute(
      function, function.parameters,
      [&](const Node& node, std::span<const NodeRef> inputs) {
        if (node.kind != Kind::program || !node.program->loops)
          return rebuild(node, inputs, node.where);
        ProgramRef& program = limited[node.program.get()];
        if (!program) program = limit_iterations(*node.program);
        std::vector<NodeRef> all(inputs.begin(), inputs.end());
        const NodeRef more[] = {make_constant(scalar_value(int64_t{1}), {}, node.where),
                                make_constant(scalar_value(limit), {}, node.where),
                                make_constant(scalar_value(true), {}, node.where)};
        all.insert(all.begin() + node.program->inputs, std::begin(more), std::end(more));
        const int last = static_cast<int>(program->outputs.size()) - 1;
        const NodeRef flag = make_program(program, all, last, node.where);
        const NodeRef both[] = {exceeded, flag};
        exceeded = exceeded ? make_elementwise(Op::logical_or, both, node.where) : flag;
        return make_program(program, all, node.get<ProgramOutput>().number, node.where);
      },
      Dependent::on_loops_too);
  result.results.push_back(exceeded);
  return result;
}

void require_operator(const Function& function, std::span<const ElementType> components,
                      const char* operation, const Location& where) {
  const size_t n = components.size();
  bool fits = function.parameters.size() == 2 * n && function.results.size() == n;
  for (size_t i = 0; fits && i < n; ++i)
    fits = function.parameters[i]->type == components[i] &&
           function.parameters[n + i]->type == components[i] &&
           function.results[i]->type == components[i];
  if (fits) return;
  const auto list = [](const std::vector<NodeRef>& nodes) {
    std::string text;
    for (const NodeRef& node : nodes)
      text += (text.empty() ? "" : ", ") + std::string(name(node->type));
    return text;
  };
  std::string wanted;
  for (ElementType type : components)
    wanted += (wanted.empty() ? "" : ", ") + std::string(name(type));
  throw TypeError(std::string(operation) + ": the operator must take two elements (" + wanted +
                  ") and give one; it takes (" + list(function.parameters) + ") and gives (" +
                  list(function.results) + ")" + detail::at(where));
}

namespace {

// Returns the reduction that combines elements by this operation. Reductions of half add in float,
// unlike the operator, so they do not match.
std::optional<Reduction> named(Op op, ElementType type) {
  if (op == Op::logical_xor) op = Op::bit_xor;  // the same for bool
  for (int i = 0; i < reduction_count; ++i) {
    const auto reduction = static_cast<Reduction>(i);
    if (info_of(reduction).op != op) continue;
    return sums_in_float(reduction, type) ? std::nullopt : canonical_reduction(reduction, type);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Reduction> known_reductions(const Function& combiner) {
  const size_t n = combiner.results.size();
  std::vector<Reduction> result;
  for (size_t c = 0; c < n; ++c) {
    const Node& node = *combiner.results[c];
    if (node.kind != Kind::elementwise || node.inputs().size() != 2) return {};
    const NodeRef &left = combiner.parameters[c], &right = combiner.parameters[n + c];
    const auto inputs = node.inputs();  // all of these operations are commutative
    const bool both =
        (inputs[0] == left && inputs[1] == right) || (inputs[0] == right && inputs[1] == left);
    const auto reduction = named(node.op, node.type);
    if (!both || !reduction) return {};
    result.push_back(*reduction);
  }
  return result;
}

int count_operations(const Function& function) {
  int count = 0;
  // Outputs of one call are computed together; unused ones are not computed.
  std::map<std::pair<ProgramRef, std::vector<const Node*>>, std::set<int>> calls;
  for (const Node* node : dependent_nodes(function)) {
    if (node->kind == Kind::elementwise || node->kind == Kind::gather) ++count;
    if (node->kind != Kind::program) continue;
    std::vector<const Node*> inputs;
    for (const NodeRef& input : node->inputs()) inputs.push_back(input.get());
    calls[{node->program, inputs}].insert(node->get<ProgramOutput>().number);
  }
  for (const auto& [call, outputs] : calls)
    count += specialise(*call.first, {outputs.begin(), outputs.end()})->operations;
  return count;
}

// ---- interpreter

FunctionInterpreter::FunctionInterpreter(const Function& function)
    : function_(function), parameters_(function.parameters.size()) {
  std::unordered_map<const Node*, int> places;
  const auto add = [&](const Node* node, std::vector<int> inputs) {
    places[node] = static_cast<int>(steps_.size());
    steps_.push_back({node, std::move(inputs)});
    values_.push_back({node->type, 0});
  };
  for (const NodeRef& parameter : function.parameters) add(parameter.get(), {});
  // Nodes that depend on no parameter are computed once, here.
  const auto place = [&](const NodeRef& node) {
    if (!places.count(node.get())) {
      add(node.get(), {});
      const Bytes bytes = interpret({&node, 1})[0];
      std::memcpy(&values_.back().bits, bytes.data(), bytes.size());
    }
    return places.at(node.get());
  };
  std::vector<Node*> dependent = dependent_nodes(function);
  for (Node* node : dependent) {
    std::vector<int> inputs;
    // The tables of a gather are its first input, those of a program its last inputs.
    const size_t first = node->kind == Kind::gather ? 1 : 0;
    const size_t last = node->kind == Kind::program ? static_cast<size_t>(node->program->inputs)
                                                    : node->inputs().size();
    for (size_t i = first; i < last; ++i) inputs.push_back(place(node->inputs()[i]));
    add(node, std::move(inputs));
    for (size_t i = 0; i < node->inputs().size(); ++i)
      if (i < first || i >= last)
        steps_.back().tables.push_back(interpret({&node->inputs()[i], 1})[0]);
  }
  for (const NodeRef& result : function.results) results_.push_back(place(result));
}

std::vector<ScalarValue> FunctionInterpreter::operator()(std::span<const ScalarValue> arguments) {
  if (arguments.size() != parameters_)
    throw InternalError("FunctionInterpreter: the number of arguments is wrong");
  std::copy(arguments.begin(), arguments.end(), values_.begin());
  for (size_t i = parameters_; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.inputs.empty()) continue;
    std::vector<ScalarValue> operands;
    for (int input : step.inputs) operands.push_back(values_[static_cast<size_t>(input)]);
    if (step.node->kind == Kind::elementwise)
      values_[i] = apply_operation(step.node->op, step.node->type, operands);
    else if (step.node->kind == Kind::cast)
      values_[i] = convert(operands[0], step.node->type);
    else if (step.node->kind == Kind::gather)
      values_[i] = gather(step);
    else
      values_[i] = run_program(step, operands);
  }
  std::vector<ScalarValue> results;
  for (int place : results_) results.push_back(values_[static_cast<size_t>(place)]);
  return results;
}

ScalarValue FunctionInterpreter::run_program(const Step& step,
                                             std::span<const ScalarValue> operands) const {
  const ScalarProgram& program = *step.node->program;
  std::vector<ProgramInterpreter::Table> tables;
  for (size_t i = 0; i < step.tables.size(); ++i)
    tables.push_back({step.tables[i].data(),
                      step.node->inputs()[static_cast<size_t>(program.inputs) + i]->shape});
  return ProgramInterpreter(program, std::move(tables))
      .run(operands, 0)[static_cast<size_t>(step.node->get<ProgramOutput>().number)];
}

ScalarValue FunctionInterpreter::gather(const Step& step) const {
  const Extents& from = step.node->inputs()[0]->shape;
  int64_t position = 0;
  for (int axis = 0; axis < from.rank; ++axis) {
    const ScalarValue& index = values_[static_cast<size_t>(step.inputs[static_cast<size_t>(axis)])];
    int64_t coordinate = static_cast<int32_t>(index.bits);
    if (!bring_inside(coordinate, from[axis], step.node->map->boundary))
      return step.node->map->fill;
    position = position * from[axis] + coordinate;
  }
  ScalarValue result{step.node->type, 0};
  const auto size = static_cast<size_t>(size_of(step.node->type));
  std::memcpy(&result.bits, step.tables[0].data() + static_cast<size_t>(position) * size, size);
  return result;
}

}  // namespace tutti::ir
