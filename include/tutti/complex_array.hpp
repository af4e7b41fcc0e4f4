// Arrays of complex numbers: Array<D, std::complex<float>> and Array<D, std::complex<double>>. The
// real and the imaginary parts are two arrays of the graph, so operations on them fuse like all
// others. Transformations, gathers, concat and stack take complex arrays as they take others; below
// is what has a meaning of its own for them; complex_functions.hpp has roots, powers and the like.
#pragma once
#include <complex>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/reduce.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Two components for functions that move elements without looking at them.
template <class T>
struct Element<std::complex<T>> {
  using scalar = T;
  using canonical = std::complex<T>;
  static constexpr int components = 2;
  static T get(const std::complex<T>& value, int i) { return i == 0 ? value.real() : value.imag(); }
};

// Element-wise functions of real arrays do not take them by component.
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

  Array() : Array(Shape<D>(), element{}) {}
  Array(const Shape<D>& shape, const element& value, const Location& where = Location::current())
      : nodes_{detail::constant(scalar_value(value.real()), shape.extents(), where),
               detail::constant(scalar_value(value.imag()), shape.extents(), where)} {}
  // From its parts, which have one shape.
  Array(const Array<D, T>& real, const Array<D, T>& imag,
        const Location& where = Location::current())
      : nodes_{real.node(), imag.node()} {
    if (real.shape() != imag.shape())
      throw ShapeError("complex array: a real part of the shape " +
                       detail::to_string(real.shape().extents()) + " and an imaginary part of " +
                       detail::to_string(imag.shape().extents()) + detail::at(where));
  }
  // Real numbers; the imaginary part is 0, and nothing is stored for it.
  Array(const Array<D, T>& real, const Location& where = Location::current())
      : nodes_{real.node(), detail::constant(scalar_value(T{0}), real.shape().extents(), where)} {}
  // A copy of host data, in row-major order.
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
  // Evaluates and copies the elements to the host, in row-major order.
  std::vector<element> to_vector() const {
    evaluate();
    const std::vector<T> re = real().to_vector(), im = imag().to_vector();
    std::vector<element> result;
    result.reserve(re.size());
    for (size_t i = 0; i < re.size(); ++i) result.emplace_back(re[i], im[i]);
    return result;
  }
  element item() const
  requires(D == 0)
  {
    return to_vector()[0];
  }

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

// The parts of an operand as arrays of rank R or less, of type T.
template <class T, int D>
const Array<D, std::complex<T>>& as_complex(const Array<D, std::complex<T>>& a) {
  return a;
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

template <class A, class B>
struct MeetComplex {
  using type = typename ComplexTraits<A>::part;
};
template <class A, IsComplexArray B>
requires(!IsComplexArray<A>)
struct MeetComplex<A, B> {
  using type = typename ComplexTraits<B>::part;
};

// Puts two arrays of one shape together.
template <int D, class T>
Array<D, std::complex<T>> complex_of(const Array<D, T>& real, const Array<D, T>& imag) {
  return Array<D, std::complex<T>>(std::array{real.node(), imag.node()});
}

}  // namespace detail

// Operators: with other complex arrays, real arrays and numbers. Products and quotients are
// computed by the textbook formulas, without the corrections for infinities that C++ makes.
#define TUTTI_COMPLEX_OPERATOR(symbol, real_part, imaginary_part) \
  template <class A, class B>                                     \
  requires detail::ComplexOperands<A, B>                          \
  auto operator symbol(const A& first, const B& second) {         \
    using T = typename detail::MeetComplex<A, B>::type;           \
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

template <int D, class T>
Array<D, std::complex<T>> operator-(const Array<D, std::complex<T>>& a) {
  return detail::complex_of(Array<D, T>(-a.real()), Array<D, T>(-a.imag()));
}
template <int D, class T>
Array<D, bool> operator==(const Array<D, std::complex<T>>& a, const Array<D, std::complex<T>>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}

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
// The square of abs().
template <int D, class T>
Array<D, T> norm(const Array<D, std::complex<T>>& a) {
  return a.real() * a.real() + a.imag() * a.imag();
}
template <int D, class T>
requires detail::ComplexPart<T>
Array<D, std::complex<T>> polar(const Array<D, T>& length, const Array<D, T>& angle) {
  return detail::complex_of(Array<D, T>(length * cos(angle)), Array<D, T>(length * sin(angle)));
}

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
