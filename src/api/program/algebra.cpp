// The program algebra: binding, freeing, composing and bundling. Each of them rewrites the function
// and the sources of its parameters.
#include <algorithm>

#include "api/program/program_data.hpp"
#include "tutti/program.hpp"

namespace tutti::detail {
namespace {

using Kind = Source::Kind;

// Converts the nodes of an argument to the types of an input. Throws if they do not fit.
std::vector<NodeRef> fitted(const ProgramData& program, size_t input, const Argument& argument) {
  const Port& port = program.inputs[input];
  std::vector<NodeRef> nodes = argument.nodes;
  ir::require_alive(nodes, "program", argument.where);
  if (argument.adapts)
    nodes.assign(port.types.size(), ir::make_cast(nodes[0], port.types[0], argument.where));
  bool fits = nodes.size() == port.types.size();
  for (size_t c = 0; fits && c < nodes.size(); ++c) fits = nodes[c]->type == port.types[c];
  if (!fits) {
    Port given;
    for (const NodeRef& node : nodes) given.types.push_back(node->type);
    throw TypeError("input " + std::to_string(input + 1) + " of the program" + at(program.where) +
                    " takes elements of " + describe(port) + ", not of " + describe(given) +
                    at(argument.where));
  }
  return nodes;
}

// Turns the first inputs into sources: their parameters move behind those of the other inputs.
ProgramData with_bound_inputs(const ProgramData& program, size_t inputs,
                              std::vector<Source> sources) {
  ProgramData result = program;
  const auto moved = static_cast<std::ptrdiff_t>(sources.size());
  auto& parameters = result.function.parameters;
  std::rotate(parameters.begin(), parameters.begin() + moved, parameters.end());
  result.inputs.erase(result.inputs.begin(),
                      result.inputs.begin() + static_cast<std::ptrdiff_t>(inputs));
  result.sources.insert(result.sources.end(), std::make_move_iterator(sources.begin()),
                        std::make_move_iterator(sources.end()));
  return result;
}

// Copies a program with new parameters: a program that is combined with itself must not share them.
ProgramData fresh_copy(ProgramData program) {
  std::vector<NodeRef> parameters;
  for (const NodeRef& parameter : program.function.parameters)
    parameters.push_back(
        ir::make_parameter(parameter->type, parameter->shape.rank, parameter->where));
  program.function.results = inline_function(program.function, parameters, program.where);
  program.function.parameters = std::move(parameters);
  return program;
}

void require_input(const ProgramData& program, const std::vector<ElementType>& types) {
  if (program.inputs.empty()) refuse(program, "has no input left to bind", {});
  if (program.inputs[0].types != types)
    throw TypeError("the first input of the program" + at(program.where) + " takes elements of " +
                    describe(program.inputs[0]) + ", not of " + describe(Port{types, {}}));
}

}  // namespace

ProgramHandle bind(const ProgramHandle& handle, std::span<const Argument> arguments) {
  const ProgramData& program = data_of(handle);
  if (arguments.size() > program.inputs.size())
    refuse(program,
           "takes " + list(program.inputs) + " (" + std::to_string(program.inputs.size()) +
               " left to give) and was given " + std::to_string(arguments.size()),
           arguments.back().where);
  std::vector<Source> sources;
  for (size_t i = 0; i < arguments.size(); ++i) {
    int component = 0;
    for (NodeRef& node : fitted(program, i, arguments[i])) {
      Source source;
      source.kind = Kind::bound;
      source.node = std::move(node);
      source.boundary = arguments[i].boundary;
      source.component = component++;
      sources.push_back(std::move(source));
    }
  }
  return std::make_shared<ProgramData>(
      with_bound_inputs(program, arguments.size(), std::move(sources)));
}

namespace {

// Binds the first input to a source with elements of these types; `like` describes the source.
ProgramHandle bind_first(const ProgramHandle& handle, const std::vector<ElementType>& types,
                         const Source& like) {
  const ProgramData& program = data_of(handle);
  require_input(program, types);
  std::vector<Source> sources(types.size(), like);
  for (size_t c = 0; c < types.size(); ++c) sources[c].component = static_cast<int>(c);
  return std::make_shared<ProgramData>(with_bound_inputs(program, 1, std::move(sources)));
}

}  // namespace

ProgramHandle bind_variable(const ProgramHandle& handle, const std::shared_ptr<ValueState>& cell) {
  std::vector<ElementType> types;
  for (const ScalarValue& number : cell->numbers) types.push_back(number.type);
  Source source;
  source.kind = Kind::value;
  source.value = cell;
  return bind_first(handle, types, source);
}

ProgramHandle bind_variable(const ProgramHandle& handle, const ArrayCell& cell) {
  std::vector<ElementType> types;
  for (const NodeRef& node : cell->nodes) types.push_back(node->type);
  Source source;
  source.kind = Kind::elements;
  source.array = cell;
  return bind_first(handle, types, source);
}

namespace {

bool reads_at_places(const ProgramData& program, const void* cell) {
  return std::ranges::any_of(program.sources, [&](const Source& source) {
    return source.kind == Kind::array && source.array.get() == cell;
  });
}

}  // namespace

// The components of the new input replace all reads of the variable.
ProgramHandle free_variable(const ProgramHandle& handle, const void* cell) {
  const ProgramData& program = data_of(handle);
  ProgramData result = program;
  result.sources.clear();
  const size_t inputs = program.input_components();
  const auto& parameters = program.function.parameters;
  std::vector<NodeRef> kept(parameters.begin(),
                            parameters.begin() + static_cast<std::ptrdiff_t>(inputs));
  std::vector<NodeRef> fresh, arguments = kept;
  std::vector<ElementType> types;
  for (size_t i = 0; i < program.sources.size(); ++i) {
    const Source& source = program.sources[i];
    const NodeRef& parameter = parameters[inputs + i];
    const bool freed = (source.kind == Kind::value && source.value.get() == cell) ||
                       (source.kind == Kind::elements && source.array.get() == cell);
    if (!freed) {
      kept.push_back(parameter);
      arguments.push_back(parameter);
      result.sources.push_back(source);
      continue;
    }
    const size_t count =
        source.kind == Kind::value ? source.value->numbers.size() : source.array->nodes.size();
    if (fresh.empty())
      for (size_t c = 0; c < count; ++c) {
        types.push_back(source.kind == Kind::value ? source.value->numbers[c].type
                                                   : source.array->nodes[c]->type);
        fresh.push_back(ir::make_parameter(types[c], 0, program.where));
      }
    arguments.push_back(fresh[static_cast<size_t>(source.component)]);
  }
  if (fresh.empty())
    refuse(program,
           reads_at_places(program, cell)
               ? "reads elements of this array at computed indices: only what it reads "
                 "element by element can become an input"
               : "does not read this variable: there is nothing to make an input of",
           {});
  result.function.results = inline_function(program.function, arguments, program.where);
  result.function.parameters = fresh;
  result.function.parameters.insert(result.function.parameters.end(), kept.begin(), kept.end());
  result.inputs.insert(result.inputs.begin(), Port{types, program.where});
  return std::make_shared<ProgramData>(std::move(result));
}

ProgramHandle compose(const ProgramHandle& left, const ProgramHandle& right) {
  const ProgramData& outer = data_of(left);
  const ProgramData inner = fresh_copy(data_of(right));
  const size_t fed = inner.outputs.size();
  bool fits = fed <= outer.inputs.size();
  for (size_t i = 0; fits && i < fed; ++i) fits = inner.outputs[i].types == outer.inputs[i].types;
  if (!fits)
    throw TypeError("composition: the program" + at(inner.where) + " gives " + list(inner.outputs) +
                    ", the program" + at(outer.where) + " takes " + list(outer.inputs));
  const size_t fed_components = components_of(std::span(outer.inputs).first(fed));
  std::vector<NodeRef> arguments = inner.function.results;
  const auto& parameters = outer.function.parameters;
  arguments.insert(arguments.end(),
                   parameters.begin() + static_cast<std::ptrdiff_t>(fed_components),
                   parameters.end());
  ProgramData result;
  result.where = outer.where;
  result.inputs = inner.inputs;
  result.inputs.insert(result.inputs.end(), outer.inputs.begin() + static_cast<std::ptrdiff_t>(fed),
                       outer.inputs.end());
  result.outputs = outer.outputs;
  result.function.results = inline_function(outer.function, arguments, outer.where);
  // The inputs of both, then the sources of both.
  const auto take = [&](const ProgramData& from, size_t begin, size_t end) {
    const auto& p = from.function.parameters;
    result.function.parameters.insert(result.function.parameters.end(),
                                      p.begin() + static_cast<std::ptrdiff_t>(begin),
                                      p.begin() + static_cast<std::ptrdiff_t>(end));
  };
  take(inner, 0, inner.input_components());
  take(outer, fed_components, outer.input_components());
  for (const ProgramData* p : {&inner, &outer}) {
    take(*p, p->input_components(), p->function.parameters.size());
    result.sources.insert(result.sources.end(), p->sources.begin(), p->sources.end());
  }
  return std::make_shared<ProgramData>(std::move(result));
}

ProgramHandle bundle_programs(std::span<const ProgramHandle> programs) {
  ProgramData result;
  std::vector<ProgramData> parts;  // a program may be in the bundle twice
  for (const ProgramHandle& program : programs) parts.push_back(fresh_copy(data_of(program)));
  result.where = parts[0].where;
  for (const ProgramData& part : parts) {
    result.inputs.insert(result.inputs.end(), part.inputs.begin(), part.inputs.end());
    result.outputs.insert(result.outputs.end(), part.outputs.begin(), part.outputs.end());
    const auto& p = part.function.parameters;
    result.function.parameters.insert(
        result.function.parameters.end(), p.begin(),
        p.begin() + static_cast<std::ptrdiff_t>(part.input_components()));
    result.function.results.insert(result.function.results.end(), part.function.results.begin(),
                                   part.function.results.end());
  }
  for (const ProgramData& part : parts) {
    const auto& p = part.function.parameters;
    result.function.parameters.insert(
        result.function.parameters.end(),
        p.begin() + static_cast<std::ptrdiff_t>(part.input_components()), p.end());
    result.sources.insert(result.sources.end(), part.sources.begin(), part.sources.end());
  }
  return std::make_shared<ProgramData>(std::move(result));
}

}  // namespace tutti::detail
