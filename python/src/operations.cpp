// Transformations, reductions, scans, sorting and products, as thin as the graph's own functions;
// axes, defaults and names of the Array API are the business of the Python files.
#include "array.hpp"
#include "tutti/vector_ops.hpp"

namespace tutti::python {
namespace {

using Integers = std::vector<int64_t>;

Extents extents_from(const Integers& dims) {
  if (dims.size() > static_cast<size_t>(max_rank))
    throw ShapeError("arrays have at most 8 dimensions, " + std::to_string(dims.size()) +
                     " were given");
  Extents result;
  for (const int64_t dim : dims) {
    if (dim < 0) throw ShapeError("the extent " + std::to_string(dim) + " is negative");
    result.push_back(dim);
  }
  return result;
}

Array reduce(const std::string& name, const Array& a, const std::vector<int>& axes) {
  const Reduction reduction = reduction_named(name);
  if (axes.empty()) return a;
  const auto reduced = [&](const NodeRef& node) {
    return detail::reduce(reduction, node, axes, Location());
  };
  return reduction == Reduction::sum ? a.for_parts(reduced) : Array(reduced(a.node()));
}

// Axes of Python, checked and counted from 0: None for all, an integer or a sequence of them.
std::vector<int> axes_from(nb::handle given, int rank, const std::string& name) {
  std::vector<int> axes;
  const auto add = [&](nb::handle item) {
    const Py_ssize_t axis = PyNumber_AsSsize_t(item.ptr(), PyExc_IndexError);
    if (axis == -1 && PyErr_Occurred()) throw nb::python_error();
    if (axis < -rank || axis >= rank) {
      const nb::object type = nb::module_::import_("tutti._manipulation").attr("AxisError");
      PyErr_Format(type.ptr(), "%s: axis %zd of an array with %d axes", name.c_str(), axis, rank);
      throw nb::python_error();
    }
    const int counted = static_cast<int>(axis < 0 ? axis + rank : axis);
    for (const int other : axes)
      if (other == counted) throw nb::value_error((name + ": an axis is named twice").c_str());
    axes.push_back(counted);
  };
  if (given.is_none())
    for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  else if (nb::isinstance<nb::tuple>(given) || nb::isinstance<nb::list>(given))
    for (nb::handle item : given) add(item);
  else
    add(given);
  return axes;
}

// A reduction over axes of Python; with `keep`, they stay with one element.
Array reduce_axes(const std::string& name, const Array& a, nb::handle given, bool keep) {
  if (a.is_lifted()) {  // `keep` does not matter: a number combines with every sequence
    if (!given.is_none()) axes_from(given, 1, name);
    return lifted_reduce(reduction_named(name), a);
  }
  const Extents shape = a.shape();
  const std::vector<int> axes = axes_from(given, shape.rank, name);
  const Array result = reduce(name, a, axes);
  if (!keep) return result;
  Extents kept = shape;
  for (const int axis : axes) kept[axis] = 1;
  return result.for_parts(
      [&](const NodeRef& node) { return detail::reshape(node, kept, Location()); });
}

// The sum or product along axes, in the type that is given or in 64 bits for integers, as the Array
// API says.
Array total(const std::string& name, const Array& a, nb::handle axes, nb::handle dtype, bool keep) {
  DType type = a.dtype();
  if (!dtype.is_none())
    type = dtype_from(dtype);
  else if (!type.is_complex && !is_floating(type.part))
    type =
        type.part == ElementType::b8 || is_signed(type.part) ? ElementType::i64 : ElementType::u64;
  return reduce_axes(name, cast_to(a, type), axes, keep);
}

Array pad(const Array& a, const Integers& before, const Integers& after, nb::handle fill) {
  std::vector<Margin> margins;
  for (size_t i = 0; i < before.size(); ++i) margins.push_back({before[i], after[i]});
  const auto padded = [&](const NodeRef& node, const Boundary& boundary) {
    return detail::expand(node, margins, boundary, 0, "pad", Location());
  };
  if (!nb::isinstance<nb::str>(fill)) {
    const Array real(padded(a.real().node(), Boundary::constant(nb::cast<double>(fill))));
    if (!a.is_complex()) return real;
    return {real, Array(padded(a.imag().node(), Boundary::constant(0.0)))};
  }
  const auto mode = nb::cast<std::string>(fill);
  if (mode != "wrap" && mode != "edge") throw nb::value_error("pad: a mode is 'edge' or 'wrap'");
  const Boundary boundary = mode == "wrap" ? Boundary::wrap() : Boundary::clamp();
  return a.for_parts([&](const NodeRef& node) { return padded(node, boundary); });
}

NodeRef offsets_or_none(nb::handle offsets) {
  return offsets.is_none() ? NodeRef() : nb::cast<Array*>(offsets)->node();
}

}  // namespace

Reduction reduction_named(const std::string& name) {
  static constexpr std::pair<const char*, Reduction> known[] = {
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  {python, Reduction::id},
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
  };
  for (const auto& [word, reduction] : known)
    if (name == word) return reduction;
  throw nb::value_error(("there is no reduction '" + name + "'").c_str());
}

void bind_operations(nb::module_& m) {
  m.def(
      "full",
      [](const Integers& shape, nb::handle value, nb::handle type) {
        const DType of = type.is_none() ? scalar_type(value) : dtype_from(type);
        return number_from(value, of, extents_from(shape));
      },
      nb::arg(), nb::arg(), nb::arg().none());
  m.def("index", [](const Integers& shape, int axis) {
    return Array(detail::index(extents_from(shape), axis, Location()));
  });
  m.def("broadcast_to", [](const Array& a, const Integers& shape) {
    const Extents to = extents_from(shape);
    if (a.shape() == to) return a;
    return a.for_parts(
        [&](const NodeRef& node) { return detail::broadcast(node, to, Location()); });
  });
  m.def("reshape", [](const Array& a, const Integers& shape) {
    const Extents to = extents_from(shape);
    return a.for_parts([&](const NodeRef& node) { return detail::reshape(node, to, Location()); });
  });
  m.def("transpose", [](const Array& a, const Integers& axes) {
    return a.for_parts(
        [&](const NodeRef& node) { return detail::transpose(node, axes, Location()); });
  });
  m.def("drop_axis", [](const Array& a, int axis) {
    return a.for_parts(
        [&](const NodeRef& node) { return detail::drop_dimension(node, axis, Location()); });
  });
  m.def("add_axis", [](const Array& a, int axis, int64_t extent) {
    return a.for_parts(
        [&](const NodeRef& node) { return detail::add_dimension(node, axis, extent, Location()); });
  });
  m.def("roll", [](const Array& a, const Integers& by) {
    return a.for_parts([&](const NodeRef& node) {
      return detail::shift(node, by, Boundary::wrap(), 0, Location());
    });
  });
  m.def("pad", &pad);
  m.def("reduce", &reduce);
  m.def("total", &total, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg());
  m.def("reduce_axes", &reduce_axes, nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def(
      "scan",
      [](const std::string& name, const Array& a, nb::handle offsets, bool exclusive) {
        return Array(detail::scan(reduction_named(name), a.node(), offsets_or_none(offsets),
                                  exclusive, python_line()));
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def("segmented_reduce", [](const std::string& name, const Array& a, const Array& offsets) {
    return Array(
        detail::segmented_reduce(reduction_named(name), a.node(), offsets.node(), python_line()));
  });
  m.def("element_segments", [](const Array& offsets, int64_t elements) {
    return Array(detail::element_segments(offsets.node(), elements, python_line()));
  });
  m.def(
      "sort",
      [](const Array& keys, const Array& values, nb::handle offsets, bool descending) {
        return Array(detail::sort_values(keys.node(), values.node(), offsets_or_none(offsets),
                                         descending, python_line()));
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def(
      "sort_permutation",
      [](const Array& keys, nb::handle offsets, bool descending) {
        return Array(detail::sort_permutation(keys.node(), offsets_or_none(offsets), descending,
                                              python_line()));
      },
      nb::arg(), nb::arg().none(), nb::arg());
  m.def("search_sorted", [](const Array& sorted, const Array& queries, bool right) {
    return Array(detail::search_sorted(sorted.node(), queries.node(), right, Location()));
  });
  m.def("top_k", [](const Array& keys, int64_t count, bool descending) {
    return Array(detail::top_k(keys.node(), count, descending, python_line()));
  });
  m.def("inner_product", [](const Array& a, const Array& b) {
    return Array(detail::inner_product(a.node(), b.node(), Location()));
  });
  m.def("evaluate", [](const std::vector<Array>& arrays) {
    refuse_to_read_symbols();
    std::vector<NodeRef> nodes;
    for (const Array& a : arrays) a.append_to(nodes);
    without_lock([&] { detail::evaluate(nodes); });
  });
  m.def("is_evaluated", [](const Array& a) {
    return detail::is_evaluated(a.real().node()) &&
           (!a.is_complex() || detail::is_evaluated(a.imag().node()));
  });
}

}  // namespace tutti::python
