#include "program/recurrence.hpp"

#include <algorithm>

#include "graph/build_transform.hpp"
#include "graph/sibling_outputs.hpp"
#include "program/linearise.hpp"

namespace tutti::ir {
namespace {

using Components = std::vector<NodeRef>;

// Returns the step as one program of its parameters.
Components as_program(const Function& step, const Location& where) {
  Recording recording;
  std::vector<int> slots;
  for (const NodeRef& parameter : step.parameters) recording.inputs.insert(parameter.get());
  for (const NodeRef& result : step.results) {
    RecordedStatement assign;
    assign.kind = StatementKind::assign;
    assign.place = static_cast<int>(recording.slots.size());
    assign.node = result;
    slots.push_back(assign.place);
    recording.slots.push_back(result->type);
    recording.body.push_back(assign);
  }
  return make_outputs(recording, slots, where);
}

void renumber(Block& block, const std::vector<int>& number) {
  for (Statement& s : block) {
    for (int& input : s.inputs) input = number[static_cast<size_t>(input)];
    if (s.result >= 0) s.result = number[static_cast<size_t>(s.result)];
    for (Block& inner : s.blocks) renumber(inner, number);
  }
}

// A program whose first inputs are the states, and the nodes of its other inputs.
struct Step {
  ProgramRef program;
  Components others;  // arguments, then tables
};

Step states_first(const Node& applied, std::span<const NodeRef> states) {
  const ScalarProgram& from = *applied.program;
  ScalarProgram to = from;
  to.values.clear();
  for (const NodeRef& state : states) to.values.push_back(state->type);
  Step result;
  std::vector<int> number;
  for (size_t i = 0; i < applied.inputs().size(); ++i) {
    const NodeRef& input = applied.inputs()[i];
    const bool is_argument = i < static_cast<size_t>(from.inputs);
    const auto state = std::find(states.begin(), states.end(), input);
    if (is_argument && state != states.end()) {
      number.push_back(static_cast<int>(state - states.begin()));
      continue;
    }
    result.others.push_back(input);
    if (!is_argument) continue;
    number.push_back(static_cast<int>(to.values.size()));
    to.values.push_back(from.values[i]);
  }
  to.inputs = static_cast<int>(to.values.size());
  for (size_t v = number.size(); v < from.values.size(); ++v) {
    number.push_back(static_cast<int>(to.values.size()));
    to.values.push_back(from.values[v]);
  }
  renumber(to.body, number);
  result.program = finish_program(to);
  return result;
}

void check_step(const Function& step, std::span<const NodeRef> initial,
                std::span<const NodeRef> components, const Location& where) {
  const auto refuse = [&](const std::string& problem) {
    throw TypeError("recurrence: " + problem + detail::at(where));
  };
  const auto count = [](size_t n) {
    return std::to_string(n) + (n == 1 ? " component" : " components");
  };
  if (step.parameters.size() != initial.size() + components.size())
    refuse("the step must take a previous value of " + count(initial.size()) +
           " and an element of " + count(components.size()) + ", but takes " +
           count(step.parameters.size()));
  if (step.results.size() != initial.size())
    refuse("the step must give the next value, of " + count(initial.size()) + ", but gives " +
           count(step.results.size()));
  for (size_t k = 0; k < initial.size(); ++k) {
    const std::string given = name(initial[k]->type);
    if (step.parameters[k]->type != initial[k]->type)
      refuse("the first value is of " + given + ", but the step takes " +
             name(step.parameters[k]->type));
    if (step.results[k]->type != initial[k]->type)
      refuse("the step gives " + std::string(name(step.results[k]->type)) + " for a value of " +
             given + "; convert its result, or begin with a value of that type");
  }
  for (size_t k = 0; k < components.size(); ++k)
    if (step.parameters[initial.size() + k]->type != components[k]->type)
      refuse("elements are of " + std::string(name(components[k]->type)) + ", but the step takes " +
             name(step.parameters[initial.size() + k]->type));
}

void check_shapes(std::span<const NodeRef> initial, const Extents& shape, int axis,
                  const Location& where) {
  if (axis < 0 || axis >= shape.rank)
    throw ShapeError("recurrence: there is no axis " + std::to_string(axis) + " in the shape " +
                     detail::to_string(shape) + detail::at(where));
  Extents first;
  for (int a = 0; a < shape.rank; ++a)
    if (a != axis) first.push_back(shape[a]);
  for (const NodeRef& value : initial)
    if (value->shape.rank > 0 && !(value->shape == first))
      throw ShapeError("recurrence: first values of shape " + detail::to_string(value->shape) +
                       " for elements of shape " + detail::to_string(shape) + " along axis " +
                       std::to_string(axis) + ", which need the shape " + detail::to_string(first) +
                       detail::at(where));
}

// Along an axis other than the last.
Components along_rows(const Function& step, std::span<const NodeRef> initial,
                      std::span<const NodeRef> components, const RecurrenceAxis& along,
                      const Location& where) {
  const auto states = std::span(step.parameters).first(initial.size());
  const Step ready = states_first(*as_program(step, where)[0], states);
  Components inputs(initial.begin(), initial.end());
  for (const NodeRef& other : ready.others) {
    const auto parameter = std::find(step.parameters.begin(), step.parameters.end(), other);
    const bool is_element = parameter != step.parameters.end();
    const auto number = static_cast<size_t>(parameter - step.parameters.begin());
    inputs.push_back(is_element ? components[number - initial.size()] : other);
  }
  Components results;
  for (size_t k = 0; k < initial.size(); ++k) {
    auto* node = new Node(Kind::recurrence, initial[k]->type, components[0]->shape, where);
    node->program = ready.program;
    node->payload = RecurrenceStep{along.axis, along.backward, static_cast<int>(k)};
    node->set_inputs(inputs);
    results.emplace_back(node);
  }
  return results;
}

// Lanes are neighbours on the last axis, so it is exchanged with the one before it.
Components along_columns(const Function& step, std::span<const NodeRef> initial,
                         std::span<const NodeRef> components, const RecurrenceAxis& along,
                         const Location& where) {
  const int rank = components[0]->shape.rank;
  if (rank == 1) {
    Components columns;
    for (const NodeRef& component : components)
      columns.push_back(make_add_dimension(component, 1, 1, where));
    Components results = along_rows(step, initial, columns, along, where);
    for (NodeRef& result : results) result = make_drop_dimension(result, 1, where);
    return results;
  }
  std::vector<int64_t> order(static_cast<size_t>(rank));
  for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  Components turned;
  for (const NodeRef& component : components)
    turned.push_back(make_transpose(component, order, where));
  Components results = along_rows(step, initial, turned, {along.axis - 1, along.backward}, where);
  for (NodeRef& result : results) result = make_transpose(result, order, where);
  return results;
}

}  // namespace

std::vector<NodeRef> make_recurrence(const Function& step, std::span<const NodeRef> initial,
                                     std::span<const NodeRef> components,
                                     const RecurrenceAxis& along, const Location& where) {
  require_alive(components, "recurrence", where);
  require_alive(initial, "recurrence", where);
  check_step(step, initial, components, where);
  const Extents& shape = components[0]->shape;
  check_shapes(initial, shape, along.axis, where);
  Components results;
  if (shape.size() == 0)
    for (const NodeRef& value : initial)
      results.push_back(make_constant({value->type, 0}, shape, where));
  else if (along.axis + 1 < shape.rank)
    results = along_rows(step, initial, components, along, where);
  else
    results = along_columns(step, initial, components, along, where);
  link_siblings(results);
  return results;
}

}  // namespace tutti::ir
