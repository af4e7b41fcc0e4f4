// time_steps(state, count, step) returns the state of a simulation after many steps.
//
//   Image last = time_steps(board, 1000, life);                    // as many at a time as pays off
//   Image last = time_steps(board, 1000, life, {.together = 4});   // four at a time
//
// Steps that are planned together share kernels where that is cheaper than storing every state.
// Stencils run in row blocks within the caches of a CPU, or several steps in the registers of a
// GPU. The bits are the same as those of single steps.
#pragma once
#include <string>
#include <tuple>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Options of time_steps().
struct TimeSteps {
  // The number of steps that are evaluated together. Only the last of their states must be stored;
  // with 1, all states are. With 0 the number is limited by the size of a pending graph, and the
  // cost model decides which states are stored.
  int together = 0;
};

namespace detail {

template <int D, class T>
void store(const Array<D, T>& state) {
  state.evaluate();
}
template <class... A>
void store(const std::tuple<A...>& state) {
  std::apply([](const A&... part) { evaluate(part...); }, state);
}

}  // namespace detail

// Applies step(state) `count` times. A state is an array, or a tuple of arrays.
template <class State, class Step>
requires std::convertible_to<std::invoke_result_t<const Step&, const State&>, State>
State time_steps(State state, int64_t count, const Step& step, const TimeSteps& how = {}) {
  if (count < 0) throw Error("time_steps: " + std::to_string(count) + " steps; 0 is the least");
  for (int64_t i = 1; i <= count; ++i) {
    state = step(state);
    if (how.together > 0 && i % how.together == 0) detail::store(state);
  }
  return state;
}

}  // namespace tutti
TUTTI_END_EXPORTS
