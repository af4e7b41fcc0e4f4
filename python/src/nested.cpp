// Nested data parallelism: the values inside of each(), one for each element of a sequence. An
// Array then holds a value of a context (tutti/detail/nested.hpp) in place of a node. It is a
// number for each instance, or a sequence of numbers or of sequences. Operators and functions of
// elements take it as they take other arrays; the functions here do the rest.
#include "array.hpp"
#include "tutti/vector_ops.hpp"

namespace tutti::python {
namespace {

using nested::Kind;
using nested::Value;

bool is_sequence(const Array& a) {
  return a.is_lifted() ? a.lifted().data.kind == Kind::sequence : a.shape().rank > 0;
}

ElementType leaf_type(nested::Type type) {
  while (type.kind == Kind::sequence) type = nested::Type(type.parts.at(0));
  if (type.kind == Kind::tuple) throw InternalError("a tuple inside of each()");
  return type.element;
}

// Operations may need sizes, which are computed without the interpreter lock.
template <class F>
Array compute(F&& f) {
  return Array(without_lock(f));
}

Value integer(int64_t i) { return nested::constant(scalar_value(i), Location()); }

Value two(Op op, const Value& a, const Value& b) {
  const Value operands[] = {a, b};
  return nested::elementwise(nested::current(), op, operands, Location());
}

Value length_of(const Value& sequence) {
  return nested::cast(nested::current(), nested::length(sequence), ElementType::i64, Location());
}

// ---- indexing

// An index, or indices, as int64 and counted from the beginning.
Value from_begin(const Array& index, const Value& length) {
  if (!is_integer(index.type()))
    throw nb::index_error(
        (std::string("an index of each() is an integer, not ") + type_name(index.dtype())).c_str());
  const Value i = lifted_value(cast_to(index, ElementType::i64));
  const Value operands[] = {two(Op::less, i, integer(0)), two(Op::add, i, length), i};
  return nested::elementwise(nested::current(), Op::choose, operands, Location());
}

// An end of a slice: beyond the sequence it is the nearest position.
Value bound(nb::handle given, const Value& length, const Value& otherwise) {
  if (given.is_none()) return otherwise;
  const Value i = from_begin(as_array(given), length);
  return two(Op::min, two(Op::max, i, integer(0)), length);
}

Array sliced(const Value& sequence, nb::handle key, const Location& where) {
  const nb::object step = key.attr("step");
  const nb::object start = key.attr("start"), stop = key.attr("stop");
  if (!step.is_none() && !step.equal(nb::int_(1))) {
    if (!step.equal(nb::int_(-1)) || !start.is_none() || !stop.is_none())
      throw nb::index_error("slices inside of each() have step 1, or are [::-1]");
    return compute([&] { return nested::reverse(nested::current(), sequence, where); });
  }
  const Value length = length_of(sequence);
  const Value begin = bound(start, length, integer(0)), end = bound(stop, length, length);
  const Value count = two(Op::max, two(Op::subtract, end, begin), integer(0));
  return compute([&] { return nested::slice(nested::current(), sequence, begin, count, where); });
}

// ---- each

// How many calls of functions of each() are being made on this thread.
thread_local int calls = 0;
struct Call {
  Call() { ++calls; }
  ~Call() { --calls; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

struct Operands {
  std::vector<Value> sequences;
  std::vector<nb::object> all;  // null where the elements of the next sequence stand
};

Operands operands_from(const nb::list& given) {
  Operands result;
  for (nb::handle item : given) {
    Array* array = nullptr;
    if (nb::try_cast<Array*>(item, array) && array && is_sequence(*array)) {
      result.sequences.push_back(lifted_value(*array));
      result.all.emplace_back();
    } else {
      result.all.push_back(nb::borrow(item));
    }
  }
  if (result.sequences.empty()) throw nb::type_error("each: a sequence is needed");
  return result;
}

nb::object called(nb::handle function, const nb::tuple& arguments) {
  nb::object result = nb::steal(PyObject_CallObject(function.ptr(), arguments.ptr()));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

// What a function gave, as values of the current context: one, or the parts of a tuple.
std::vector<Value> values_from(const nb::object& result, bool& single) {
  single = !nb::isinstance<nb::tuple>(result);
  std::vector<Value> values;
  if (single)
    values.push_back(lifted_value(as_array(result)));
  else
    for (nb::handle part : result) values.push_back(lifted_value(as_array(part)));
  return values;
}

// Calls the function once for all instances; its results belong to the context of the elements.
std::vector<Value> call(nb::handle function, const Operands& operands,
                        const nested::Elements& elements, bool& single) {
  const nested::ScopedContext inside(elements.context);
  const Call now;
  nb::list arguments;
  size_t next = 0;
  for (const nb::object& operand : operands.all)
    arguments.append(operand.is_valid() ? operand : nb::cast(Array(elements.values[next++])));
  return values_from(called(function, nb::tuple(arguments)), single);
}

// Without elements there is nothing to call the function for. It is called for one element, a zero
// or an empty sequence, which tells the types of its results. Errors of the data there are dropped.
std::vector<Value> call_for_types(nb::handle function, const Operands& operands, bool& single,
                                  const Location& where) {
  const nested::Attempt attempt;
  std::vector<Value> sequences;
  for (const Value& sequence : operands.sequences) {
    const Value element = nested::zero(nested::type_of(sequence.data).parts.at(0));
    sequences.push_back(nested::literal(nested::current(), {&element, 1}, where));
  }
  const nested::Elements elements = nested::enter(nested::current(), sequences, "each", where);
  std::vector<Value> zeros;
  for (const Value& value : call(function, operands, elements, single))
    zeros.push_back(nested::zero(nested::type_of(value.data)));
  return zeros;
}

nb::object each(nb::handle function, const nb::list& given) {
  const Location where = python_line();
  nested::Attempt attempt;
  const Operands operands = operands_from(given);
  const nested::Elements elements = without_lock(
      [&] { return nested::enter(nested::current(), operands.sequences, "each", where); });
  bool single = true;
  const std::vector<Value> values = nested::instances(elements.context) == 0
                                        ? call_for_types(function, operands, single, where)
                                        : call(function, operands, elements, single);
  nb::list results;
  for (const Value& value : values)
    results.append(nb::cast(compute([&] { return nested::leave(elements, value); })));
  attempt.keep();
  return single ? nb::object(results[0]) : nb::object(nb::tuple(results));
}

// ---- choices

std::vector<Value> call_side(const nested::ContextRef& side, nb::handle function,
                             const nb::tuple& state, bool& single) {
  const nested::ScopedContext inside(side);
  return values_from(function.is_none() ? nb::object(state) : called(function, state), single);
}

Value merged(const nested::Branches& branches, const Value& yes, const Value& no,
             const Location& where) {
  const DType type =
      promote(leaf_type(nested::type_of(yes.data)), leaf_type(nested::type_of(no.data)));
  const auto converted = [&](const nested::ContextRef& side, const Value& value) {
    return nested::cast(side, value, type.part, where);
  };
  const Value a = converted(branches.then_side, yes), b = converted(branches.else_side, no);
  return without_lock([&] { return nested::merge(branches, a, b, where); });
}

nb::object choose_side(const Array& condition, nb::handle then, nb::handle otherwise,
                       const nb::tuple& state) {
  const Location where = python_line();
  if (condition.type() != ElementType::b8)
    throw TypeError(std::string("if_: the condition is ") + type_name(condition.dtype()) +
                    ", it must be bool");
  const nested::Branches branches =
      without_lock([&] { return nested::branch(nested::current(), condition.lifted(), where); });
  bool single = true, other_single = true;
  std::vector<Value> values;
  if (!branches.else_side) {
    values = call_side(branches.then_side, then, state, single);
  } else if (!branches.then_side) {
    values = call_side(branches.else_side, otherwise, state, single);
  } else {
    values = call_side(branches.then_side, then, state, single);
    const std::vector<Value> no = call_side(branches.else_side, otherwise, state, other_single);
    if (no.size() != values.size())
      throw nb::value_error(("if_: one side gives " + std::to_string(values.size()) +
                             " values, the other " + std::to_string(no.size()))
                                .c_str());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = merged(branches, values[i], no[i], where);
  }
  if (values.size() == 1) return nb::cast(Array(values[0]));
  nb::list results;
  for (const Value& value : values) results.append(nb::cast(Array(value)));
  return nb::tuple(results);
}

// ---- sequences of this module as values, and back

// The content, cut by the lengths of each level from the innermost to the outermost.
Array from_levels(const Array& content, const std::vector<Array>& lengths) {
  const Location where = python_line();
  if (content.shape().rank != 1)
    throw nb::type_error("each: the elements of a Seq are numbers; its content must be a vector");
  return compute([&] {
    Value value = nested::from_node(content.node());
    for (const Array& level : lengths)
      value =
          nested::partition(nested::top_context(), value, nested::from_node(level.node()), where);
    return value;
  });
}

// The content of a value of the top context, and the lengths of each level, the outermost first.
nb::tuple to_levels(const Array& a) {
  const Location where = python_line();
  Value value = lifted_value(a);
  nb::list lengths;
  while (value.data.kind == Kind::sequence &&
         nested::type_of(value.data).parts.at(0).kind == Kind::sequence) {
    const NodeRef level = without_lock([&] {
      return nested::to_node(nested::lengths(nested::top_context(), value, where), "each", where);
    });
    lengths.append(nb::cast(Array(level)));
    value = without_lock([&] { return nested::flatten(nested::top_context(), value, where); });
  }
  const NodeRef content = without_lock([&] { return nested::to_node(value, "each", where); });
  return nb::make_tuple(Array(content), lengths);
}

}  // namespace

Array::Array(nested::Value value) : lifted_(std::make_shared<const Value>(std::move(value))) {}

DType Array::lifted_type() const { return leaf_type(nested::type_of(lifted_->data)); }

void Array::refuse() const {
  if (is_complex())
    throw TypeError(
        "complex elements are not taken here: use tt.real(x), tt.imag(x) or tt.abs(x) of them");
  throw TypeError(
      "a value inside of each() is one for each element, and is known when all are computed: it "
      "has no "
      "shape and cannot be read there. Decide with tt.where or tt.if_; x.size is the length");
}

bool is_lifted_key(nb::handle key) {
  if (calls == 0) return false;
  Array* array = nullptr;
  if (nb::try_cast<Array*>(key, array) && array) return array->is_lifted();
  return PySlice_Check(key.ptr()) && (is_lifted_key(nb::object(key.attr("start"))) ||
                                      is_lifted_key(nb::object(key.attr("stop"))));
}

nested::Value lifted_value(const Array& a) {
  if (a.is_lifted()) return a.lifted();
  if (a.shape().rank > 1) throw nb::type_error("inside of each() arrays have at most one axis");
  return nested::from_node(a.node());
}

Array lifted_apply(Op op, std::initializer_list<const Array*> operands) {
  std::vector<Value> values;
  for (const Array* operand : operands) values.push_back(lifted_value(*operand));
  return Array(nested::elementwise(nested::current(), op, values, python_line()));
}

Array lifted_length(const Array& a) { return Array(length_of(a.lifted())); }

Array lifted_cast(const Array& a, ElementType type) {
  return Array(nested::cast(nested::current(), a.lifted(), type, Location()));
}

Array lifted_reduce(Reduction reduction, const Array& a) {
  const Location where = python_line();
  return compute([&] { return nested::reduce(nested::current(), reduction, a.lifted(), where); });
}

Array lifted_scan(Reduction reduction, const Array& a, bool exclusive) {
  const Location where = python_line();
  return compute(
      [&] { return nested::scan(nested::current(), reduction, a.lifted(), exclusive, where); });
}

Array lifted_sort(const Array& a, bool descending) {
  const Location where = python_line();
  return compute(
      [&] { return nested::sort(nested::current(), a.lifted(), a.lifted(), descending, where); });
}

Array lifted_extreme_index(Reduction reduction, const Array& a) {
  const Location where = python_line();
  return compute(
      [&] { return nested::extreme_index(nested::current(), reduction, a.lifted(), where); });
}

Array lifted_concat(const std::vector<Array>& arrays) {
  const Location where = python_line();
  std::vector<Value> values;
  for (const Array& a : arrays) values.push_back(lifted_value(a));
  return compute([&] { return nested::concat(nested::current(), values, where); });
}

Array lifted_item(const Array& a, nb::handle key) {
  const Location where = python_line();
  const Value sequence = lifted_value(a);
  if (sequence.data.kind != Kind::sequence)
    throw nb::index_error("a number inside of each() has no elements");
  if (PySlice_Check(key.ptr())) return sliced(sequence, key, where);
  if (key.is_none() || key.is(Py_Ellipsis) || nb::isinstance<nb::tuple>(key))
    throw nb::index_error(
        "inside of each() a key is an integer, a slice, or a sequence of integers or bool");
  const Array index = as_array(key);
  const bool many = is_sequence(index);
  if (many && index.type() == ElementType::b8)
    return compute(
        [&] { return nested::filter(nested::current(), sequence, lifted_value(index), where); });
  const Value i = from_begin(index, length_of(sequence));
  return compute([&] {
    return many ? nested::gather(nested::current(), sequence, i, where)
                : nested::index(nested::current(), sequence, i, where);
  });
}

std::vector<Array> lifted_run(const detail::ProgramHandle& program,
                              const std::vector<Array>& arrays, size_t results) {
  const Location where = python_line();
  std::vector<Value> operands, sequences;
  for (const Array& a : arrays) {
    operands.push_back(lifted_value(a));
    if (operands.back().data.kind == Kind::sequence) sequences.push_back(operands.back());
  }
  const auto parts_of = [&](const Value& value) {
    std::vector<Value> parts;
    for (size_t i = 0; i < results; ++i)
      parts.push_back(value.data.kind == Kind::tuple ? nested::part(value, static_cast<int>(i))
                                                     : value);
    return parts;
  };
  std::vector<Array> found;
  if (sequences.empty()) {
    const Value value =
        without_lock([&] { return nested::run(nested::current(), program, operands, where); });
    for (const Value& part : parts_of(value)) found.push_back(Array(part));
    return found;
  }
  const nested::Elements elements =
      without_lock([&] { return nested::enter(nested::current(), sequences, "program", where); });
  size_t next = 0;
  for (Value& operand : operands)
    if (operand.data.kind == Kind::sequence) operand = elements.values[next++];
  const Value value =
      without_lock([&] { return nested::run(elements.context, program, operands, where); });
  for (const Value& part : parts_of(value)) found.push_back(Array(nested::leave(elements, part)));
  return found;
}

void bind_nested(nb::module_& m) {
  m.def("each", &each);
  m.def("if_each", &choose_side, nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def("from_levels", &from_levels);
  m.def("to_levels", &to_levels);
  m.def(
      "is_lifted",
      [](nb::handle x) {
        Array* array = nullptr;
        return nb::try_cast<Array*>(x, array) && array && array->is_lifted();
      },
      nb::arg().none());
  m.def("is_in_each", [] { return calls > 0; });
  m.def("lifted_depth", [](const Array& a) {
    int depth = 0;
    for (nested::Type type = nested::type_of(a.lifted().data); type.kind == Kind::sequence; ++depth)
      type = nested::Type(type.parts.at(0));
    return depth;
  });
  m.def("lifted_lengths", [](const Array& a) {
    const Location where = python_line();
    return cast_to(
        compute([&] { return nested::lengths(nested::current(), lifted_value(a), where); }),
        ElementType::i64);
  });
  m.def("lifted_flatten", [](const Array& a) {
    const Location where = python_line();
    return compute([&] { return nested::flatten(nested::current(), lifted_value(a), where); });
  });
  m.def("lifted_range", [](const Array& count) {
    const Location where = python_line();
    return cast_to(
        compute([&] { return nested::iota(nested::current(), lifted_value(count), where); }),
        ElementType::i64);
  });
}

}  // namespace tutti::python
