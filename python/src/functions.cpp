// Functions that the graph's own operations are put together to, shared with C++: concatenation,
// order and extremes along an axis, different elements, matrix products.
#include <nanobind/stl/pair.h>

#include "array.hpp"
#include "tutti/along_axis.hpp"
#include "tutti/concat.hpp"
#include "tutti/create.hpp"
#include "tutti/matrices.hpp"
#include "tutti/sets.hpp"

namespace tutti::python {
namespace {

// A function of the nodes of several arrays of one type, for each part of complex elements.
template <class F>
Array join(const std::vector<Array>& arrays, F&& f) {
  std::vector<NodeRef> real, imag;
  for (const Array& a : arrays) {
    real.push_back(a.real().node());
    if (a.is_complex()) imag.push_back(a.imag().node());
  }
  if (imag.empty()) return Array(f(real));
  if (imag.size() != real.size())
    throw InternalError("arrays of complex and of real elements are joined");
  return {Array(f(real)), Array(f(imag))};
}

// Values, first indices, inverse and counts. Reads how many there are.
std::vector<Array> unique_all(const Array& a) {
  refuse_to_read_symbols();
  const Location where = python_line();
  const NodeRef node = a.node();  // other threads may update the array meanwhile
  detail::UniqueNodes found = without_lock([&] { return detail::unique_all(node, where); });
  return {Array(found.values), Array(found.first), Array(found.inverse), Array(found.counts)};
}

}  // namespace

void bind_functions(nb::module_& m) {
  m.def("concat", [](const std::vector<Array>& arrays, int axis) {
    for (const Array& a : arrays)
      if (a.is_lifted()) return lifted_concat(arrays);
    return join(arrays,
                [&](const auto& nodes) { return detail::concat(nodes, axis, python_line()); });
  });
  m.def("stack", [](const std::vector<Array>& arrays, int axis) {
    return join(arrays,
                [&](const auto& nodes) { return detail::stack(nodes, axis, python_line()); });
  });
  m.def("scan_along", [](const std::string& name, const Array& a, int axis, bool exclusive) {
    const Reduction reduction = reduction_named(name);
    if (a.is_lifted()) return lifted_scan(reduction, a, exclusive);
    const auto scanned = [&](const NodeRef& node) {
      return detail::scan_along(reduction, node, axis, exclusive, python_line());
    };
    return reduction == Reduction::sum ? a.for_parts(scanned) : Array(scanned(a.node()));
  });
  m.def("sort_along", [](const Array& a, int axis, bool descending) {
    if (a.is_lifted()) return lifted_sort(a, descending);
    return Array(detail::sort_along(a.node(), axis, descending, python_line()));
  });
  m.def("arg_sort_along", [](const Array& a, int axis, bool descending) {
    return Array(detail::arg_sort_along(a.node(), axis, descending, python_line()));
  });
  m.def("extreme_along", [](const std::string& name, const Array& a, int axis) {
    if (a.is_lifted()) {
      const Reduction reduction = reduction_named(name);
      return std::pair(lifted_extreme_index(reduction, a), lifted_reduce(reduction, a));
    }
    auto [index, value] =
        detail::extreme_along(reduction_named(name), a.node(), axis, python_line());
    return std::pair(Array(index), Array(value));
  });
  m.def("triangle", [](const Array& a, int64_t diagonal, bool upper) {
    return a.for_parts([&](const NodeRef& node) {
      return detail::triangle(node, diagonal, upper, python_line());
    });
  });
  m.def("unique_all", &unique_all);
  m.def("matmul", [](const Array& a, const Array& b) {
    return Array(detail::matmul(a.node(), b.node(), python_line()));
  });
}

}  // namespace tutti::python
