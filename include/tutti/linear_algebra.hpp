// Inner and outer products.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Contracts the last axis of a with the first of b: matrix times matrix, matrix times vector,
// vector times vector, and so on. A vendor library computes it where one is found. With
// TUTTI_REPRODUCIBLE=1 a kernel of Tutti computes it, with the same bits everywhere.
template <int A, int B, ScalarType T>
requires(A > 0 && B > 0)
Array<A + B - 2, T> inner_product(
    const Array<A, T>& a, const Array<B, T>& b,
    const std::source_location& where = std::source_location::current()) {
  return Array<A + B - 2, T>(detail::inner_product(a.node(), b.node(), where));
}

// Returns result[i..., j...] = a[i...] * b[j...].
template <int A, int B, class T>
requires(A + B <= max_rank)
auto outer_product(const Array<A, T>& a, const Array<B, T>& b,
                   const std::source_location& where = std::source_location::current()) {
  // Giving a an axis of extent 1 for each axis of b lets the two broadcast against each other.
  return detail::for_each_component<A + B>(a, [&](const detail::NodeRef& node, int c) {
    detail::NodeRef wide = node;
    for (int k = 0; k < B; ++k) wide = detail::add_dimension(wide, A + k, 1, where);
    const detail::NodeRef inputs[] = {wide, b.node(c)};
    return detail::elementwise(Op::multiply, inputs, where);
  });
}

}  // namespace tutti
TUTTI_END_EXPORTS
