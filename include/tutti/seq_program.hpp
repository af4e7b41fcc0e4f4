// Captured functions over sequences. The body of each() may be a function on Values. It is captured
// like a program, and one kernel runs it for all elements, one thread for each element. So a loop
// with a different trip count for each element stores no vector for each of its steps:
//
//   each(s, [](Value1f x) { TUTTI_WHILE (x > 1.0f) { x = x / 2.0f; } TUTTI_ENDWHILE; return x; })
//
// The parameters are the parts of the elements, in order. Arrays from outside may be read.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/detail/lift.hpp"
#include "tutti/program.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace nested {

// Applies a program in every instance: its inputs are the numbers of the operands.
Value run(const ContextRef& at, const detail::ProgramHandle& program,
          std::span<const Value> operands, const Location& where);

}  // namespace nested

namespace detail {

// The element type of a sequence of results of a function.
template <class X>
struct ReturnedElement;
template <class X>
requires IsValue<X>
struct ReturnedElement<X> {
  using type = scalar_t<canonical_t<ValueOf<X>>>;
  static_assert(components<ValueOf<X>> == 1, "return a std::tuple of single Values");
};
template <class... X>
struct ReturnedElement<std::tuple<X...>> {
  using type = std::tuple<typename ReturnedElement<X>::type...>;
};

// Captures a function on Values and returns one on lifted values.
template <class F>
auto captured(const F& f, const Location& where) {
  using Element = typename ReturnedElement<typename Signature<F>::Result>::type;
  return [program = Signature<F>::capture(f, where), where](const auto&... elements) {
    const nested::Value operands[] = {value_of(elements)...};
    return Lift<Element>::make(nested::run(nested::current(), program.handle(), operands, where));
  };
}

}  // namespace detail
}  // namespace tutti
TUTTI_END_EXPORTS
