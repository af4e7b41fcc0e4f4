// Reductions along one axis, several axes or all. Sums and products of floating-point numbers
// follow a tree that depends on the shape alone: the bits are the same on every device and with any
// number of threads. Sums and products of bool and of 8- and 16-bit integers are taken in 32 bits.
// detail/reductions.def lists the functions.
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/elementwise.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

template <class Out, int Rank, int D, class T>
auto reduce_axes(Reduction reduction, const Array<D, T>& a, std::span<const int> axes,
                 const Location& where) {
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) {
    NodeRef input = operand<Out>(a, c, where);
    nodes[c] = reduce(reduction, input, axes, where);
  }
  return Array<Rank, ElementOf<Out, components<T>>>(std::move(nodes));
}

template <int D>
constexpr auto all_axes() {
  std::array<int, D> axes{};
  for (int i = 0; i < D; ++i) axes[i] = i;
  return axes;
}

}  // namespace detail

#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  template <int D, class T>                                                                       \
  auto function(const Array<D, T>& a,                                                             \
                const std::source_location& where = std::source_location::current()) {            \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    return detail::reduce_axes<Out, 0>(Reduction::id, a, detail::all_axes<D>(), where);           \
  }                                                                                               \
  template <int D, class T>                                                                       \
  requires(D > 0)                                                                                 \
  auto function(const Array<D, T>& a, int axis,                                                   \
                const std::source_location& where = std::source_location::current()) {            \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    const int axes[] = {axis};                                                                    \
    return detail::reduce_axes<Out, D - 1>(Reduction::id, a, axes, where);                        \
  }                                                                                               \
  template <int D, class T, int K>                                                                \
  requires(K <= D)                                                                                \
  auto function(const Array<D, T>& a, const int (&axes)[K],                                       \
                const std::source_location& where = std::source_location::current()) {            \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    return detail::reduce_axes<Out, D - K>(Reduction::id, a, axes, where);                        \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

// Returns the greatest (least) of all elements, under the name of C++.
template <int D, class T>
auto max(const Array<D, T>& a,
         const std::source_location& where = std::source_location::current()) {
  return max_val(a, where);
}
template <int D, class T>
auto min(const Array<D, T>& a,
         const std::source_location& where = std::source_location::current()) {
  return min_val(a, where);
}

// Counts the elements that are true.
template <int D, class T>
requires std::is_same_v<canonical_t<T>, bool>
auto count(const Array<D, T>& a,
           const std::source_location& where = std::source_location::current()) {
  return sum(a, where);
}
template <int D, class T>
requires std::is_same_v<canonical_t<T>, bool>
auto count(const Array<D, T>& a, int axis,
           const std::source_location& where = std::source_location::current()) {
  return sum(a, axis, where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
