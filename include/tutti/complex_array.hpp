// Arrays of complex numbers: Array<D, std::complex<float>> and Array<D, std::complex<double>>. The
// real and the imaginary parts are two arrays of the graph, so operations on them fuse like all
// others. Transformations, gathers, concat and stack accept complex arrays. This header has the
// class; complex_operators.hpp, complex_reduce.hpp and complex_functions.hpp have the operations
// whose meaning is specific to complex numbers.
#pragma once
#include <complex>

#include "tutti/access.hpp"
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/interchange.hpp"
#include "tutti/indexing.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Makes two components for functions that move elements without interpreting them.
template <class T>
struct Element<std::complex<T>> {
  using scalar = T;
  using canonical = std::complex<T>;
  static constexpr int components = 2;
  static T get(const std::complex<T>& value, int i) { return i == 0 ? value.real() : value.imag(); }
};

// Empty, so that element-wise functions of real arrays are not applied to each component.
template <int D, class T>
struct OperandTraits<Array<D, std::complex<T>>> {};

template <class T>
concept ComplexPart = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class T>
concept ComplexNumber =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// A contiguous range of complex numbers.
template <class R, class T>
concept ComplexMemory =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::is_same_v<std::remove_cv_t<std::ranges::range_value_t<R>>, std::complex<T>>;

// Returns the rule for both parts. A constant that is a real number has the imaginary part 0.
template <class T>
Boundary complex_boundary(const Boundary& rule) {
  if (rule.kind() != Boundary::Kind::constant || rule.values() != 1) return rule;
  return Boundary::constant(Value<2, T>(number<T>(convert(rule.value(0), element_type<T>)), T{0}));
}

// Views one part of complex numbers in memory. Strides count complex numbers.
template <class T>
NodeRef view_of_part(const std::complex<T>* data, int part, const Extents& shape,
                     std::span<const int64_t> strides, const std::shared_ptr<const void>& owner,
                     const Location& where) {
  ForeignMemory memory;
  memory.data = reinterpret_cast<const T*>(data) + part;  // the layout that the standard promises
  memory.type = element_type<T>;
  memory.shape = shape;
  for (int axis = 0; axis < shape.rank; ++axis)
    memory.strides[axis] = 2 * strides[static_cast<size_t>(axis)];
  memory.owner = owner;
  return view(memory, where);
}

}  // namespace detail

template <int D, class T>
class Array<D, std::complex<T>> {
  static_assert(detail::ComplexPart<T>, "complex numbers are made of float or double");
  static_assert(D >= 0 && D <= max_rank, "an Array has between 0 and 8 dimensions");

 public:
  using element = std::complex<T>;
  using scalar = T;
  using Location = std::source_location;
  static constexpr int rank = D;
  static constexpr int parts = 2;

  Array() : Array(Shape<D>(), element{}, Location()) {}
  // All elements zero: Array<2, std::complex<float>>(rows, columns).
  template <detail::Integer... I>
  requires(sizeof...(I) == D && D > 0)
  explicit Array(I... dims) : Array(Shape<D>(dims...), element{}, Location()) {}
  explicit Array(const Shape<D>& shape, const Location& where = Location::current())
      : Array(shape, element{}, where) {}
  Array(const Shape<D>& shape, const element& value, const Location& where = Location::current())
      : nodes_{detail::constant(scalar_value(value.real()), shape.extents(), where),
               detail::constant(scalar_value(value.imag()), shape.extents(), where)} {}
  // Combines a real and an imaginary part of one shape.
  Array(const Array<D, T>& real, const Array<D, T>& imag,
        const Location& where = Location::current())
      : nodes_{real.node(), imag.node()} {
    if (real.shape() != imag.shape())
      throw ShapeError("complex array: a real part of the shape " +
                       detail::to_string(real.shape().extents()) + " and an imaginary part of " +
                       detail::to_string(imag.shape().extents()) + detail::at(where));
  }
  // Converts real numbers. The imaginary part is 0, and nothing is stored for it.
  Array(const Array<D, T>& real, const Location& where = Location::current())
      : nodes_{real.node(), detail::constant(scalar_value(T{0}), real.shape().extents(), where)} {}
  template <ScalarType U>
  requires(!std::is_same_v<T, U>)
  explicit Array(const Array<D, U>& real, const Location& where = Location::current())
      : Array(Array<D, T>(real, where), where) {}
  // Takes pairs of a real and an imaginary part. Array<D, Value<2, T>>(z) makes pairs again.
  explicit Array(const Array<D, Value<2, T>>& pairs) : nodes_(pairs.nodes()) {}
  // Converts a number to an array of rank 0.
  template <class S>
  requires(D == 0 && std::is_convertible_v<S, element> &&
           (ScalarType<S> || std::is_same_v<S, element>))
  Array(const S& number) : Array(Shape<0>(), static_cast<element>(number)) {}

  // Copies host data, in row-major order.
  template <detail::HostRange<element> R>
  requires(D > 0)
  Array(const R& data, const Shape<D>& shape, const Location& where = Location::current()) {
    copy_from(data, shape, where);
  }
  template <detail::HostRange<element> R, detail::Integer... I>
  requires(sizeof...(I) == D && D > 0)
  Array(const R& data, I... dims) {
    copy_from(data, Shape<D>(dims...), Location());
  }
  template <detail::HostRange<element> R>
  requires(D == 1)
  explicit Array(const R& data, const Location& where = Location::current()) {
    copy_from(data, Shape<1>(static_cast<int64_t>(std::ranges::size(data))), where);
  }
  Array(const element* data, const Shape<D>& shape, const Location& where = Location::current()) {
    copy_from(std::span<const element>(data, static_cast<size_t>(shape.size())), shape, where);
  }

  // Reads complex numbers in memory of another library in place, as Array::view() of numbers does:
  // a contiguous range, or an address with strides that count complex numbers.
  template <class M>
  requires(D == 1 && detail::ComplexMemory<std::remove_cvref_t<M>, T>)
  static Array view(M&& memory, std::shared_ptr<const void> owner = nullptr,
                    const Location& where = Location::current()) {
    using Plain = std::remove_cvref_t<M>;
    const Shape<1> shape(static_cast<int64_t>(std::ranges::size(memory))), strides(1);
    if constexpr (std::is_rvalue_reference_v<M&&> && !std::ranges::borrowed_range<Plain>) {
      // A temporary range that owns its elements is kept alive, with its owner.
      auto kept = std::make_shared<std::pair<Plain, std::shared_ptr<const void>>>(
          std::forward<M>(memory), std::move(owner));
      return view(std::ranges::data(kept->first), shape, strides, kept, where);
    } else {
      return view(std::ranges::data(memory), shape, strides, std::move(owner), where);
    }
  }
  static Array view(const element* data, const Shape<D>& shape, const Shape<D>& strides,
                    const std::shared_ptr<const void>& owner = nullptr,
                    const Location& where = Location::current()) {
    const std::span<const int64_t> steps(strides.begin(), strides.end());
    return Array(std::array{detail::view_of_part(data, 0, shape.extents(), steps, owner, where),
                            detail::view_of_part(data, 1, shape.extents(), steps, owner, where)});
  }

  // Conversion of the parts to another type; loses precision from double to float.
  template <class U>
  requires(!std::is_same_v<T, U>)
  explicit Array(const Array<D, std::complex<U>>& other,
                 const Location& where = Location::current())
      : nodes_{detail::cast(other.node(0), element_type<T>, where),
               detail::cast(other.node(1), element_type<T>, where)} {}
  // From nodes of the graph: for the functions of this library.
  explicit Array(std::array<detail::NodeRef, 2> nodes) : nodes_(std::move(nodes)) {}

  Array(const Array&) = default;
  Array(Array&&) noexcept = default;
  Array& operator=(const Array& other) & {
    link_.publish(other.nodes_);
    nodes_ = other.nodes_;
    return *this;
  }

  Array<D, T> real() const { return Array<D, T>(nodes_[0]); }
  Array<D, T> imag() const { return Array<D, T>(nodes_[1]); }
  Array<D, T> component(int i) const {
    if (i < 0 || i > 1)
      throw ShapeError("component: " + std::to_string(i) + " of a complex number");
    return Array<D, T>(nodes_[i]);
  }

  Shape<D> shape() const { return Shape<D>(detail::shape_of(nodes_[0], "shape")); }
  int64_t size() const { return shape().size(); }
  int64_t extent(int axis, const Location& where = Location::current()) const {
    return detail::extent_along(shape(), axis, where);
  }
  const Array& evaluate() const {
    detail::evaluate(nodes_);
    return *this;
  }
  const Array& to(const std::string& device) const {
    detail::move_to(nodes_, device);
    return *this;
  }
  // Evaluates the array and copies the elements to the host, in row-major order.
  std::vector<element> to_vector() const {
    const detail::PauseCapture numbers_not_symbols;
    evaluate();
    const std::vector<T> re = real().to_vector(), im = imag().to_vector();
    std::vector<element> result;
    result.reserve(re.size());
    for (size_t i = 0; i < re.size(); ++i) result.emplace_back(re[i], im[i]);
    return result;
  }
  void copy_to(std::span<element> destination) const {
    if (static_cast<int64_t>(destination.size()) != size())
      throw ShapeError("copy_to: the destination has " + std::to_string(destination.size()) +
                       " elements, the array " + std::to_string(size()));
    std::ranges::copy(to_vector(), destination.begin());
  }
  element item() const
  requires(D == 0)
  {
    return to_vector()[0];
  }
  operator element() const
  requires(D == 0)
  {
    return item();
  }

  // Sets how the array is read beyond its borders by [].
  Array& boundary(const Boundary& rule) {
    link_.edit().modes.boundary = detail::complex_boundary<T>(rule);
    return *this;
  }
  const detail::ArrayModes& modes() const { return link_.modes(); }
  const detail::ArrayCell& cell() const { return link_.cell(nodes_); }

  // Returns an element. Programs read one for each of their elements.
  std::complex<Value<1, T>> operator[](const Value<D, int32_t>& i) const
  requires(D > 0)
  {
    const Value<2, T> pair = detail::element_at(*this, i);
    return {pair(0), pair(1)};
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

  // Parts, as of other arrays: z(whole, 3), z(range(0, 9)), z[2]. Those of a variable can be
  // assigned to.
  template <detail::AxisIndex... I>
  requires(sizeof...(I) > 0 && sizeof...(I) <= D)
  auto operator()(const I&... indices) const& {
    return detail::selected<detail::kept_axes<D, I...>>(*this, indices...);
  }
  template <detail::AxisIndex... I>
  requires(sizeof...(I) > 0 && sizeof...(I) <= D)
  auto operator()(const I&... indices) & {
    return detail::selection_of<detail::kept_axes<D, I...>>(*this, indices...);
  }
  template <detail::Integer I>
  requires(D > 0)
  auto operator[](I index) const& {
    return detail::selected<D - 1>(*this, index);
  }
  template <detail::Integer I>
  requires(D > 0)
  auto operator[](I index) & {
    return detail::selection_of<D - 1>(*this, index);
  }

#define TUTTI_COMPLEX_ASSIGNMENT(op)          \
  template <class U>                          \
  Array& operator op## = (const U& other) & { \
    return *this = Array(*this op other);     \
  }
  TUTTI_COMPLEX_ASSIGNMENT(+)
  TUTTI_COMPLEX_ASSIGNMENT(-)
  TUTTI_COMPLEX_ASSIGNMENT(*)
  TUTTI_COMPLEX_ASSIGNMENT(/)
#undef TUTTI_COMPLEX_ASSIGNMENT

  const detail::NodeRef& node(int component = 0) const { return nodes_[component]; }
  const std::array<detail::NodeRef, 2>& nodes() const { return nodes_; }

 private:
  template <class R>
  void copy_from(const R& data, const Shape<D>& shape, const Location& where) {
    std::vector<T> part(std::ranges::size(data));
    for (int c = 0; c < 2; ++c) {
      size_t i = 0;
      for (const element& z : data) part[i++] = detail::Element<element>::get(z, c);
      nodes_[c] =
          detail::from_host(element_type<T>, shape.extents(), part.data(), part.size(), where);
    }
  }

  std::array<detail::NodeRef, 2> nodes_;
  detail::ArrayLink link_;
};

// Transformations with a boundary rule, as for other arrays. Boundary::constant(x) is the real
// number x; Boundary::constant(Value2f(x, y)) has an imaginary part.
template <int D, class T>
Array<D, std::complex<T>> shift(
    const Array<D, std::complex<T>>& a, const Shape<D>& by,
    const Boundary& boundary = Boundary::clamp(),
    const std::source_location& where = std::source_location::current()) {
  const Array<D, Value<2, T>> pairs(a.nodes());
  return Array<D, std::complex<T>>(shift(pairs, by, detail::complex_boundary<T>(boundary), where));
}
template <int D, class T>
Array<D, std::complex<T>> expand(
    const Array<D, std::complex<T>>& a, const PerAxis<Margin>& margins,
    const Boundary& boundary = Boundary::wrap(),
    const std::source_location& where = std::source_location::current()) {
  const Array<D, Value<2, T>> pairs(a.nodes());
  return Array<D, std::complex<T>>(
      expand(pairs, margins, detail::complex_boundary<T>(boundary), where));
}
template <class T, int R, class I>
Array<R, std::complex<T>> gather(
    const Array<1, std::complex<T>>& a, const Boundary& boundary, const Array<R, I>& i,
    const std::source_location& where = std::source_location::current()) {
  const Array<1, Value<2, T>> pairs(a.nodes());
  return Array<R, std::complex<T>>(gather(pairs, detail::complex_boundary<T>(boundary), i, where));
}
template <class T, int R, class I, class J>
Array<R, std::complex<T>> gather(
    const Array<2, std::complex<T>>& a, const Boundary& boundary, const Array<R, I>& i,
    const Array<R, J>& j, const std::source_location& where = std::source_location::current()) {
  const Array<2, Value<2, T>> pairs(a.nodes());
  return Array<R, std::complex<T>>(
      gather(pairs, detail::complex_boundary<T>(boundary), i, j, where));
}
template <class T, int R, class I, class J, class K>
Array<R, std::complex<T>> gather(
    const Array<3, std::complex<T>>& a, const Boundary& boundary, const Array<R, I>& i,
    const Array<R, J>& j, const Array<R, K>& k,
    const std::source_location& where = std::source_location::current()) {
  const Array<3, Value<2, T>> pairs(a.nodes());
  return Array<R, std::complex<T>>(
      gather(pairs, detail::complex_boundary<T>(boundary), i, j, k, where));
}

// Adds margins of one complex number around a.
template <int D, class T>
Array<D, std::complex<T>> pad(const Array<D, std::complex<T>>& a, const PerAxis<Margin>& margins,
                              const std::complex<std::type_identity_t<T>>& value,
                              const std::source_location& where = std::source_location::current()) {
  return expand(a, margins, Boundary::constant(Value<2, T>(value.real(), value.imag())), where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
