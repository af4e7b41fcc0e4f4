// Applies programs to arrays and tuples, and implements the capture for the macros.
#include <algorithm>

#include "api/program/capture.hpp"
#include "core/settings/settings.hpp"
#include "engine/evaluate.hpp"
#include "engine/laziness.hpp"
#include "graph/sibling_outputs.hpp"
#include "program/program.hpp"
#include "tutti/detail/require_int32.hpp"
#include "tutti/program.hpp"

namespace tutti::detail {
namespace {

using Kind = Source::Kind;

// ---- running

bool is_streamed(const Source& source) {
  return source.kind == Kind::bound || source.kind == Kind::elements;
}

const NodeRef& node_of(const Source& source) {
  return source.kind == Kind::bound ? source.node
                                    : source.array->nodes[static_cast<size_t>(source.component)];
}

// Returns the largest extent of each axis among the arrays that are read element by element.
Extents common_shape(const ProgramData& program) {
  Extents shape;
  for (const Source& source : program.sources) {
    if (!is_streamed(source)) continue;
    const Extents& extents = node_of(source)->shape;
    if (extents.rank == 0) continue;
    if (shape.rank == 0) {
      shape = extents;
    } else if (shape.rank != extents.rank) {
      throw ShapeError("the program" + at(program.where) + " was applied to arrays of shapes " +
                       to_string(shape) + " and " + to_string(extents) +
                       ": they must have the same number of axes");
    } else {
      for (int axis = 0; axis < shape.rank; ++axis)
        shape[axis] = std::max(shape[axis], extents[axis]);
    }
  }
  return shape;
}

// Repeats a smaller array by its boundary rule.
NodeRef repeated(const NodeRef& node, const Extents& shape, const Source& source,
                 const Location& where) {
  if (node->shape.rank == 0 || node->shape == shape) return node;
  const Boundary boundary = source.kind == Kind::elements
                                ? source.array->modes.boundary
                                : source.boundary.value_or(Boundary::clamp());
  if (node->shape.size() == 0 && boundary.kind() != Boundary::Kind::constant)
    throw ShapeError("the program" + at(where) + " was applied to arrays of shapes " +
                     to_string(shape) + " and " + to_string(node->shape) +
                     ", which has no element to repeat");
  ir::AffineMap map;
  map.name = "repeat";
  map.boundary = boundary.kind();
  map.fill = convert(boundary.value(source.component), node->type);
  for (int axis = 0; axis < shape.rank; ++axis) map.axes[static_cast<size_t>(axis)] = {axis, 1, 0};
  return ir::make_affine(node, shape, map, node->where);
}

NodeRef argument_for(const Source& source, const NodeRef& parameter, const Extents& shape,
                     const Location& where) {
  Capture* capture = Capture::current();
  switch (source.kind) {
    case Kind::bound:
    case Kind::elements:
      if (capture && node_of(source)->shape.rank > 0)
        throw Error(
            "inside of a program, another program was applied to a whole array: take elements of "
            "it "
            "with [] and apply it to those" +
            at(node_of(source)->where));
      return repeated(node_of(source), shape, source, where);
    case Kind::value:
      if (capture) return capture->outside(source, parameter->type, 0);
      return ir::make_constant(source.value->numbers[static_cast<size_t>(source.component)], {},
                               parameter->where);
    case Kind::array:
      if (capture) return capture->outside(source, parameter->type, parameter->shape.rank);
      return node_of(source);
    case Kind::extent:
      if (capture) return capture->outside(source, ElementType::i32, 0);
      return ir::make_constant(
          scalar_value(require_int32(source.array->nodes[0]->shape[source.component],
                                     "the extent of axis " + std::to_string(source.component),
                                     "work on parts of the array", parameter->where)),
          {}, parameter->where);
    case Kind::interpolates:
      if (capture) return capture->outside(source, ElementType::b8, 0);
      return ir::make_constant(scalar_value(false), {},
                               parameter->where);  // not read: function_now
  }
  throw InternalError("argument_for: unknown source");
}

// Throws an error here, where the program is used, if a loop has exceeded the limit.
void check_loops(const ProgramData& program, const NodeRef& exceeded, int64_t limit) {
  std::vector<int> axes(static_cast<size_t>(exceeded->shape.rank));
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
  const NodeRef any = ir::make_reduce(Reduction::any, exceeded, axes, program.where);
  uint8_t found = 0;
  copy_to_host(any, &found);
  if (found)
    refuse(program,
           "has a loop that ran more than " + std::to_string(limit) +
               " times (the limit is set by TUTTI_LOOP_LIMIT)",
           {});
}

}  // namespace

const ProgramData& data_of(const ProgramHandle& program) {
  if (!program) throw Error("an empty Program was used: assign one to it first");
  return *program;
}

[[noreturn]] void refuse(const ProgramData& program, const std::string& why,
                         const Location& where) {
  throw Error("the program" + at(program.where) + " " + why + at(where));
}

std::string list(const std::vector<Port>& ports) {
  std::string text;
  for (const Port& port : ports) text += (text.empty() ? "" : ", ") + describe(port);
  return text.empty() ? "nothing" : text;
}

size_t components_of(std::span<const Port> ports) {
  size_t count = 0;
  for (const Port& port : ports) count += port.types.size();
  return count;
}

std::string describe(const Port& port) {
  if (port.types.empty()) return "nothing";
  const std::string type = name(port.types[0]);
  return port.types.size() == 1 ? type : std::to_string(port.types.size()) + " x " + type;
}

void require_outputs(const ProgramHandle& handle, std::span<const NodeRef> nodes,
                     std::span<const Expected> expected) {
  const ProgramData& program = *handle;
  bool fits = expected.size() == program.outputs.size();
  for (size_t i = 0; fits && i < expected.size(); ++i)
    fits = std::ranges::equal(expected[i].types, program.outputs[i].types);
  if (!fits) {
    std::vector<Port> wanted;
    for (const Expected& e : expected) wanted.push_back({{e.types.begin(), e.types.end()}, {}});
    throw TypeError("the program" + at(program.where) + " gives " + list(program.outputs) +
                    "; it was assigned to " + list(wanted));
  }
  if (capturing()) return;
  const Extents& shape = nodes[0]->shape;
  for (const Expected& e : expected)
    if (e.rank != shape.rank)
      throw ShapeError("the program" + at(program.where) + " gives " +
                       (shape.rank ? "arrays of shape " + to_string(shape)
                                   : "tuples, because no argument is an array") +
                       "; it was assigned to " +
                       (e.rank ? "an array of rank " + std::to_string(e.rank) : "a Value"));
}

std::vector<NodeRef> run(const ProgramHandle& handle) {
  const ProgramData& program = data_of(handle);
  if (!program.inputs.empty())
    refuse(program,
           "was used before all of its inputs were given: it still takes " + list(program.inputs),
           {});
  const Extents shape = common_shape(program);
  std::vector<NodeRef> arguments;
  for (size_t i = 0; i < program.sources.size(); ++i)
    arguments.push_back(
        argument_for(program.sources[i], program.function.parameters[i], shape, program.where));
  // During a capture, modes stay open until the captured program runs.
  if (capturing()) return inline_function(program.function, arguments, program.where);
  const ir::Function function = function_now(program);
  const int64_t limit = live_settings().loop_limit;
  const bool limited = limit > 0 && ir::has_loops(function);
  std::vector<NodeRef> results = inline_function(
      limited ? ir::with_loop_limit(function, limit) : function, arguments, program.where);
  if (limited) {
    check_loops(program, results.back(), limit);
    results.pop_back();
  }
  ir::AffineMap same;  // maps all elements to one number
  same.name = "repeat";
  for (NodeRef& result : results)
    if (result->shape.rank == 0 && shape.rank > 0)
      result = ir::make_affine(result, shape, same, program.where);
  if (results.size() > 1) ir::link_siblings(results);
  engine::keep_bounded(results);
  return results;
}

ir::Function function_of(const ProgramHandle& handle) {
  const ProgramData& program = data_of(handle);
  const size_t inputs = program.input_components();
  const auto& parameters = program.function.parameters;
  std::vector<NodeRef> arguments(parameters.begin(),
                                 parameters.begin() + static_cast<std::ptrdiff_t>(inputs));
  ir::Function result{arguments, {}};
  for (size_t i = 0; i < program.sources.size(); ++i)
    arguments.push_back(
        argument_for(program.sources[i], parameters[inputs + i], Extents{}, program.where));
  result.results = inline_function(function_now(program), arguments, program.where);
  return result;
}

int input_count(const ProgramHandle& program) {
  return static_cast<int>(data_of(program).inputs.size());
}
int output_count(const ProgramHandle& program) {
  return static_cast<int>(data_of(program).outputs.size());
}
int operation_count(const ProgramHandle& program) {
  return ir::count_operations(function_now(data_of(program)));
}

}  // namespace tutti::detail

namespace tutti {

Bundle Bundle::operator[](int i) const {
  const auto& outputs = program_->outputs;
  if (i < 0 || i >= size())
    throw ShapeError("output " + std::to_string(i) + " of a bundle of " + std::to_string(size()));
  const auto output = outputs.begin() + i;
  const auto first =
      static_cast<std::ptrdiff_t>(detail::components_of(std::span(outputs.begin(), output)));
  auto alone = std::make_shared<detail::ProgramData>(*program_);
  alone->outputs = {*output};
  return {std::move(alone),
          {nodes_.begin() + first,
           nodes_.begin() + first + static_cast<std::ptrdiff_t>(output->types.size())}};
}

}  // namespace tutti

namespace tutti::detail {

// ---- capture

CaptureScope::CaptureScope(const Location& where)
    : before_(Capture::current()), capture_(new Capture(where)) {
  Capture::current() = static_cast<Capture*>(capture_);
}
CaptureScope::~CaptureScope() {
  Capture::current() = static_cast<Capture*>(before_);
  delete static_cast<Capture*>(capture_);
}
ProgramHandle CaptureScope::finish() {
  return std::make_shared<ProgramData>(static_cast<Capture*>(capture_)->finish());
}

std::vector<NodeRef> declare_input(const char* keyword, std::span<const ElementType> types,
                                   const Location& where) {
  return Capture::require(keyword, where).declare_input(types, where);
}
void declare_output(const ValueLink& variable, std::span<const ElementType> types, bool assigned,
                    const Location& where) {
  Capture::require("Out", where)
      .declare_output(variable.state()->first_slot, types, assigned, where);
}

}  // namespace tutti::detail
