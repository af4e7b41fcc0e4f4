// Control flow of the program being captured: the functions behind the macros of tutti/control.hpp.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/value_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::detail {

void begin_if(const NodeRef& condition, const Location& where);
void begin_else(const Location& where);
void begin_else_if(const NodeRef& condition, const Location& where);
void end_if(const Location& where);
void begin_loop(const char* name, const Location& where);
void loop_while(const NodeRef& condition, const Location& where);  // leaves the loop if it is false
void loop_until(const NodeRef& condition, const Location& where);  // leaves the loop if it is true
void begin_step(const Location& where);                            // code after each iteration
void end_step(const Location& where);
void end_loop(const Location& where);
void leave_loop(const Location& where);
void next_iteration(const Location& where);
void require_capture(const char* keyword, const Location& where);

template <class X>
NodeRef condition(const char* keyword, const X& x, const Location& where) {
  static_assert(std::is_same_v<X, bool> || IsValue<X>, "a condition is a Value1bool");
  require_capture(keyword, where);
  if constexpr (IsValue<X>) {
    static_assert(ValueOf<X>::size == 1 && std::is_same_v<typename ValueOf<X>::scalar, bool>,
                  "a condition is a single bool: use any() or all() on tuples");
    return x.node(0);
  } else {
    return record_constant(scalar_value(x));
  }
}

}  // namespace tutti::detail
TUTTI_END_EXPORTS
