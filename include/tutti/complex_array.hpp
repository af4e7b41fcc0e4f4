// Arrays of complex numbers: Array<D, std::complex<float>> and Array<D, std::complex<double>>. The
// real and the imaginary parts are two arrays of the graph, so operations on them fuse like all
// others. Transformations, gathers, concat and stack accept complex arrays. This header has the
// operations whose meaning is specific to complex numbers.
// complex_functions.hpp has roots, powers and trigonometric functions.
#pragma once
#include <complex>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/reduce.hpp"

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
  // Copies host data, in row-major order.
  Array(std::span<const element> data, const Shape<D>& shape,
        const Location& where = Location::current()) {
    for (int c = 0; c < 2; ++c) {
      std::vector<T> part;
      part.reserve(data.size());
      for (const element& z : data) part.push_back(c == 0 ? z.real() : z.imag());
      nodes_[c] =
          detail::from_host(element_type<T>, shape.extents(), part.data(), part.size(), where);
    }
  }
  explicit Array(const std::vector<element>& data, const Location& where = Location::current())
  requires(D == 1)
      : Array(std::span<const element>(data), Shape<1>(static_cast<int64_t>(data.size())), where) {}
  template <detail::Integer... I>
  requires(sizeof...(I) == D && D > 0)
  Array(std::span<const element> data, I... dims) : Array(data, Shape<D>(dims...), Location()) {}
  // Conversion of the parts to another type; loses precision from double to float.
  template <class U>
  requires(!std::is_same_v<T, U>)
  explicit Array(const Array<D, std::complex<U>>& other,
                 const Location& where = Location::current())
      : nodes_{detail::cast(other.node(0), element_type<T>, where),
               detail::cast(other.node(1), element_type<T>, where)} {}
  // From nodes of the graph: for the functions of this library.
  explicit Array(std::array<detail::NodeRef, 2> nodes) : nodes_(std::move(nodes)) {}

  Array<D, T> real() const { return Array<D, T>(nodes_[0]); }
  Array<D, T> imag() const { return Array<D, T>(nodes_[1]); }

  Shape<D> shape() const { return Shape<D>(detail::shape_of(nodes_[0], "shape")); }
  int64_t size() const { return shape().size(); }
  int64_t extent(int axis) const { return shape()[axis]; }
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

  // Parts, as of other arrays, to be read: z(whole, 3), z(range(0, 9)), z[2].
  template <detail::AxisIndex... I>
  requires(sizeof...(I) == D && D > 0)
  auto operator()(const I&... indices) const {
    return detail::selected<detail::kept_axes<I...>>(*this, indices...);
  }
  template <detail::Integer I>
  requires(D > 0)
  auto operator[](I index) const {
    return detail::selected<D - 1>(*this, index);
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
  std::array<detail::NodeRef, 2> nodes_;
};

namespace detail {

template <class X>
struct ComplexTraits {
  static constexpr bool is_complex = false;
};
template <int D, class T>
struct ComplexTraits<Array<D, std::complex<T>>> {
  static constexpr bool is_complex = true;
  static constexpr int rank = D;
  using part = T;
};
template <class X>
concept IsComplexArray = ComplexTraits<X>::is_complex;
template <class X>
concept ComplexOperand =
    IsComplexArray<X> || IsArray<X> || std::is_arithmetic_v<X> ||
    std::is_same_v<X, std::complex<float>> || std::is_same_v<X, std::complex<double>>;
// At least one complex array.
template <class A, class B>
concept ComplexOperands =
    ComplexOperand<A> && ComplexOperand<B> && (IsComplexArray<A> || IsComplexArray<B>);

// Converts an operand to a complex array with parts of type T.
template <class T, int D, class U>
Array<D, std::complex<T>> as_complex(const Array<D, std::complex<U>>& a) {
  return Array<D, std::complex<T>>(a);
}
template <class T, int D, class U>
requires(!IsComplexArray<Array<D, U>>)
Array<D, std::complex<T>> as_complex(const Array<D, U>& a) {
  return Array<D, std::complex<T>>(cast<T>(a));
}
template <class T, class S>
requires(std::is_arithmetic_v<S>)
Array<0, std::complex<T>> as_complex(const S& number) {
  return Array<0, std::complex<T>>(Shape<0>(), std::complex<T>(static_cast<T>(number)));
}
template <class T, class S>
Array<0, std::complex<T>> as_complex(const std::complex<S>& number) {
  return Array<0, std::complex<T>>(Shape<0>(), std::complex<T>(number));
}

// The type of the parts in which operands meet: that of arrays as for real arrays. A number takes
// the type of the array.
template <class X>
struct ComplexPartOf {
  using type = void;
};
template <IsComplexArray X>
struct ComplexPartOf<X> {
  using type = typename ComplexTraits<X>::part;
};
template <IsArray X>
requires(!IsComplexArray<X>)
struct ComplexPartOf<X> {
  using type = typename OperandTraits<X>::scalar;
};
template <class A, class B>
constexpr auto meet_complex() {
  using a = typename ComplexPartOf<A>::type;
  using b = typename ComplexPartOf<B>::type;
  if constexpr (std::is_void_v<a>)
    return b{};
  else if constexpr (std::is_void_v<b>)
    return a{};
  else
    return promote<a, b>();
}

// Combines two arrays of one shape.
template <int D, class T>
Array<D, std::complex<T>> complex_of(const Array<D, T>& real, const Array<D, T>& imag) {
  return Array<D, std::complex<T>>(std::array{real.node(), imag.node()});
}

}  // namespace detail

// Operators on complex arrays, real arrays and numbers. Products and quotients use the textbook
// formulas, without the corrections for infinities that C++ makes.
#define TUTTI_COMPLEX_OPERATOR(symbol, real_part, imaginary_part) \
  template <class A, class B>                                     \
  requires detail::ComplexOperands<A, B>                          \
  auto operator symbol(const A& first, const B& second) {         \
    using T = decltype(detail::meet_complex<A, B>());             \
    const auto x = detail::as_complex<T>(first);                  \
    const auto y = detail::as_complex<T>(second);                 \
    const auto a = x.real(), b = x.imag();                        \
    const auto c = y.real(), d = y.imag();                        \
    return detail::complex_of(real_part, imaginary_part);         \
  }
TUTTI_COMPLEX_OPERATOR(+, a + c, b + d)
TUTTI_COMPLEX_OPERATOR(-, a - c, b - d)
TUTTI_COMPLEX_OPERATOR(*, a* c - b * d, a* d + b * c)
TUTTI_COMPLEX_OPERATOR(/, (a * c + b * d) / (c * c + d * d), (b * c - a * d) / (c * c + d * d))
#undef TUTTI_COMPLEX_OPERATOR

// Negates or compares element by element.
template <int D, class T>
Array<D, std::complex<T>> operator-(const Array<D, std::complex<T>>& a) {
  return detail::complex_of(Array<D, T>(-a.real()), Array<D, T>(-a.imag()));
}
template <int D, class T>
Array<D, bool> operator==(const Array<D, std::complex<T>>& a, const Array<D, std::complex<T>>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <int D, class T>
Array<D, bool> operator!=(const Array<D, std::complex<T>>& a, const Array<D, std::complex<T>>& b) {
  return a.real() != b.real() || a.imag() != b.imag();
}

// real() and imag() return the parts, conj() the conjugate, abs() the magnitude, arg() the angle.
template <int D, class T>
Array<D, T> real(const Array<D, std::complex<T>>& a) {
  return a.real();
}
template <int D, class T>
Array<D, T> imag(const Array<D, std::complex<T>>& a) {
  return a.imag();
}
template <int D, class T>
Array<D, std::complex<T>> conj(const Array<D, std::complex<T>>& a) {
  return detail::complex_of(a.real(), Array<D, T>(-a.imag()));
}
template <int D, class T>
Array<D, T> abs(const Array<D, std::complex<T>>& a) {
  return hypot(a.real(), a.imag());
}
template <int D, class T>
Array<D, T> arg(const Array<D, std::complex<T>>& a) {
  return atan2(a.imag(), a.real());
}
// Returns the square of abs(a).
template <int D, class T>
Array<D, T> norm(const Array<D, std::complex<T>>& a) {
  return a.real() * a.real() + a.imag() * a.imag();
}
// polar() makes complex numbers of magnitude and angle; log() is on its principal branch.
template <int D, class T>
requires detail::ComplexPart<T>
Array<D, std::complex<T>> polar(const Array<D, T>& length, const Array<D, T>& angle) {
  return detail::complex_of(Array<D, T>(length * cos(angle)), Array<D, T>(length * sin(angle)));
}

// Sums all elements, or those along an axis.
template <int D, class T>
Array<0, std::complex<T>> sum(const Array<D, std::complex<T>>& a) {
  return detail::complex_of(sum(a.real()), sum(a.imag()));
}
template <int D, class T>
requires(D > 0)
Array<D - 1, std::complex<T>> sum(const Array<D, std::complex<T>>& a, int axis) {
  return detail::complex_of(sum(a.real(), axis), sum(a.imag(), axis));
}

}  // namespace tutti
TUTTI_END_EXPORTS
