// Indexing with integers, slices, None, Ellipsis, and arrays of integers or bool, to read and to
// update. Basic keys become sections of the graph; keys with arrays become gathers and scatters.
#include "array.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "tutti/ranks.hpp"
#include "tutti/runtime.hpp"
#include "tutti/vector_ops.hpp"

namespace tutti::python {
namespace {

// One entry of a key, for one axis of the array, or a new axis.
struct Entry {
  enum Kind : uint8_t { integer, slice, new_axis, array } kind;
  int axis = -1;
  Range range;    // slice; integer: begin
  NodeRef index;  // array: int32, not negative
};

struct Key {
  std::vector<Entry> entries;
  bool has_arrays = false;
};

bool is_same_section(const Key& a, const Key& b) {
  const auto same = [](const Entry& x, const Entry& y) {
    return x.kind == y.kind && x.axis == y.axis && x.range.begin == y.range.begin &&
           x.range.count == y.range.count && x.range.stride == y.range.stride;
  };
  return !a.has_arrays && !b.has_arrays &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), same);
}

[[noreturn]] void refuse(const std::string& text) { throw nb::index_error(text.c_str()); }

// Whether a key is an array or can become one: also lists, ranges, columns of tables. A tuple is
// one inside of a key only.
bool is_index_array(nb::handle item) {
  PyObject* const o = item.ptr();
  if (PyLong_CheckExact(o) || PySlice_Check(o) || PyTuple_Check(o) || item.is_none()) return false;
  if (nb::isinstance<Array>(item) || PyList_Check(o) || PyBool_Check(o) || PyRange_Check(o))
    return true;
  return !is_numpy_scalar(item) && (PyMemoryView_Check(o) || nb::hasattr(item, "__dlpack__") ||
                                    nb::hasattr(item, "__array__"));
}
bool is_array_in_key(nb::handle item) {
  return nb::isinstance<nb::tuple>(item) || is_index_array(item);
}

int64_t integer_of(nb::handle item) {
  const Py_ssize_t value = PyNumber_AsSsize_t(item.ptr(), PyExc_IndexError);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

Range range_of(nb::handle item, int64_t extent) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(item.ptr(), &start, &stop, &step) < 0) throw nb::python_error();
  const Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
  return {start, count, step};
}

NodeRef small_index(int64_t value) {
  return detail::constant(scalar_value(static_cast<int32_t>(value)), Extents(), Location());
}

NodeRef two(Op op, const NodeRef& a, const NodeRef& b) {
  const NodeRef inputs[] = {a, b};
  return detail::elementwise(op, inputs, Location());
}

void refuse_long_axis(int64_t extent) {
  if (extent > std::numeric_limits<int32_t>::max())
    refuse("index arrays are for axes of less than 2^31 elements");
}

NodeRef as_index(const NodeRef& node) {
  return detail::type_of(node) == ElementType::i32
             ? node
             : detail::cast(node, ElementType::i32, Location());
}

// Negative indices count from the end. Indices out of range are found now: their values are needed,
// so they are computed. TUTTI_INDEX_CHECKS=0 leaves that out.
NodeRef checked_index(const Array& given, int axis, int64_t extent) {
  refuse_long_axis(extent);
  const Array wide = cast_to(given, ElementType::i64);
  const NodeRef n = number(scalar_value(extent)).node();
  if (settings().checks && given.shape().size() > 0) {
    const NodeRef low =
        two(Op::less, wide.node(), two(Op::subtract, number(scalar_value(int64_t{0})).node(), n));
    const NodeRef wrong = two(Op::logical_or, low, two(Op::greater_equal, wide.node(), n));
    std::vector<int> axes(static_cast<size_t>(given.shape().rank));
    for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
    const NodeRef any =
        axes.empty() ? wrong : detail::reduce(Reduction::any, wrong, axes, Location());
    bool found = false;
    without_lock([&] {
      const NodeRef wanted[] = {given.node(), any};
      detail::evaluate(wanted);
      detail::copy_to_host(any, &found);
    });
    if (found)
      refuse("an index is out of range for axis " + std::to_string(axis) + " with " +
             std::to_string(extent) + " elements");
  }
  const NodeRef negative = two(Op::less, wide.node(), number(scalar_value(int64_t{0})).node());
  const NodeRef inputs[] = {negative, two(Op::add, wide.node(), n), wide.node()};
  return detail::cast(detail::elementwise(Op::choose, inputs, Location()), ElementType::i32,
                      Location());
}

int64_t count_true(const NodeRef& flags) {
  const NodeRef ones = detail::cast(flags, ElementType::i64, Location());
  const int axes[] = {0};
  const NodeRef count = detail::reduce(Reduction::sum, ones, axes, Location());
  int64_t result = 0;
  without_lock([&] { detail::copy_to_host(count, &result); });
  return result;
}

NodeRef flat(const NodeRef& node) {
  Extents line;
  line.push_back(detail::shape_of(node, "array").size());
  return detail::reshape(node, line, Location());
}

// Where the flags are true: one index array for each axis.
std::vector<NodeRef> indices_of(const Array& flags) {
  const NodeRef line = flat(flags.node());
  const int64_t count = count_true(line);
  std::vector<NodeRef> result;
  for (int axis = 0; axis < flags.shape().rank; ++axis) {
    const NodeRef coordinates = flat(detail::index(flags.shape(), axis, Location()));
    result.push_back(detail::pack(line, coordinates, count, Location()));
  }
  return result;
}

class KeyReader {
 public:
  KeyReader(const Extents& shape, nb::handle key) : shape_(shape) {
    std::vector<nb::object> items;
    if (nb::isinstance<nb::tuple>(key))
      for (nb::handle item : key) items.push_back(nb::borrow(item));
    else
      items.push_back(nb::borrow(key));
    int used = 0, dots = 0;
    for (const nb::object& item : items) {
      if (item.is(Py_Ellipsis))
        ++dots;
      else
        used += axes_of(item);
    }
    if (dots > 1) refuse("a key has one ellipsis at most");
    if (used > shape.rank)
      refuse("too many indices: the array has " + std::to_string(shape.rank) + " axes, " +
             std::to_string(used) + " were given");
    for (const nb::object& item : items) {
      if (item.is(Py_Ellipsis))
        for (int i = used; i < shape.rank; ++i) add_whole_axis();
      else
        add(item);
    }
    while (next_ < shape.rank) add_whole_axis();
  }
  Key key;

 private:
  static int axes_of(const nb::object& item) {
    if (item.is_none()) return 0;
    if (PyBool_Check(item.ptr())) return 0;
    if (!is_array_in_key(item) || nb::isinstance<nb::int_>(item)) return 1;
    const Array a = as_array(item);
    return a.dtype() == DType(ElementType::b8) ? a.shape().rank : 1;
  }
  void add_whole_axis() {
    key.entries.push_back({Entry::slice, next_, {0, shape_[next_], 1}, {}});
    ++next_;
  }
  void add(const nb::object& item) {
    if (item.is_none()) {
      key.entries.push_back({Entry::new_axis, -1, {}, {}});
    } else if (PySlice_Check(item.ptr())) {
      key.entries.push_back({Entry::slice, next_, range_of(item, shape_[next_]), {}});
      ++next_;
    } else if (is_array_in_key(item)) {
      const Array a = as_array(item);
      // An empty list has no elements that say what they are: it is one of integers.
      add_array((PyList_Check(item.ptr()) || PyTuple_Check(item.ptr())) && a.shape().size() == 0
                    ? cast_to(a, ElementType::i64)
                    : a);
    } else if (PyIndex_Check(item.ptr())) {
      add_integer(integer_of(item));
    } else {
      PyErr_Format(PyExc_IndexError,
                   "indices are integers, slices, None, ... and arrays of integers or bool, not %R",
                   reinterpret_cast<PyObject*>(Py_TYPE(item.ptr())));
      throw nb::python_error();
    }
  }
  void add_integer(int64_t value) {
    const int64_t extent = shape_[next_];
    if (value < -extent || value >= extent)
      refuse("index " + std::to_string(value) + " is out of range for axis " +
             std::to_string(next_) + " with " + std::to_string(extent) + " elements");
    key.entries.push_back({Entry::integer, next_, {value < 0 ? value + extent : value, 1, 1}, {}});
    ++next_;
  }
  void add_array(const Array& a) {
    if (a.is_complex()) refuse("arrays of complex numbers are no indices");
    if (a.type() == ElementType::b8) return add_flags(a);
    if (is_floating(a.type()))
      refuse(std::string("arrays of ") + type_name(a.type()) + " are no indices");
    if (a.shape().rank == 0) {  // an index that was computed
      if (detail::capturing())
        throw nb::type_error(
            "an array is indexed by an element while a program is captured, and programs read no "
            "other elements than those of their arguments: give it the elements, f(x[i])");
      int64_t value = 0;
      const Array wide = cast_to(a, ElementType::i64);
      without_lock([&] { detail::copy_to_host(wide.node(), &value); });
      return add_integer(value);
    }
    key.entries.push_back({Entry::array, next_, {}, checked_index(a, next_, shape_[next_])});
    key.has_arrays = true;
    ++next_;
  }
  void add_flags(const Array& flags) {
    const Extents& of = flags.shape();
    if (of.rank == 0) refuse("a single bool is no index");
    for (int i = 0; i < of.rank; ++i)
      if (of[i] != shape_[next_ + i])
        refuse("the flags have the shape " + detail::to_string(of) + ", the array " +
               detail::to_string(shape_) + ": they differ along axis " + std::to_string(next_ + i));
    for (const NodeRef& index : indices_of(flags)) {
      key.entries.push_back({Entry::array, next_, {}, index});
      ++next_;
    }
    key.has_arrays = true;
  }
  const Extents& shape_;
  int next_ = 0;
};

Extents broadcast(const Extents& a, const Extents& b) {
  Extents result = a.rank >= b.rank ? a : b;
  for (int i = 1; i <= std::min(a.rank, b.rank); ++i) {
    const int64_t x = a[a.rank - i], y = b[b.rank - i];
    if (x != y && x != 1 && y != 1)
      refuse("index arrays of the shapes " + detail::to_string(a) + " and " + detail::to_string(b) +
             " do not fit");
    result[result.rank - i] = x == 1 ? y : x;
  }
  return result;
}

// The axes of the result, and for each axis of the array the indices in all of its elements.
struct GatherIndices {
  Extents shape;
  std::vector<NodeRef> indices;
};

// A node with its axes moved to `first` and following of a shape, to broadcast against the others.
NodeRef spread(const NodeRef& node, int first, const Extents& shape) {
  const Extents& own = detail::shape_of(node, "array");
  Extents wide;
  for (int i = 0; i < shape.rank; ++i) wide.push_back(1);
  for (int i = 0; i < own.rank; ++i) wide[first + i] = own[i];
  const NodeRef placed = own == wide ? node : detail::reshape(node, wide, Location());
  return wide == shape ? placed : detail::broadcast(placed, shape, Location());
}

GatherIndices gather_indices(const Key& key, const Extents& of) {
  Extents arrays;
  int first_array = -1, last_array = -1, groups = 0;
  for (int i = 0; i < static_cast<int>(key.entries.size()); ++i) {
    const Entry& entry = key.entries[static_cast<size_t>(i)];
    const bool advanced =
        entry.kind == Entry::array || (key.has_arrays && entry.kind == Entry::integer);
    if (!advanced) continue;
    if (entry.kind == Entry::array)
      arrays = broadcast(arrays, detail::shape_of(entry.index, "index"));
    if (first_array < 0 || i != last_array + 1) ++groups;
    if (first_array < 0) first_array = i;
    last_array = i;
  }
  // As in NumPy: the axes of index arrays stand where the arrays stood if those were neighbours,
  // else in front.
  GatherIndices result;
  std::vector<int> position(key.entries.size(), -1);
  int position_of_arrays = 0;
  const auto add_arrays = [&] {
    position_of_arrays = result.shape.rank;
    for (const int64_t extent : arrays) result.shape.push_back(extent);
  };
  if (groups > 1) add_arrays();
  for (int i = 0; i < static_cast<int>(key.entries.size()); ++i) {
    const Entry& entry = key.entries[static_cast<size_t>(i)];
    if (groups == 1 && i == first_array) add_arrays();
    if (entry.kind != Entry::slice && entry.kind != Entry::new_axis) continue;
    if (result.shape.rank == max_rank) refuse("the result has more than 8 dimensions");
    position[static_cast<size_t>(i)] = result.shape.rank;
    result.shape.push_back(entry.kind == Entry::slice ? entry.range.count : 1);
  }
  result.indices.resize(static_cast<size_t>(of.rank));
  for (size_t i = 0; i < key.entries.size(); ++i) {
    const Entry& entry = key.entries[i];
    if (entry.kind == Entry::new_axis) continue;
    NodeRef& target = result.indices[static_cast<size_t>(entry.axis)];
    if (entry.kind == Entry::integer) {
      target = detail::constant(scalar_value(static_cast<int32_t>(entry.range.begin)), result.shape,
                                Location());
    } else if (entry.kind == Entry::array) {
      const Extents& own = detail::shape_of(entry.index, "index");
      target = spread(entry.index, position_of_arrays + arrays.rank - own.rank, result.shape);
    } else {
      const NodeRef counter = detail::index(result.shape, position[i], Location());
      target = two(Op::add, two(Op::multiply, counter, small_index(entry.range.stride)),
                   small_index(entry.range.begin));
    }
  }
  return result;
}

Array basic_item(const Array& a, const Key& key) {
  std::vector<Range> ranges(static_cast<size_t>(a.shape().rank));
  bool whole = true;
  for (const Entry& entry : key.entries) {
    if (entry.axis < 0) continue;
    ranges[static_cast<size_t>(entry.axis)] = entry.range;
    whole = whole && entry.kind == Entry::slice && entry.range.count == a.shape()[entry.axis] &&
            (entry.range.stride == 1 || entry.range.count <= 1);
  }
  NodeRef node = whole ? a.node() : detail::section(a.node(), ranges, Location());
  int axis = 0;
  for (const Entry& entry : key.entries) {
    if (entry.kind == Entry::integer)
      node = detail::drop_dimension(node, axis, Location());
    else if (entry.kind == Entry::new_axis)
      node = detail::add_dimension(node, axis++, 1, Location());
    else
      ++axis;
  }
  return Array(node);
}

// The element that a key of integers names, where it can be read at once; else null.
std::shared_ptr<const ElementOf> element_of(const Array& a, const Key& key) {
  const Extents& shape = a.shape();
  if (static_cast<int>(key.entries.size()) != shape.rank || shape.rank == 0) return nullptr;
  int64_t position = 0;
  for (const Entry& entry : key.entries) {
    if (entry.kind != Entry::integer) return nullptr;
    position = position * shape[entry.axis] + entry.range.begin;
  }
  if (!detail::is_evaluated(a.node()) || detail::device_of(a.node()) != "cpu" || ranks::size() > 1)
    return nullptr;
  return std::make_shared<const ElementOf>(ElementOf{a.node(), position});
}

// Flags for all elements: packing takes one pass.
std::optional<Array> masked(const Array& a, nb::handle key) {
  if (!is_index_array(key) || PyBool_Check(key.ptr())) return std::nullopt;
  const Array flags = as_array(key);
  if (flags.dtype() != DType(ElementType::b8) || a.shape().rank == 0 ||
      !(flags.shape() == a.shape()))
    return std::nullopt;
  const NodeRef line = flat(flags.node()), values = flat(a.node());
  int64_t found = -1;
  NodeRef packed =
      without_lock([&] { return detail::pack_counting(line, values, found, Location()); });
  if (found >= 0) return Array(packed);
  return Array(detail::pack(line, values, count_true(line), Location()));
}

// A single flag as a key: a new axis, with an element if it is true.
std::optional<bool> single_flag(nb::handle key) {
  if (PyBool_Check(key.ptr())) return key.is(Py_True);
  if (PyTuple_Check(key.ptr()) || PyLong_CheckExact(key.ptr()) || PySlice_Check(key.ptr()))
    return std::nullopt;
  if (is_numpy_scalar(key) && dtype_from(key.attr("dtype")) == DType(ElementType::b8))
    return nb::cast<bool>(nb::bool_(nb::borrow(key)));
  Array* array = nullptr;
  if (!nb::try_cast<Array*>(key, array) || !array || array->dtype() != DType(ElementType::b8) ||
      array->shape().rank != 0)
    return std::nullopt;
  bool flag = false;
  const NodeRef node = array->node();  // other threads may update the array meanwhile
  without_lock([&] { detail::copy_to_host(node, &flag); });
  return flag;
}

// ---- updates of sections

// An update of a section becomes a choice between the new and the old element, which fuses with
// what computes both, or a write that touches the section only.

bool has_unit_steps(const Key& key) {
  for (const Entry& entry : key.entries)
    if (entry.kind == Entry::array ||
        (entry.kind == Entry::slice && entry.range.count > 1 && std::abs(entry.range.stride) != 1))
      return false;
  return true;
}

Extents shape_of_key(const Key& key) {
  Extents shape;
  for (const Entry& entry : key.entries)
    if (entry.kind == Entry::slice || entry.kind == Entry::new_axis) {
      if (shape.rank == max_rank) refuse("the key has more than 8 dimensions");
      shape.push_back(entry.kind == Entry::slice ? entry.range.count : 1);
    }
  return shape;
}

// The values with one axis for each axis of the array: of extent 1, or as long as the section.
NodeRef with_axes_of_array(NodeRef values, const Key& key, const Extents& section) {
  while (detail::shape_of(values, "values").rank < section.rank)
    values = detail::add_dimension(values, 0, 1, Location());
  int axis = 0;
  for (const Entry& entry : key.entries) {
    if (entry.kind == Entry::integer)
      values = detail::add_dimension(values, axis++, 1, Location());
    else if (entry.kind == Entry::new_axis)
      values = detail::drop_dimension(values, axis, Location());
    else
      ++axis;
  }
  return values;
}

// The first element of the section along an axis, in the order of the array.
int64_t first_of(const Entry& entry) {
  return entry.range.stride < 0 ? entry.range.begin - (entry.range.count - 1) : entry.range.begin;
}

// The values at their indices in an array of this shape. Elements outside of the section are not
// used.
NodeRef placed(NodeRef values, const Key& key, const Extents& shape) {
  const Extents own = detail::shape_of(values, "values");
  std::vector<Range> order;
  std::vector<Margin> margins(static_cast<size_t>(shape.rank), Margin{0, 0});
  bool turned = false, widened = false;
  for (const Entry& entry : key.entries) {
    if (entry.axis < 0) continue;
    const int64_t extent = own[entry.axis];
    const bool turns = extent > 1 && entry.range.stride < 0;
    turned = turned || turns;
    order.push_back(turns ? Range{extent - 1, extent, -1} : Range{0, extent, 1});
    if (extent == 1 || extent == shape[entry.axis]) continue;
    widened = true;
    margins[static_cast<size_t>(entry.axis)] = {first_of(entry),
                                                shape[entry.axis] - first_of(entry) - extent};
  }
  if (turned) values = detail::section(values, order, Location());
  if (!widened) return values;
  return detail::expand(values, margins, Boundary::clamp(), 0, "set", Location());
}

// Which elements the section has; a null reference if all.
NodeRef flags_of_section(const Key& key, const Extents& shape) {
  NodeRef inside;
  const auto require = [&](Op op, const NodeRef& index, int64_t limit) {
    const NodeRef holds = two(op, index, small_index(limit));
    inside = inside ? two(Op::logical_and, inside, holds) : holds;
  };
  for (const Entry& entry : key.entries) {
    if (entry.axis < 0) continue;
    const int64_t first = first_of(entry), extent = shape[entry.axis];
    if (entry.range.count == extent) continue;
    const NodeRef index = detail::index(shape, entry.axis, Location());
    if (entry.range.count == 1) {
      require(Op::equal, index, first);
      continue;
    }
    if (first > 0) require(Op::greater_equal, index, first);
    if (first + entry.range.count < extent) require(Op::less, index, first + entry.range.count);
  }
  return inside;
}

NodeRef combined(const std::string& how, const NodeRef& before, const NodeRef& values) {
  if (how == "add") return two(Op::add, before, values);
  return two(how == "min" ? Op::min : Op::max, before, values);
}

// The section that a key of integers and slices names, an entry for each axis of the array.
std::vector<Range> ranges_of(const Key& key, const Extents& shape) {
  std::vector<Range> ranges(static_cast<size_t>(shape.rank));
  for (const Entry& entry : key.entries)
    if (entry.axis >= 0) ranges[static_cast<size_t>(entry.axis)] = entry.range;
  return ranges;
}

Extents shape_of_ranges(const std::vector<Range>& ranges) {
  Extents shape;
  for (const Range& range : ranges) shape.push_back(range.count);
  return shape;
}

// `given` has an axis for each axis of the array.
Array choose_section(const Array& a, const Key& key, NodeRef given, const std::string& how) {
  const Extents& shape = a.shape();
  given = placed(given, key, shape);
  if (how != "set") given = combined(how, a.node(), given);
  const NodeRef inside = flags_of_section(key, shape);
  if (inside) return choose(Array(inside), Array(given), a);
  if (!(detail::shape_of(given, "values") == shape))
    given = detail::broadcast(given, shape, Location());
  return Array(given);
}

Array write_section(const Array& a, const Key& key, NodeRef given, const std::string& how) {
  const std::vector<Range> ranges = ranges_of(key, a.shape());
  const Extents section = shape_of_ranges(ranges);
  if (!(detail::shape_of(given, "values") == section))
    given = detail::broadcast(given, section, Location());
  if (how != "set") given = combined(how, detail::section(a.node(), ranges, Location()), given);
  return Array(detail::write_section(a.node(), ranges, given, Location()));
}

Collision collision_of(const std::string& how) {
  if (how == "set") return Collision::last;
  if (how == "add") return Collision::sum;
  if (how == "min") return Collision::min;
  if (how == "max") return Collision::max;
  throw nb::value_error("the combination is one of set, first, add, min and max");
}

}  // namespace

struct SectionUpdate {
  Key key;
  NodeRef values, result;  // result: the array after it
};

Array get_item(const Array& given, nb::handle key) {
  if (given.is_lifted() || is_lifted_key(key)) return lifted_item(given, key);
  const Array a = given;  // other threads may update the object while indices are computed
  if (a.is_complex()) return {get_item(a.real(), key), get_item(a.imag(), key)};
  if (std::optional<Array> result = masked(a, key)) return *result;
  if (const std::optional<bool> flag = single_flag(key)) {
    const NodeRef one = detail::add_dimension(a.node(), 0, 1, Location());
    std::vector<Range> ranges{{0, *flag ? 1 : 0, 1}};
    for (const int64_t extent : a.shape()) ranges.push_back({0, extent, 1});
    return Array(detail::section(one, ranges, Location()));
  }
  const KeyReader reader(a.shape(), key);
  if (a.last_update && a.last_update->result == a.node() &&
      is_same_section(a.last_update->key, reader.key))
    return Array(a.last_update->values);
  if (!reader.key.has_arrays) {
    Array result = basic_item(a, reader.key);
    result.element = element_of(a, reader.key);
    return result;
  }
  const GatherIndices gathered = gather_indices(reader.key, a.shape());
  return Array(detail::gather(a.node(), gathered.indices, Boundary::clamp(), 0, Location()));
}

// The elements along an axis at indices that are in range by construction: neither checked nor
// counted from the end.
Array take_unchecked(const Array& a, const Array& indices, int axis) {
  if (a.is_complex())
    return {take_unchecked(a.real(), indices, axis), take_unchecked(a.imag(), indices, axis)};
  refuse_long_axis(a.shape()[axis]);
  Key key;
  key.has_arrays = true;
  for (int i = 0; i < a.shape().rank; ++i) {
    if (i == axis)
      key.entries.push_back({Entry::array, i, {}, as_index(indices.node())});
    else
      key.entries.push_back({Entry::slice, i, {0, a.shape()[i], 1}, {}});
  }
  const GatherIndices gathered = gather_indices(key, a.shape());
  return Array(detail::gather(a.node(), gathered.indices, Boundary::clamp(), 0, Location()));
}

// A key of integers and slices alone.
static Array update_section(const Array& a, const Key& key, const Array& values,
                            const std::string& how) {
  const Extents section = shape_of_key(key);
  NodeRef given = values.node(), all;
  if (!(values.shape() == section)) all = detail::broadcast(given, section, Location());
  if (section.size() == 0) return a;
  given = with_axes_of_array(given, key, section);
  const bool small = a.shape().size() <= std::numeric_limits<int32_t>::max();
  if (small && has_unit_steps(key) && detail::is_better_chosen(a.node(), given, section.size()))
    return choose_section(a, key, given, how);
  Array result = write_section(a, key, given, how);
  // What is read from the section next is what was written.
  if (how == "set")
    result.last_update = std::make_shared<const SectionUpdate>(
        SectionUpdate{key, values.shape() == section ? values.node() : all, result.node()});
  return result;
}

static Array update_with(const Array& a, nb::handle key, const Array& given,
                         const std::string& how);

Array update_item(const Array& object, nb::handle key, nb::handle values, const std::string& how) {
  if (object.is_lifted() || is_lifted_key(key))
    throw TypeError("elements are not updated inside of each(): choose them with tt.where");
  const Array a = object;  // other threads may update the object while indices are computed
  const DType type = a.dtype();
  if (is_scalar(values)) {
    if (PyFloat_Check(values.ptr()) && !is_floating(type.part))
      throw TypeError(std::string("a float is assigned to elements of type ") + type_name(type) +
                      ": cast the array with astype() first");
    if (PyComplex_Check(values.ptr()) && !type.is_complex)
      throw TypeError(std::string("a complex number is assigned to elements of type ") +
                      type_name(type) + ": cast the array with astype() first");
    return update_with(a, key, number_from(values, type), how);
  }
  const Array given = as_array(values);
  if (!is_stored_as(given.dtype(), type))
    throw TypeError(std::string("elements of type ") + type_name(given.dtype()) +
                    " are assigned to elements of type " + type_name(type) +
                    ": cast them with astype() first");
  // Numbers in lists are read again: one that does not fit is an error.
  const bool numbers = nb::isinstance<nb::list>(values) || nb::isinstance<nb::tuple>(values);
  return update_with(a, key, numbers ? as_array(values, type) : cast_to(given, type), how);
}

// `given` has the type of the array.
static Array update_with(const Array& a, nb::handle key, const Array& given,
                         const std::string& how) {
  if (a.is_complex()) {
    if (how == "min" || how == "max") throw TypeError("complex numbers have no order");
    return {update_with(a.real(), key, given.real(), how),
            update_with(a.imag(), key, given.imag(), how)};
  }
  if (const std::optional<bool> flag = single_flag(key)) {
    if (!*flag) return a;
    if (how != "set") return update_with(a, nb::ellipsis(), given, how);
    return Array(detail::broadcast(given.node(), a.shape(), Location()));
  }
  // Flags for all elements: a choice needs no scatter.
  if (how == "set" && nb::isinstance<Array>(key) && given.shape().rank == 0) {
    const Array& flags = *nb::cast<Array*>(key);
    if (flags.dtype() == DType(ElementType::b8) && flags.shape() == a.shape() && a.shape().rank > 0)
      return choose(flags, given, a);
  }
  const KeyReader reader(a.shape(), key);
  const Collision collision = collision_of(how);
  if (!reader.key.has_arrays && a.shape().rank > 0)
    return update_section(a, reader.key, given, how);
  const GatherIndices gathered = gather_indices(reader.key, a.shape());
  if (a.shape().rank == 0) return Array(detail::reshape(given.node(), Extents(), Location()));
  Extents target = gathered.shape;
  const NodeRef spread_values =
      given.shape() == target ? given.node() : detail::broadcast(given.node(), target, Location());
  return Array(detail::scatter(a.node(), gathered.indices, spread_values, collision, Location()));
}

// The writes of a program: indices of int32 for each axis, and values of the same shape. An index
// outside of the array writes nothing.
static Array scatter(const Array& a, const std::vector<Array>& indices, const Array& values,
                     const std::string& how) {
  if (!is_stored_as(values.dtype(), a.dtype()))
    throw TypeError(std::string("scatter: elements of type ") + type_name(values.dtype()) +
                    " are written to elements of type " + type_name(a.dtype()) +
                    ": cast them with astype() first");
  if (a.is_complex()) {
    if (how == "min" || how == "max") throw TypeError("complex numbers have no order");
    const Array given = cast_to(values, a.dtype());
    return {scatter(a.real(), indices, given.real(), how),
            scatter(a.imag(), indices, given.imag(), how)};
  }
  const Collision collision = how == "first" ? Collision::first : collision_of(how);
  for (const int64_t extent : a.shape()) refuse_long_axis(extent);
  std::vector<NodeRef> nodes;
  nodes.reserve(indices.size());
  for (const Array& index : indices) nodes.push_back(index.node());
  return Array(detail::scatter(a.node(), nodes, cast_to(values, a.dtype()).node(), collision,
                               python_line()));
}

void bind_indexing(nb::module_& m, nb::class_<Array>& array) {
  array.def("__getitem__", &get_item, nb::arg().none());
  array.def(
      "__delitem__",
      [](const Array&, nb::handle) {
        throw nb::type_error("elements are not deleted from an array: tt.delete() makes another");
      },
      nb::arg().none());
  array.def(
      "__setitem__",
      [](Array& a, nb::handle key, nb::handle values) { a = update_item(a, key, values, "set"); },
      nb::arg().none(), nb::arg().none());
  m.def("take_unchecked", &take_unchecked);
  m.def("scatter", &scatter);
  m.def("update_item", &update_item, nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
  m.def("nonzero", [](const Array& a) {
    const Array flags = a.dtype() == DType(ElementType::b8)
                            ? a
                            : binary(Binary::not_equal, a, number_from(nb::int_(0), a.dtype()));
    std::vector<Array> result;
    for (NodeRef& node : indices_of(flags))
      result.push_back(Array(detail::cast(node, ElementType::i64, Location())));
    return result;
  });
}

}  // namespace tutti::python
