// The extension module tutti._core: the type-erased graph for the Python files of the package.
#include "array.hpp"
#include "ranks.hpp"

namespace nb = nanobind;
using tutti::python::Array;

NB_MODULE(_core, m) {
  using namespace tutti::python;
  nb::set_leak_warnings(false);  // arrays may be alive when the interpreter ends
  bind_types(m);
  nb::class_<Array> array(m, "Array", nb::dynamic_attr(), nb::is_weak_referenceable(),
                          nb::type_slots(buffer_slots()),
                          "A lazy array: operations build a graph, reading computes it.");
  array.def("__init__", [](Array*, const nb::args&, const nb::kwargs&) {
    throw nb::type_error(
        "arrays are made by tt.asarray(), tt.zeros() and other functions, not by the class");
  });
  array.def_prop_ro("shape", [](const Array& a) {
    nb::list dims;
    for (const int64_t dim : a.shape()) dims.append(dim);
    return nb::tuple(dims);
  });
  array.def_prop_ro("ndim", [](const Array& a) { return a.shape().rank; });
  array.def_prop_ro("size", [](const Array& a) -> nb::object {
    if (a.is_lifted()) return nb::cast(lifted_length(a));
    return nb::int_(a.shape().size());
  });
  array.def_prop_ro("dtype", [m](const Array& a) { return m.attr(type_name(a.dtype())); });
  bind_elementwise(m, array);
  bind_complex(m);
  bind_conversions(m, array);
  bind_buffer(m);
  bind_indexing(m, array);
  bind_operations(m);
  bind_functions(m);
  bind_linear_algebra(m);
  bind_runtime(m);
  bind_ranks(m);
  bind_interruption();  // tried before the exceptions of bind_runtime()
  bind_nesl(m);
  bind_programs(m);
  bind_nested(m);
}
