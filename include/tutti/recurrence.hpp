// Recurrences along an axis: recursive filters, sweeps of tridiagonal solvers, rows of dynamic
// programming. A recurrence is a scan whose operator need not be associative.
//
//   // y[i] = 0.2 x[i] + 0.8 y[i - 1] down the columns
//   recurrence([](auto y, auto x) { return 0.2f * x + 0.8f * y; }, 0.0f, image, 0)
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/program.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// The order of the steps: from the first element of an axis to the last, or the reverse.
enum class Direction : uint8_t { forward, backward };

namespace detail {

// Returns the components of y with y[i] = step(y[i - 1], x[i]) along an axis, in order. `initial`
// has the components of the value before the first step.
std::vector<NodeRef> recurrence(const ProgramHandle& step, std::span<const NodeRef> initial,
                                std::span<const NodeRef> components, int axis, Direction direction,
                                const Location& where);

template <class F, class T, class X>
Program step_program(const F& f, const Location& where) {
  if constexpr (std::is_same_v<F, Program>)
    return f;
  else
    return capture_function<Variable<T>, Variable<X>>(f, where);
}

template <class T, int D, class F, class X>
Array<D, T> recurrence_of(const F& f, std::span<const NodeRef> initial, const Array<D, X>& x,
                          int axis, Direction direction, const Location& where) {
  const std::vector<NodeRef> nodes = recurrence(step_program<F, T, X>(f, where).handle(), initial,
                                                x.nodes(), axis, direction, where);
  std::array<NodeRef, components<T>> parts;
  std::copy(nodes.begin(), nodes.end(), parts.begin());
  return Array<D, T>(std::move(parts));
}

}  // namespace detail

// Returns y with y[i] = f(y[i - 1], x[i]) along an axis, in order; backward, y[i] = f(y[i + 1],
// x[i]). `initial` is the value before the first step. Elements of x and y may be tuples. Lines
// along the axis are computed in parallel, which is fastest along any axis but the last.
template <class F, class T, int D, class X>
requires(D > 0 && (ScalarType<T> || detail::IsValue<T>))
auto recurrence(const F& f, const T& initial, const Array<D, X>& x, int axis,
                Direction direction = Direction::forward,
                const std::source_location& where = std::source_location::current()) {
  const detail::Argument first(initial, where);
  if constexpr (ScalarType<T>)
    return detail::recurrence_of<T>(f, first.nodes, x, axis, direction, where);
  else
    return detail::recurrence_of<canonical_t<detail::ValueOf<T>>>(f, first.nodes, x, axis,
                                                                  direction, where);
}
// Does the same with an initial value for each line.
template <class F, class T, int D, class X>
requires(D > 1)
Array<D, T> recurrence(const F& f, const Array<D - 1, T>& initial, const Array<D, X>& x, int axis,
                       Direction direction = Direction::forward,
                       const std::source_location& where = std::source_location::current()) {
  return detail::recurrence_of<T>(f, initial.nodes(), x, axis, direction, where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
