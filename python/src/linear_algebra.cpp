// Factorisations of matrices in the last two axes, of real and of complex elements. They compute at
// once, without the interpreter lock.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "array.hpp"
#include "tutti/decompositions.hpp"
#include "tutti/matrices.hpp"

namespace tutti::python {
namespace {

using detail::ComplexNodes;

Array array_of(const NodeRef& node) { return Array(node); }
Array array_of(const ComplexNodes& nodes) { return {Array(nodes.real), Array(nodes.imag)}; }

// Calls a function with the node of an array or with those of both parts; the lock is free.
template <class F>
auto on_nodes(const Array& a, F&& f) {
  refuse_to_read_symbols();
  const Location where = python_line();
  if (a.is_complex()) {
    const ComplexNodes nodes{a.real().node(), a.imag().node()};
    return f(nodes, where);
  }
  const NodeRef node = a.node();  // other threads may update the array meanwhile
  return f(node, where);
}

Array cholesky(const Array& a) {
  return on_nodes(a, [](const auto& nodes, const Location& where) {
    return array_of(without_lock([&] { return detail::cholesky(nodes, where); }));
  });
}

Array determinant(const Array& a) {
  return on_nodes(a, [](const auto& nodes, const Location& where) {
    return array_of(without_lock([&] { return detail::determinant(nodes, where); }));
  });
}

// The factors, and the sign of the permutation: U in the upper triangle.
std::pair<Array, Array> lu(const Array& a) {
  return on_nodes(a, [](const auto& nodes, const Location& where) {
    const auto found = without_lock([&] { return detail::lu(nodes, where); });
    return std::pair(array_of(found.factors), Array(found.sign));
  });
}

// Both of one type, with as many axes.
Array solve(const Array& a, const Array& b) {
  return on_nodes(a, [&](const auto& nodes, const Location& where) {
    std::remove_cvref_t<decltype(nodes)> right;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(nodes)>, ComplexNodes>)
      right = {b.real().node(), b.imag().node()};
    else
      right = b.node();
    return array_of(without_lock([&] { return detail::solve(nodes, right, where); }));
  });
}

std::pair<Array, Array> qr(const Array& a, bool complete) {
  return on_nodes(a, [&](const auto& nodes, const Location& where) {
    const auto found = without_lock([&] { return detail::qr(nodes, complete, where); });
    return std::pair(array_of(found.q), array_of(found.r));
  });
}

std::tuple<Array, Array, Array> svd(const Array& a, bool complete) {
  return on_nodes(a, [&](const auto& nodes, const Location& where) {
    const auto found = without_lock([&] { return detail::svd(nodes, complete, where); });
    return std::tuple(array_of(found.u), Array(found.s), array_of(found.vh));
  });
}

std::pair<Array, Array> eigh(const Array& a) {
  return on_nodes(a, [](const auto& nodes, const Location& where) {
    const auto found = without_lock([&] { return detail::eigh(nodes, where); });
    return std::pair(Array(found.values), array_of(found.vectors));
  });
}

}  // namespace

void bind_linear_algebra(nb::module_& m) {
  m.def("cholesky", &cholesky);
  m.def("determinant", &determinant);
  m.def("lu", &lu);
  m.def("solve", &solve);
  m.def("qr", &qr);
  m.def("svd", &svd);
  m.def("eigh", &eigh);
  m.def("diagonal", [](const Array& a, int64_t which) {
    return a.for_parts(
        [&](const NodeRef& node) { return detail::diagonal(node, which, python_line()); });
  });
  m.def("einsum", [](const std::string& subscripts, const std::vector<Array>& operands, int rank) {
    std::vector<NodeRef> nodes;
    for (const Array& a : operands) nodes.push_back(a.node());
    return Array(detail::einsum(subscripts, nodes, rank, python_line()));
  });
}

}  // namespace tutti::python
