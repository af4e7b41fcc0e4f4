// @tt.program: functions of Python over single elements, captured once for each combination of
// element types, with loops and branches that depend on the elements. While a function is captured,
// its arrays are symbols of rank 0; operators on them are recorded.
#include "tutti/program.hpp"
#include "array.hpp"
#include "tutti/detail/capture.hpp"
#include "tutti/detail/control.hpp"

namespace tutti::python {
namespace {

struct Captured {
  detail::ProgramHandle handle;
  bool single = false;  // one result, not a tuple
  size_t results = 1;
};

// A variable of the program being captured.
struct Variable {
  detail::ValueLink link;
  ElementType type;
};

std::vector<nb::object> as_list(nb::handle result) {
  std::vector<nb::object> items;
  if (nb::isinstance<nb::tuple>(result) || nb::isinstance<nb::list>(result))
    for (nb::handle item : result) items.push_back(nb::borrow(item));
  else
    items.push_back(nb::borrow(result));
  return items;
}

Array symbol_from(nb::handle object) {
  const Array a = as_array(object);
  if (a.shape().rank != 0)
    throw nb::type_error(
        "a program works on single elements, and a whole array was used in it: pass the array as "
        "an argument");
  return a;
}

std::unique_ptr<Variable> declare(const Array& value) {
  auto variable = std::make_unique<Variable>();
  variable->type = value.type();
  variable->link.declare({&value.node(), 1});
  return variable;
}

Array read(const Variable& variable) { return Array(variable.link.node(0, {})); }

using Variables = std::vector<std::unique_ptr<Variable>>;

Variables declare_all(nb::handle state) {
  Variables result;
  for (const nb::object& item : as_list(state)) result.push_back(declare(symbol_from(item)));
  return result;
}

nb::tuple values_of(const Variables& variables) {
  nb::list values;
  for (const auto& variable : variables) values.append(nb::cast(read(*variable)));
  return nb::tuple(values);
}

nb::object call(nb::handle function, const nb::tuple& arguments) {
  const nb::object result = nb::steal(PyObject_CallObject(function.ptr(), arguments.ptr()));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

// All new values are computed before any of them is assigned.
void assign_all(const Variables& state, nb::handle result, const char* name) {
  const std::vector<nb::object> items = as_list(result);
  if (items.size() != state.size())
    throw nb::value_error((std::string(name) + ": the function gave " +
                           std::to_string(items.size()) + " values for a state of " +
                           std::to_string(state.size()))
                              .c_str());
  Variables next;
  for (size_t i = 0; i < items.size(); ++i) {
    const ElementType type = state[i]->type;
    Array value;
    if (is_scalar(items[i]) && mixed_with_scalar(type, items[i]) == DType(type))
      value = number(scalar_from(items[i], type));
    else
      value = symbol_from(items[i]);
    if (promote(value.type(), type) != DType(type))
      throw TypeError(std::string(name) + ": value " + std::to_string(i) + " of the state is " +
                      type_name(type) + " and becomes " + type_name(value.type()) +
                      ": begin with a value of that type, or cast it with astype()");
    next.push_back(declare(cast_to(value, type)));
  }
  for (size_t i = 0; i < state.size(); ++i) {
    const NodeRef node = read(*next[i]).node();
    state[i]->link.assign({&node, 1});
  }
}

NodeRef condition_from(nb::handle object, const char* name) {
  const Array condition = symbol_from(object);
  if (condition.type() != ElementType::b8)
    throw TypeError(std::string(name) + ": the condition is " + type_name(condition.type()) +
                    ", it must be bool");
  return condition.node();
}

void require_program(const char* name) {
  if (detail::capturing()) return;
  throw Error(
      std::string(name) +
      " is for functions that @tt.program captures; if_ also for values inside of each(). For "
      "whole arrays there are tt.where, and if and while of Python");
}

nb::tuple while_loop(nb::handle condition, nb::handle body, nb::handle state) {
  require_program("while_");
  const Variables variables = declare_all(state);
  detail::begin_loop("WHILE", Location());
  const nb::object holds = call(condition, values_of(variables));
  detail::loop_while(condition_from(holds, "while_"), Location());
  assign_all(variables, call(body, values_of(variables)), "while_");
  detail::end_loop(Location());
  return values_of(variables);
}

nb::tuple if_else(nb::handle condition, nb::handle yes, nb::handle no, nb::handle state) {
  require_program("if_");
  const Variables variables = declare_all(state);
  detail::begin_if(condition_from(condition, "if_"), Location());
  assign_all(variables, call(yes, values_of(variables)), "if_");
  if (!no.is_none()) {
    detail::begin_else(Location());
    assign_all(variables, call(no, values_of(variables)), "if_");
  }
  detail::end_if(Location());
  return values_of(variables);
}

Captured capture(nb::handle function, const std::vector<nb::object>& types) {
  detail::CaptureScope scope{python_line_of(function)};
  nb::list inputs;
  for (const nb::object& type : types) {
    const ElementType of[] = {type_from(type)};
    inputs.append(nb::cast(Array(detail::declare_input("In", of, Location())[0])));
  }
  const nb::object result = call(function, nb::tuple(inputs));
  if (result.is_none())
    throw nb::type_error("program: the function gives None: it returns a value for each element");
  const bool single = !nb::isinstance<nb::tuple>(result) && !nb::isinstance<nb::list>(result);
  const Variables outputs = declare_all(result);
  if (outputs.empty()) throw nb::value_error("program: the function gives no values");
  for (const auto& output : outputs) {
    const ElementType of[] = {output->type};
    detail::declare_output(output->link, of, true, Location());
  }
  return {scope.finish(), single, outputs.size()};
}

nb::object as_results(const Captured& captured, std::vector<Array> found) {
  if (captured.single) return nb::cast(std::move(found[0]));
  nb::list results;
  for (Array& array : found) results.append(nb::cast(std::move(array)));
  return nb::tuple(results);
}

nb::object run_program(const Captured& captured, const std::vector<Array>& arrays) {
  for (const Array& a : arrays)
    if (a.is_lifted())
      return as_results(captured, lifted_run(captured.handle, arrays, captured.results));
  std::vector<detail::Argument> arguments;
  for (const Array& a : arrays) {
    detail::Argument argument;
    argument.nodes = {a.node()};
    arguments.push_back(std::move(argument));
  }
  std::vector<Array> found;
  for (NodeRef& node : detail::run(detail::bind(captured.handle, arguments)))
    found.emplace_back(std::move(node));
  return as_results(captured, std::move(found));
}

}  // namespace

void bind_programs(nb::module_& m) {
  nb::class_<Captured>(m, "Captured", "A captured program, for one combination of types.");
  m.def("capture", &capture);
  m.def("is_capturing", [] { return detail::capturing(); });
  m.def("run_program", &run_program);
  m.def("while_loop", &while_loop);
  m.def("if_else", &if_else, nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
}

}  // namespace tutti::python
