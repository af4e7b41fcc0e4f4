// Parts of arrays: single elements by integer and real coordinates, slices that can be assigned to,
// gather and scatter by arrays of indices. Also arrays in memory of the caller.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/detail/require_int32.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/transform.hpp"
#include "tutti/value_functions.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// ---- one element

template <int D, class T>
Value<components<T>, scalar_t<T>> element_at(const Array<D, T>& a, const Value<D, int32_t>& i) {
  using Result = Value<components<T>, scalar_t<T>>;
  const Boundary& rule = a.modes().boundary;
  if (capturing()) {
    const auto index = i.nodes();
    std::array<NodeRef, components<T>> nodes;
    for (int c = 0; c < components<T>; ++c)
      nodes[c] = record_element(a.cell(), c, index, rule, Location());
    return Result(FromNodes{}, nodes);
  }
  std::array<NodeRef, D> index;
  for (int axis = 0; axis < D; ++axis)
    index[axis] = constant(scalar_value(i.get(axis)), {}, Location());
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) nodes[c] = gather(a.node(c), index, rule, c, Location());
  return Array<0, canonical_t<Result>>(nodes).item();
}

// Returns the extent of an axis. During capture it is a symbol: programs read the extent of the
// array that they run on.
template <int D, class T>
Value<1, int32_t> extent_of(const Array<D, T>& a, int axis, const Location& where) {
  const int64_t extent = a.extent(axis, where);
  if (capturing()) return {FromNodes{}, {record_extent(a.cell(), axis)}};
  return require_int32(extent, "the extent of axis " + std::to_string(axis),
                       "work on parts of the array", where);
}

}  // namespace detail

// Returns the extent of an axis. In a program it is read when the program runs, as the elements
// are; a.extent(axis) is the number that it was when the program was captured.
template <int D, class T>
requires(D > 0)
Value<1, int32_t> extent(const Array<D, T>& a, int axis,
                         const std::source_location& where = std::source_location::current()) {
  return detail::extent_of(a, axis, where);
}

namespace detail {

// ---- between elements: the nearest, or interpolated along one axis after the other

template <class T>
using Sample = Value<components<T>, scalar_t<T>>;
using Position = std::span<const Value<1, float>>;  // in elements, by axis

template <int D, class T>
Sample<T> nearest_sample(const Array<D, T>& a, Position position) {
  Value<D, int32_t> at;
  for (int axis = 0; axis < D; ++axis) at(axis) = Value<1, int32_t>(floor(position[axis]));
  return element_at(a, at);
}

template <int D, class T>
Sample<T> linear_sample(const Array<D, T>& a, Position position, Value<D, int32_t> at, int axis) {
  if (axis == D) return element_at(a, at);
  const Value<1, float> from = position[axis] - 0.5f, below = floor(from);
  at(axis) = Value<1, int32_t>(below);
  const Sample<T> low = linear_sample(a, position, at, axis + 1);
  at(axis) = Value<1, int32_t>(below) + 1;
  const Sample<T> high = linear_sample(a, position, at, axis + 1);
  return Sample<T>(lerp(low, high, Value<1, scalar_t<T>>(from - below)));
}

template <int D, class T>
Sample<T> sample_at(const Array<D, T>& a, const Value<D, float>& x) {
  std::array<Value<1, float>, D> position;
  for (int axis = 0; axis < D; ++axis)
    position[axis] = x(axis) * Value<1, float>(extent_of(a, axis, Location()));
  if constexpr (kind<scalar_t<T>> == 2) {
    const auto linear = [&] { return linear_sample(a, position, Value<D, int32_t>(), 0); };
    if (capturing()) {  // records both: the mode is only known when the program runs
      const Value<1, bool> interpolates(FromNodes{}, {record_interpolates(a.cell())});
      return cond(interpolates, linear(), nearest_sample(a, position));
    }
    if (a.modes().interpolation == Interpolation::linear) return linear();
  }
  return nearest_sample(a, position);
}

// ---- gather and scatter

// A scalar or tuple that is assigned to many elements of an array of T.
template <class S, class T>
concept ElementFor = std::is_convertible_v<S, canonical_t<T>> &&
                     (ScalarType<S> || IsValue<S> || std::is_same_v<S, canonical_t<T>>);

template <int D, class T, int R, class I>
Array<R, canonical_t<T>> elements_at(const Array<D, T>& a, const Array<R, I>& indices) {
  return for_each_component<R>(a, [&](const NodeRef& node, int c) {
    return gather(node, indices.nodes(), a.modes().boundary, c, Location());
  });
}

// The elements of an array at some indices. They can be assigned to.
template <int D, class T, int R, class I>
class ElementsAt : public Array<R, canonical_t<T>> {
 public:
  using Base = Array<R, canonical_t<T>>;
  ElementsAt(Array<D, T>& target, const Array<R, I>& indices)
      : Base(elements_at(target, indices)), target_(target), indices_(indices) {}
  ElementsAt(const ElementsAt&) = default;
  ElementsAt& operator=(const Base& values) {
    std::array<NodeRef, components<T>> nodes;
    for (int c = 0; c < components<T>; ++c)
      nodes[c] =
          scatter(target_.node(c), indices_.nodes(), values.node(c), Collision::any, Location());
    target_ = Array<D, T>(nodes);
    Base::operator=(elements_at(target_, indices_));
    return *this;
  }
  ElementsAt& operator=(const ElementsAt& other) { return *this = static_cast<const Base&>(other); }
  // Assigns one element to all indices.
  template <class S>
  requires ElementFor<S, T>
  ElementsAt& operator=(const S& same) {
    return *this = Base(this->shape(), static_cast<canonical_t<T>>(same));
  }
// The elements are those that the variable has now.
#define TUTTI_ASSIGN_OPERATOR(op)                             \
  template <class X>                                          \
  ElementsAt& operator op## = (const X& x) {                  \
    return *this = Base(elements_at(target_, indices_) op x); \
  }
#include "tutti/detail/assign_operators.def"

 private:
  Array<D, T>& target_;
  Array<R, I> indices_;
};

template <int D, class T, int R, class I>
ElementsAt<D, T, R, I> assignable_elements_at(Array<D, T>& a, const Array<R, I>& indices) {
  return {a, indices};
}

// ---- slices

// Returns for each axis the range of every stride-th index from `begin` to `end`, exclusive.
template <int D>
std::vector<Range> ranges(const Shape<D>& begin, const Shape<D>& end, const Shape<D>& stride) {
  std::vector<Range> result;
  for (int axis = 0; axis < D; ++axis) {
    if (stride[axis] < 1) throw ShapeError("stride: steps are at least 1");
    const int64_t length = end[axis] - begin[axis];
    result.push_back(
        {begin[axis], length <= 0 ? 0 : (length - 1) / stride[axis] + 1, stride[axis]});
  }
  return result;
}

template <int D, class T>
Array<D, canonical_t<T>> part_of(const Array<D, T>& a, std::span<const Range> part,
                                 const Location& where) {
  return for_each_component<D>(
      a, [&](const NodeRef& node, int) { return section(node, part, where); });
}

// Returns `a` with one part replaced by `values`, as an element-wise choice: the coordinates of an
// element decide which of the two arrays it is read from.
template <int D, class T>
Array<D, T> with_part_chosen(const Array<D, T>& a, std::span<const Range> part,
                             const Array<D, canonical_t<T>>& values, const Location& where) {
  const Shape<D> shape = a.shape();
  Array<D, bool> inside(shape, true);
  std::array<NodeRef, D> sources;
  for (int axis = 0; axis < D; ++axis) {
    const Range& range = part[axis];
    // Begin, and the stride of more than one element, are less than the extent, which index()
    // limits to 32 bits.
    const auto stride = static_cast<int32_t>(range.count == 1 ? 1 : range.stride);
    const auto last = static_cast<int32_t>(range.count - 1) * stride;
    const Array<D, int32_t> from =
        tutti::index(shape, axis, where) - static_cast<int32_t>(range.begin);
    inside = inside && from >= 0 && from <= last;
    if (stride != 1) inside = inside && from % stride == 0;
    sources[axis] = (stride == 1 ? from : from / stride).node();
  }
  return for_each_component<D>(a, [&](const NodeRef& node, int c) {
    const NodeRef inputs[] = {inside.node(),
                              gather(values.node(c), sources, Boundary::clamp(), c, where), node};
    return elementwise(Op::choose, inputs, where);
  });
}

// Returns `a` with one part replaced by `values`.
template <int D, class T>
Array<D, T> with_part(const Array<D, T>& a, std::span<const Range> part,
                      const Array<D, canonical_t<T>>& values, const Location& where) {
  for (int axis = 0; axis < D; ++axis)
    if (values.extent(axis) != part[axis].count)
      throw ShapeError("assignment to a part: it has " + std::to_string(part[axis].count) +
                       " elements along axis " + std::to_string(axis) + ", what is assigned " +
                       std::to_string(values.extent(axis)) + at(where));
  if (values.size() == 0) return a;
  if (is_better_chosen(a.node(0), values.node(0), values.size()))
    return with_part_chosen(a, part, values, where);
  return for_each_component<D>(a, [&](const NodeRef& node, int c) {
    return write_section(node, part, values.node(c), where);
  });
}

// A part of an array, which can be assigned to.
template <int D, class T>
class Part : public Array<D, canonical_t<T>> {
 public:
  using Base = Array<D, canonical_t<T>>;
  Part(Array<D, T>& target, std::vector<Range> part, const Location& where)
      : Base(part_of(target, part, where)),
        target_(target),
        part_(std::move(part)),
        where_(where) {}
  Part(const Part&) = default;
  Part& operator=(const Base& values) {
    target_ = with_part(target_, part_, values, where_);
    Base::operator=(values);
    return *this;
  }
  Part& operator=(const Part& other) { return *this = static_cast<const Base&>(other); }
  // Assigns one element to the whole part.
  template <class S>
  requires ElementFor<S, T>
  Part& operator=(const S& same) {
    return *this = Base(this->shape(), static_cast<canonical_t<T>>(same));
  }
// The elements are those that the variable has now.
#define TUTTI_ASSIGN_OPERATOR(op)                                                               \
  Part& operator op## = (Located<D, canonical_t<T>> x) { return *this = Base(current() op x); } \
  template <class X>                                                                            \
  requires(!std::is_base_of_v<Base, X>)                                                         \
  Part& operator op## = (const X& x) {                                                          \
    return *this = Base(current() op x);                                                        \
  }
#include "tutti/detail/assign_operators.def"

  // Returns a part of this part.
  Part inner(std::vector<Range> part, const Location& where) const {
    for (size_t axis = 0; axis < part.size(); ++axis) {
      part[axis].begin = part_[axis].begin + part_[axis].stride * part[axis].begin;
      part[axis].stride *= part_[axis].stride;
    }
    return {target_, std::move(part), where};
  }

 private:
  Base current() const { return part_of(target_, part_, where_); }

  Array<D, T>& target_;
  std::vector<Range> part_;
  Location where_;
};

template <int D, class T>
Part<D, T> part_of_part(const Part<D, T>& a, std::vector<Range> part, const Location& where) {
  return a.inner(std::move(part), where);
}

template <int D, class T>
struct OperandTraits<Part<D, T>> : OperandTraits<Array<D, T>> {};
template <int D, class T, int R, class I>
struct OperandTraits<ElementsAt<D, T, R, I>> : OperandTraits<Array<R, T>> {};

template <int D>
Shape<D> all_ones() {
  Shape<D> result;
  for (int axis = 0; axis < D; ++axis) result[axis] = 1;
  return result;
}

}  // namespace detail

// slice(a, begin, end) returns the elements from `begin` up to, but not including, `end`.
// offset(a, by) returns all elements from `by` on, stride(a, step) every step-th element of each
// axis. Parts of a variable, and parts of such parts, can be assigned to.
#define TUTTI_PART(Whole, Result, convert)                                             \
  template <int D, class T>                                                            \
  Result slice(Whole& a, const std::type_identity_t<Shape<D>>& begin,                  \
               const std::type_identity_t<Shape<D>>& end,                              \
               const std::source_location& where = std::source_location::current()) {  \
    return convert(a, detail::ranges<D>(begin, end, detail::all_ones<D>()), where);    \
  }                                                                                    \
  template <int D, class T>                                                            \
  Result offset(Whole& a, const std::type_identity_t<Shape<D>>& by,                    \
                const std::source_location& where = std::source_location::current()) { \
    return convert(a, detail::ranges<D>(by, a.shape(), detail::all_ones<D>()), where); \
  }                                                                                    \
  template <int D, class T>                                                            \
  Result stride(Whole& a, const std::type_identity_t<Shape<D>>& step,                  \
                const std::source_location& where = std::source_location::current()) { \
    return convert(a, detail::ranges<D>(Shape<D>(), a.shape(), step), where);          \
  }
#define TUTTI_COMMA ,
TUTTI_PART(const Array<D TUTTI_COMMA T>, Array<D TUTTI_COMMA canonical_t<T>>, detail::part_of)
TUTTI_PART(Array<D TUTTI_COMMA T>, detail::Part<D TUTTI_COMMA T>, detail::Part<D TUTTI_COMMA T>)
TUTTI_PART(const detail::Part<D TUTTI_COMMA T>, detail::Part<D TUTTI_COMMA T>, detail::part_of_part)
#undef TUTTI_COMMA
#undef TUTTI_PART

// Returns `base` with values[i] stored at indices[i], a tuple of coordinates. `collision` says what
// becomes of values with equal indices.
template <int D, class T, int R, class I>
requires(!ScalarType<I> && components<I> == D && std::is_same_v<scalar_t<I>, int32_t>)
Array<D, canonical_t<T>> scatter(
    const Array<D, T>& base, const Array<R, I>& indices,
    const std::type_identity_t<Array<R, T>>& values, Collision collision = Collision::any,
    const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(base, [&](const detail::NodeRef& node, int c) {
    return detail::scatter(node, indices.nodes(), values.node(c), collision, where);
  });
}

// Returns an array whose elements are their own coordinates. Nothing is stored.
template <detail::Integer... I>
auto grid(I... extents) {
  constexpr int D = sizeof...(I);
  const detail::Extents shape = Shape<D>(extents...).extents();
  std::array<detail::NodeRef, D> nodes;
  for (int axis = 0; axis < D; ++axis)
    nodes[axis] = detail::index(shape, axis, std::source_location());
  return Array<D, canonical_t<Value<D, int32_t>>>(std::move(nodes));
}

// A reference to memory of the caller that arrays are written to and read from. The memory must
// outlive the reference.
template <int D, class T>
class ArrayRef {
 public:
  using element = canonical_t<T>;
  template <class R>
  requires(D == 1 && std::ranges::contiguous_range<R>)
  explicit ArrayRef(R& memory)
      : memory_(memory), shape_(static_cast<int64_t>(std::ranges::size(memory))) {}
  ArrayRef(std::span<element> memory, const Shape<D>& shape) : memory_(memory), shape_(shape) {
    if (static_cast<int64_t>(memory.size()) != shape.size())
      throw ShapeError("ArrayRef: " + std::to_string(memory.size()) +
                       " elements of memory for the shape " + detail::to_string(shape.extents()));
  }

  // Computes the array and writes its elements to the memory.
  ArrayRef& operator=(const Array<D, T>& values) {
    if (values.shape() != shape_)
      throw ShapeError("ArrayRef: memory of shape " + detail::to_string(shape_.extents()) +
                       " was assigned an array of shape " +
                       detail::to_string(values.shape().extents()));
    values.copy_to(memory_);
    return *this;
  }
  ArrayRef(const ArrayRef&) = default;
  // Copies the elements. Both references keep their memory.
  ArrayRef& operator=(const ArrayRef& other) { return *this = Array<D, T>(other); }
  operator Array<D, T>() const { return Array<D, T>(memory_.data(), shape_); }
  Shape<D> shape() const { return shape_; }

 private:
  std::span<element> memory_;
  Shape<D> shape_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
