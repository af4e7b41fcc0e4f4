// Program: ordinary C++ code, captured once and applied to the elements of arrays in parallel.
//
//   Program reflect = TUTTI_BEGIN {        // or: program([&](Value3f v) { return ...; })
//     In<Value3f> v;
//     Out<Value3f> r;
//     r = 2.0f * dot(n, v) * n - v;        // n comes from outside: its value when the program runs
//   } TUTTI_END;
//   Array<1, Value3f> R = reflect(V);
//
// A program is a pure function. p(a) binds the first input. A program whose inputs are all bound
// runs when it is assigned to an array, a Value or a bundle of them. p << q composes programs: the
// outputs of q become inputs of p. bundle(p, q) concatenates their inputs and outputs.
#pragma once
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "tutti/bundle.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"

#define TUTTI_BEGIN ::tutti::detail::capture_program(::std::source_location::current(), [&]()
#define TUTTI_END )

TUTTI_BEGIN_EXPORTS
namespace tutti {

template <int D, class T>
class ArrayRef;

namespace detail {

// The value bound to an input: the components of an array, a tuple or a number.
class Argument {
 public:
  Argument() = default;
  template <int D, class T>
  Argument(const Array<D, T>& a, const Location& where = Location::current())
      : nodes(a.nodes().begin(), a.nodes().end()), boundary(a.modes().boundary), where(where) {}
  template <IsValue X>
  Argument(const X& x, const Location& where = Location::current()) : where(where) {
    if (capturing()) {
      for (const NodeRef& node : x.nodes()) nodes.push_back(node);
    } else {
      for (const auto& n : x.numbers()) nodes.push_back(constant(scalar_value(n), {}, where));
    }
  }
  template <ScalarType S>
  Argument(S number, const Location& where = Location::current())
      : nodes{constant(scalar_value(number), {}, where)}, adapts(true), where(where) {}
  template <int D, class T>
  Argument(const ArrayRef<D, T>& memory, const Location& where = Location::current())
      : Argument(Array<D, T>(memory), where) {}
  Argument(const Bundle& outputs, const Location& where = Location::current())
      : nodes(outputs.nodes()), where(where) {}
  // Takes the output of a program whose inputs are all bound.
  Argument(const Program& program, const Location& where = Location::current())
      : Argument(Bundle(program), where) {}

  std::vector<NodeRef> nodes;
  std::optional<Boundary> boundary;
  bool adapts = false;  // a plain number takes the type of the input
  Location where;
};

// Operations on type-erased programs.
ProgramHandle bind(const ProgramHandle& program, std::span<const Argument> arguments);
ProgramHandle bind_variable(const ProgramHandle& program, const std::shared_ptr<ValueState>& cell);
ProgramHandle bind_variable(const ProgramHandle& program, const ArrayCell& cell);
ProgramHandle free_variable(const ProgramHandle& program, const void* cell);
ProgramHandle compose(const ProgramHandle& outer, const ProgramHandle& inner);
ProgramHandle bundle_programs(std::span<const ProgramHandle> programs);

int input_count(const ProgramHandle& program);
int operation_count(const ProgramHandle& program);

// Captures the operations of this thread between construction and finish().
class CaptureScope {
 public:
  explicit CaptureScope(const Location& where);
  ~CaptureScope();
  CaptureScope(const CaptureScope&) = delete;
  CaptureScope& operator=(const CaptureScope&) = delete;
  ProgramHandle finish();

 private:
  void* before_;
  void* capture_;
};
std::vector<NodeRef> declare_input(const char* keyword, std::span<const ElementType> types,
                                   const Location& where);
void declare_output(const ValueLink& variable, std::span<const ElementType> types, bool assigned,
                    const Location& where);

template <class X>
std::array<NodeRef, components<X>> input_nodes(const Location& where, const char* keyword = "In") {
  const auto nodes = declare_input(keyword, component_types<X>(), where);
  std::array<NodeRef, components<X>> result;
  std::copy(nodes.begin(), nodes.end(), result.begin());
  return result;
}

template <class T>
using Variable = Value<components<T>, scalar_t<T>>;

}  // namespace detail

// An input of the program being captured: a variable that starts with the value of the input.
template <class T>
class In : public detail::Variable<T> {
 public:
  using Base = detail::Variable<T>;
  explicit In(const std::source_location& where = std::source_location::current())
      : Base(detail::FromNodes{}, detail::input_nodes<T>(where)) {}
  In(const In&) = default;
  In& operator=(const In& other) {
    Base::operator=(other);
    return *this;
  }
  template <class X>
  requires std::is_convertible_v<const X&, Base>
  In& operator=(const X& value) {
    Base::operator=(static_cast<Base>(value));
    return *this;
  }
};

// An output: its value at the end of the program is the result.
template <class T>
class Out : public detail::Variable<T> {
 public:
  using Base = detail::Variable<T>;
  explicit Out(const std::source_location& where = std::source_location::current()) {
    detail::declare_output(this->link(), detail::component_types<T>(), false, where);
  }
  template <class X>
  requires std::is_convertible_v<const X&, Base>
  Out(const X& value, const std::source_location& where = std::source_location::current())
      : Base(static_cast<Base>(value)) {
    detail::declare_output(this->link(), detail::component_types<T>(), true, where);
  }
  Out(const Out&) = default;
  Out& operator=(const Out& other) {
    Base::operator=(other);
    return *this;
  }
  template <class X>
  requires std::is_convertible_v<const X&, Base>
  Out& operator=(const X& value) {
    Base::operator=(static_cast<Base>(value));
    return *this;
  }
};

// An input and output: starts with the value of the input; its value at the end is the result.
template <class T>
class InOut : public detail::Variable<T> {
 public:
  using Base = detail::Variable<T>;
  explicit InOut(const std::source_location& where = std::source_location::current())
      : Base(detail::FromNodes{}, detail::input_nodes<T>(where, "InOut")) {
    detail::declare_output(this->link(), detail::component_types<T>(), true, where);
  }
  InOut(const InOut&) = default;
  InOut& operator=(const InOut& other) {
    Base::operator=(other);
    return *this;
  }
  template <class X>
  requires std::is_convertible_v<const X&, Base>
  InOut& operator=(const X& value) {
    Base::operator=(static_cast<Base>(value));
    return *this;
  }
};

// A captured function, with some of its inputs bound.
class Program {
 public:
  Program() = default;
  explicit Program(detail::ProgramHandle handle) : handle_(std::move(handle)) {}

  int inputs() const { return detail::input_count(handle_); }
  int outputs() const { return detail::output_count(handle_); }
  int operations() const { return detail::operation_count(handle_); }  // their number

  // Binds the first inputs to the current values of the arguments.
  Program operator()(detail::Argument a = {}, detail::Argument b = {}, detail::Argument c = {},
                     detail::Argument d = {}, detail::Argument e = {}, detail::Argument f = {},
                     detail::Argument g = {}, detail::Argument h = {}, detail::Argument i = {},
                     detail::Argument j = {}, detail::Argument k = {},
                     detail::Argument l = {}) const {
    std::vector<detail::Argument> given;
    for (detail::Argument* x : {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l})
      if (!x->nodes.empty()) given.push_back(std::move(*x));
    return Program(detail::bind(handle_, given));
  }

  // Runs the program, whose inputs must all be bound, and returns its only output.
  template <int D, class T>
  operator Array<D, T>() const {
    return Bundle(*this);
  }
  template <int N, class T>
  operator Value<N, T>() const {
    return Bundle(*this);
  }

  // Binds the first input to a variable: the program reads the value that it has when it runs.
  template <detail::IsValue X>
  friend Program operator<<(const Program& p, const X& variable) {
    return Program(detail::bind_variable(p.handle_, variable.cell()));
  }
  template <int D, class T>
  friend Program operator<<(const Program& p, const Array<D, T>& variable) {
    return Program(detail::bind_variable(p.handle_, variable.cell()));
  }
  // Reverses such a binding: a variable from outside becomes the first input.
  template <detail::IsValue X>
  friend Program operator>>(const Program& p, const X& variable) {
    return Program(detail::free_variable(p.handle_, variable.cell().get()));
  }
  template <int D, class T>
  friend Program operator>>(const Program& p, const Array<D, T>& variable) {
    return Program(detail::free_variable(p.handle_, variable.cell().get()));
  }
  // Composes: the outputs of the right become the first inputs of the left.
  friend Program operator<<(const Program& left, const Program& right) {
    return Program(detail::compose(left.handle_, right.handle_));
  }

  const detail::ProgramHandle& handle() const { return handle_; }

 private:
  detail::ProgramHandle handle_;
};

namespace detail {

template <class Body>
Program capture_program(const Location& where, Body body) {
  CaptureScope scope(where);
  body();
  return Program(scope.finish());
}

// Declares the results of a captured function as outputs.
template <class X>
void declare_outputs(const X& result, const Location& where) {
  if constexpr (IsValue<X>) {
    declare_output(result.link(), component_types<ValueOf<X>>(), true, where);
  } else if constexpr (ScalarType<X>) {
    static_assert(!ScalarType<X>, "a captured function returns Values: it was given plain numbers");
  } else {
    std::apply([&](const auto&... part) { (declare_outputs(part, where), ...); }, result);
  }
}

template <class... X, class F>
Program capture_function(F&& f, const Location& where) {
  CaptureScope scope(where);
  // In the order of the parameters; braces evaluate from left to right.
  std::tuple<Variable<X>...> inputs{Variable<X>(FromNodes{}, input_nodes<X>(where))...};
  const auto result = std::apply(f, inputs);
  declare_outputs(result, where);
  return Program(scope.finish());
}

template <class F>
struct Signature : Signature<decltype(&std::decay_t<F>::operator())> {};
template <class R, class... X>
struct Signature<R (*)(X...)> {
  using Result = R;
  template <class F>
  static Program capture(F&& f, const Location& where) {
    return capture_function<std::decay_t<X>...>(f, where);
  }
};
template <class R, class C, class... X>
struct Signature<R (C::*)(X...) const> : Signature<R (*)(X...)> {};
template <class R, class C, class... X>
struct Signature<R (C::*)(X...)> : Signature<R (*)(X...)> {};

}  // namespace detail

// Captures a C++ function: its parameters are the inputs, its result (a Value, or a tuple of them)
// the outputs.
template <class F>
Program program(F&& f, const std::source_location& where = std::source_location::current()) {
  return detail::Signature<std::decay_t<F>>::capture(f, where);
}
// Captures a generic lambda, given the types of its parameters.
template <class First, class... More, class F>
requires(!std::is_same_v<First, F>)
Program program(F&& f, const std::source_location& where = std::source_location::current()) {
  return detail::capture_function<First, More...>(f, where);
}

// Combines several programs: all inputs in order, then all outputs in order.
template <std::same_as<Program>... P>
Program bundle(const P&... programs) {
  const detail::ProgramHandle handles[] = {programs.handle()...};
  return Program(detail::bundle_programs(handles));
}

inline Bundle::Bundle(const Program& program)
    : program_(program.handle()), nodes_(detail::run(program_)) {}

// Returns the kernels of a run of a program whose inputs are all bound.
inline Explanation explain(const Program& program) {
  return detail::explain(Bundle(program).nodes());
}

}  // namespace tutti
TUTTI_END_EXPORTS
