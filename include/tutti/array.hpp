// Array<D, T>: a lazy array of rank D with elements T. Operations on arrays build a graph; reading
// a result compiles and runs it. Arrays are values: a copy costs O(1), and no operation changes
// its operands.
#pragma once
#include <array>
#include <concepts>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <vector>

#include "tutti/detail/apply.hpp"
#include "tutti/detail/array_link.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/value.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

namespace detail {

// The second operand of an operator: an array and its source location.
// (An operator takes no default argument; the conversion to this type does.)
template <int D, class T>
struct Located {
  Located(const Array<D, T>& array, const Location& where = Location::current())
      : array(array), where(where) {}
  const Array<D, T>& array;
  Location where;
};

template <int D>
int64_t extent_along(const Shape<D>& shape, int axis, const Location& where) {
  if (axis < 0 || axis >= D)
    throw ShapeError("extent: axis " + std::to_string(axis) + " of an array with " +
                     std::to_string(D) + (D == 1 ? " axis" : " axes") + at(where));
  return shape[axis];
}

// Defined in access.hpp.
template <int D, class T>
Value<components<T>, scalar_t<T>> element_at(const Array<D, T>& a, const Value<D, int32_t>& i);
template <int D, class T>
Value<components<T>, scalar_t<T>> sample_at(const Array<D, T>& a, const Value<D, float>& x);
template <int D, class T, int R, class I>
Array<R, canonical_t<T>> elements_at(const Array<D, T>& a, const Array<R, I>& indices);
template <int D, class T, int R, class I>
class ElementsAt;
template <int D, class T, int R, class I>
ElementsAt<D, T, R, I> assignable_elements_at(Array<D, T>& a, const Array<R, I>& indices);

// Defined in indexing.hpp.
class AxisPart;
template <class I>
concept AxisIndex = Integer<I> || std::is_same_v<I, AxisPart>;
// An index drops its axis. A range keeps it, and so do axes that are not named, which are whole.
template <int D, class... I>
constexpr int kept_axes = D - (0 + ... + (Integer<I> ? 1 : 0));
// Indices of a part: a single integer is not one of them, because a(x) samples at a coordinate.
template <int D, class... I>
concept SelectsPart =
    sizeof...(I) <= D && ((AxisIndex<I> && !Integer<I>) || ... || (sizeof...(I) > 1));
template <int Kept, int D, class T, class... I>
Array<Kept, canonical_t<T>> selected(const Array<D, T>& a, const I&... indices);
template <int Kept, int D, class T>
class Selection;
template <int Kept, int D, class T, class... I>
Selection<Kept, D, T> selection_of(Array<D, T>& a, const I&... indices);

template <class R, class T>
concept HostRange = std::ranges::sized_range<R> && std::ranges::random_access_range<R> &&
                    std::is_same_v<canonical_t<std::ranges::range_value_t<R>>, canonical_t<T>>;

}  // namespace detail

// A lazy array of rank D, 0 to 8, with elements T: a scalar, or a tuple Value<N, T>.
template <int D, class T = float>
class Array {
  static_assert(D >= 0 && D <= max_rank, "an Array has between 0 and 8 dimensions");

 public:
  using element = canonical_t<T>;
  using scalar = scalar_t<T>;
  using Location = std::source_location;
  static constexpr int rank = D;
  static constexpr int parts = components<T>;
  static_assert(ScalarType<scalar>,
                "array elements are bool, integers, half, float, double, or Values of them");

  // Makes an array without elements; of rank 0, the value zero.
  Array() : Array(Shape<D>(), element{}, Location()) {}

  // Makes an array of zeros: Array<2, float>(rows, columns).
  template <detail::Integer... I>
  requires(sizeof...(I) == D && D > 0)
  explicit Array(I... dims) : Array(Shape<D>(dims...), element{}, Location()) {}

  explicit Array(const Shape<D>& shape, const Location& where = Location::current())
      : Array(shape, element{}, where) {}

  // Makes an array of equal elements. Nothing is stored.
  Array(const Shape<D>& shape, const element& value, const Location& where = Location::current()) {
    for (int c = 0; c < parts; ++c)
      nodes_[c] = detail::constant(scalar_value(detail::Element<element>::get(value, c)),
                                   shape.extents(), where);
  }

  // Copies host data, in row-major order.
  template <detail::HostRange<T> R>
  requires(D > 0)
  Array(const R& data, const Shape<D>& shape, const Location& where = Location::current()) {
    copy_from(data, shape, where);
  }
  template <detail::HostRange<T> R, detail::Integer... I>
  requires(sizeof...(I) == D && D > 0)
  Array(const R& data, I... dims) {
    copy_from(data, Shape<D>(dims...), Location());
  }
  template <detail::HostRange<T> R>
  requires(D == 1)
  explicit Array(const R& data, const Location& where = Location::current()) {
    copy_from(data, Shape<1>(static_cast<int64_t>(std::ranges::size(data))), where);
  }
  Array(const element* data, const Shape<D>& shape, const Location& where = Location::current()) {
    copy_from(std::span<const element>(data, static_cast<size_t>(shape.size())), shape, where);
  }

  // Reads memory of another library in place. The array holds `owner` as long as it needs the
  // memory. Strides count elements. Defined in view.hpp.
  template <class M>
  static Array view(M&& memory, std::shared_ptr<const void> owner = nullptr,
                    const Location& where = Location::current());
  static Array view(const element* data, const Shape<D>& shape, const Shape<D>& strides,
                    std::shared_ptr<const void> owner = nullptr,
                    const Location& where = Location::current());

  // Converts a scalar to an array of rank 0.
  template <class S>
  requires(D == 0 && std::is_convertible_v<S, element> &&
           (ScalarType<S> || std::is_same_v<S, element>))
  Array(const S& value) : Array(Shape<0>(), static_cast<element>(value)) {}

  // Converts between Value<1, T> and T, which have the same representation.
  template <class U>
  requires(!std::is_same_v<T, U> && std::is_same_v<canonical_t<T>, canonical_t<U>>)
  Array(const Array<D, U>& other) : nodes_(other.nodes()) {}

  // Converts the element type. A scalar is replicated into the components of a tuple.
  template <class U>
  requires(!std::is_same_v<canonical_t<T>, canonical_t<U>> &&
           (components<U> == 1 || components<U> == parts))
  explicit Array(const Array<D, U>& other, const Location& where = Location::current()) {
    for (int c = 0; c < parts; ++c)
      nodes_[c] = detail::cast(other.node(components<U> == 1 ? 0 : c), element_type<scalar>, where);
  }

  // From nodes of the graph: for the functions of this library.
  explicit Array(std::array<detail::NodeRef, parts> nodes) : nodes_(std::move(nodes)) {}
  explicit Array(detail::NodeRef node)
  requires(parts == 1)
      : nodes_{std::move(node)} {}

  Array(const Array&) = default;
  Array(Array&&) noexcept = default;
  // Assigns to a variable. Results of expressions cannot be assigned to.
  Array& operator=(const Array& other) & {
    link_.publish(other.nodes_);
    nodes_ = other.nodes_;
    return *this;
  }
  Array& operator=(Array&& other) & {
    link_.publish(other.nodes_);
    nodes_ = std::move(other.nodes_);
    return *this;
  }

  // Return the extents, the number of elements and one extent. They evaluate nothing.
  Shape<D> shape() const { return Shape<D>(detail::shape_of(nodes_[0], "shape")); }
  int64_t size() const { return detail::shape_of(nodes_[0], "size").size(); }
  int64_t extent(int axis, const Location& where = Location::current()) const {
    return detail::extent_along(shape(), axis, where);
  }

  // Computes the elements, unless they have been computed.
  const Array& evaluate() const {
    detail::evaluate(nodes_);
    return *this;
  }

  // Computes the elements and copies them to a device ("cpu", "cuda:0") ahead of their use there.
  // They can still be used on every device.
  const Array& to(const std::string& device) const {
    detail::move_to(nodes_, device);
    return *this;
  }

  // Evaluates the array and copies the elements to the host, in row-major order.
  std::vector<element> to_vector() const {
    const auto count = static_cast<size_t>(detail::shape_of(nodes_[0], "to_vector").size());
    const detail::PauseCapture numbers_not_symbols;
    evaluate();
    std::vector<element> result(count);
    if constexpr (parts == 1 && !std::is_same_v<element, bool>) {
      detail::copy_to_host(nodes_[0], result.data());
    } else {
      std::vector<Stored> part(count);
      for (int c = 0; c < parts; ++c) {
        detail::copy_to_host(nodes_[c], part.data());
        for (size_t i = 0; i < count; ++i) {
          if constexpr (parts == 1)
            result[i] = part[i] != 0;
          else
            result[i].set(c, static_cast<scalar>(part[i]));
        }
      }
    }
    return result;
  }

  // Evaluates the array and copies the elements to memory of the caller.
  void copy_to(std::span<element> destination) const {
    if (static_cast<int64_t>(destination.size()) != size())
      throw ShapeError("copy_to: the destination has " + std::to_string(destination.size()) +
                       " elements, the array " + std::to_string(size()));
    if constexpr (parts == 1) {
      evaluate();
      detail::copy_to_host(nodes_[0], destination.data());
    } else {
      std::ranges::copy(to_vector(), destination.begin());
    }
  }

  // Evaluates an array of rank 0 and returns its element.
  operator element() const
  requires(D == 0)
  {
    return to_vector()[0];
  }
  element item() const
  requires(D == 0)
  {
    return to_vector()[0];
  }

  // Returns one component of a tuple array, counted from 0.
  Array<D, scalar> component(int i) const {
    if (i < 0 || i >= parts)
      throw ShapeError("component: " + std::to_string(i) + " of a tuple of " +
                       std::to_string(parts));
    return Array<D, scalar>(nodes_[i]);
  }

  // Sets how the array is read beyond its borders and between its elements: by [] and () below, and
  // where programs repeat it to the size of a larger input.
  Array& boundary(const Boundary& rule) {
    link_.edit().modes.boundary = rule;
    return *this;
  }
  Array& interpolation(Interpolation mode, const Location& where = Location::current()) {
    if (mode == Interpolation::linear && detail::kind<scalar> != 2)
      throw TypeError("interpolation: linear needs half, float or double elements" +
                      detail::at(where));
    link_.edit().modes.interpolation = mode;
    return *this;
  }
  const detail::ArrayModes& modes() const { return link_.modes(); }
  const detail::ArrayCell& cell() const { return link_.cell(nodes_); }

  // Returns an element: a[i], a[Value2i(row, column)]. Programs read one for each of their
  // elements.
  Value<parts, scalar> operator[](const Value<D, int32_t>& i) const
  requires(D > 0)
  {
    return detail::element_at(*this, i);
  }
  // Samples at real coordinates from 0 to 1 along each axis; element i is at (i + 0.5) / n.
  Value<parts, scalar> operator()(const Value<D, float>& x) const
  requires(D > 0)
  {
    return detail::sample_at(*this, x);
  }
  // Gathers the elements at these indices. On the left of an assignment it scatters.
  template <int R, class I>
  requires(D > 0 && components<I> == D && std::is_same_v<scalar_t<I>, int32_t>)
  auto operator[](const Array<R, I>& indices) const {
    return detail::elements_at(*this, indices);
  }
  template <int R, class I>
  requires(D > 0 && components<I> == D && std::is_same_v<scalar_t<I>, int32_t>)
  auto operator[](const Array<R, I>& indices) {
    return detail::assignable_elements_at(*this, indices);
  }

  // Returns a part, in the notation of NumPy: a(whole, range(2, 9)), a(3, whole), a(range(2, 9)),
  // whose other axes are whole, and a[3], the elements with this first coordinate. A part of a
  // variable can be assigned to.
  template <detail::AxisIndex... I>
  requires detail::SelectsPart<D, I...>
  auto operator()(const I&... indices) const& {
    return detail::selected<detail::kept_axes<D, I...>>(*this, indices...);
  }
  template <detail::AxisIndex... I>
  requires detail::SelectsPart<D, I...>
  auto operator()(const I&... indices) & {
    return detail::selection_of<detail::kept_axes<D, I...>>(*this, indices...);
  }
  template <detail::Integer I>
  requires(D > 1)
  auto operator[](I index) const& {
    return detail::selected<D - 1>(*this, index);
  }
  template <detail::Integer I>
  requires(D > 1)
  auto operator[](I index) & {
    return detail::selection_of<D - 1>(*this, index);
  }

  const detail::NodeRef& node(int component = 0) const { return nodes_[component]; }
  const std::array<detail::NodeRef, parts>& nodes() const { return nodes_; }

#define TUTTI_BINARY_OPERATOR(symbol, id)                              \
  friend auto operator symbol(const Array& a, detail::Located<D, T> b) \
  requires(D > 0)                                                      \
  {                                                                    \
    return detail::apply<Op::id, scalar>(b.where, a, b.array);         \
  }
#include "tutti/detail/operators.def"
#undef TUTTI_BINARY_OPERATOR

// Arrays of one rank and type know the source line.
#define TUTTI_ASSIGN_OPERATOR(op)                        \
  Array& operator op## = (detail::Located<D, T> other) & \
  requires(D > 0)                                        \
  {                                                      \
    return *this = Array(*this op other);                \
  }                                                      \
  template <class U>                                     \
  requires(D == 0 || !std::is_base_of_v<Array, U>)       \
  Array& operator op## = (const U& other) & {            \
    return *this = Array(*this op other);                \
  }
#include "tutti/detail/assign_operators.def"

 private:
  // bool takes one byte on every device; std::vector<bool> packs bits.
  using Stored = std::conditional_t<std::is_same_v<scalar, bool>, uint8_t, scalar>;

  template <class R>
  void copy_from(const R& data, const Shape<D>& shape, const Location& where) {
    const size_t count = std::ranges::size(data);
    if constexpr (parts == 1 && std::ranges::contiguous_range<R> &&
                  ScalarType<std::ranges::range_value_t<R>>) {
      nodes_[0] = detail::from_host(element_type<scalar>, shape.extents(), std::ranges::data(data),
                                    count, where);
    } else {
      std::vector<Stored> part(count);
      for (int c = 0; c < parts; ++c) {
        auto source = std::ranges::begin(data);
        for (size_t i = 0; i < count; ++i, ++source)
          part[i] =
              static_cast<Stored>(detail::Element<std::ranges::range_value_t<R>>::get(*source, c));
        nodes_[c] =
            detail::from_host(element_type<scalar>, shape.extents(), part.data(), count, where);
      }
    }
  }

  std::array<detail::NodeRef, parts> nodes_;
  detail::ArrayLink link_;
};

template <detail::HostRange<float> R>
Array(const R&) -> Array<1, std::ranges::range_value_t<R>>;

// Evaluates several arrays together: common subexpressions are computed once.
template <class... A>
void evaluate(const A&... arrays) {
  std::vector<detail::NodeRef> nodes;
  (nodes.insert(nodes.end(), arrays.nodes().begin(), arrays.nodes().end()), ...);
  detail::evaluate(nodes);
}

// Makes a tuple array of its components, which must have one shape and type.
template <int D, ScalarType T, class... A>
requires(std::is_same_v<A, Array<D, T>> && ...)
Array<D, Value<1 + sizeof...(A), T>> join(const Array<D, T>& first, const A&... rest) {
  for (const Shape<D>& shape : {rest.shape()...})
    if (shape != first.shape())
      throw ShapeError("join: shapes " + detail::to_string(first.shape().extents()) + " and " +
                       detail::to_string(shape.extents()) + " differ");
  return Array<D, Value<1 + sizeof...(A), T>>(
      std::array<detail::NodeRef, 1 + sizeof...(A)>{first.node(), rest.node()...});
}

// Converts each element. Floating point to integer truncates and saturates; NaN becomes 0.
template <class To, int D, class T>
Array<D, canonical_t<To>> cast(
    const Array<D, T>& a, const std::source_location& where = std::source_location::current()) {
  static_assert(components<T> == 1 || components<T> == components<To>,
                "a tuple array is cast to tuples of the same size: cast<Value4i>(a)");
  if constexpr (std::is_same_v<canonical_t<To>, canonical_t<T>>)
    return Array<D, canonical_t<To>>(a);
  else
    return Array<D, canonical_t<To>>(a, where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
