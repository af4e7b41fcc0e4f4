// Operations on complex elements: pairs of real arrays, so that they fuse as all others do.
// Functions come from the library; what is refused here is what the Array API has for real numbers
// only.
#include <optional>

#include "array.hpp"
#include "tutti/detail/capture.hpp"
#include "tutti/fft.hpp"

namespace tutti::python {
namespace {

using detail::ComplexFunction;
using detail::ComplexNodes;

ComplexNodes nodes_of(const Array& a) { return {a.real().node(), a.imag().node()}; }
Array array_of(const ComplexNodes& nodes) { return {Array(nodes.real), Array(nodes.imag)}; }

[[noreturn]] void refuse(const std::string& name, DType type) {
  throw TypeError(name + ": elements of type " + type_name(type) +
                  " are not taken; use tt.real(x), tt.imag(x) or tt.abs(x) of them");
}

struct Named {
  const char* name;
  ComplexFunction function;
};
constexpr Named functions[] = {
    {"sqrt", ComplexFunction::sqrt},   {"exp", ComplexFunction::exp},
    {"expm1", ComplexFunction::expm1}, {"log", ComplexFunction::log},
    {"log2", ComplexFunction::log2},   {"log10", ComplexFunction::log10},
    {"log1p", ComplexFunction::log1p}, {"sin", ComplexFunction::sin},
    {"cos", ComplexFunction::cos},     {"tan", ComplexFunction::tan},
    {"asin", ComplexFunction::asin},   {"acos", ComplexFunction::acos},
    {"atan", ComplexFunction::atan},   {"sinh", ComplexFunction::sinh},
    {"cosh", ComplexFunction::cosh},   {"tanh", ComplexFunction::tanh},
    {"asinh", ComplexFunction::asinh}, {"acosh", ComplexFunction::acosh},
    {"atanh", ComplexFunction::atanh}, {"reciprocal", ComplexFunction::reciprocal},
    {"sign", ComplexFunction::sign}};

Array multiply(const Array& a, const Array& b) {
  const Array p = a.real(), q = a.imag(), r = b.real(), s = b.imag();
  const auto product = [](const Array& x, const Array& y) { return apply(Op::multiply, x, y); };
  return {apply(Op::subtract, product(p, r), product(q, s)),
          apply(Op::add, product(p, s), product(q, r))};
}

// What holds for one part or for both.
Array combined(Op op, Op with, const Array& a) {
  return apply(with, apply(op, a.real()), apply(op, a.imag()));
}

void refuse_in_programs() {
  if (detail::capturing())
    throw nb::type_error("programs work on real numbers: pass the parts of complex elements");
}

}  // namespace

Array complex_binary(Binary operation, const Array& a, const Array& b, const char* name) {
  refuse_in_programs();
  const auto by_part = [&](Op op) {
    return Array(apply(op, a.real(), b.real()), apply(op, a.imag(), b.imag()));
  };
  const auto compared = [&](Op op, Op with) {
    return apply(with, apply(op, a.real(), b.real()), apply(op, a.imag(), b.imag()));
  };
  switch (operation) {
    case Binary::add:
      return by_part(Op::add);
    case Binary::subtract:
      return by_part(Op::subtract);
    case Binary::multiply:
      return multiply(a, b);
    case Binary::divide:
      return array_of(detail::complex_divide(nodes_of(a), nodes_of(b), Location()));
    case Binary::pow:
      return array_of(detail::complex_power(nodes_of(a), nodes_of(b), Location()));
    case Binary::equal:
      return compared(Op::equal, Op::logical_and);
    case Binary::not_equal:
      return compared(Op::not_equal, Op::logical_or);
    default:
      refuse(name, a.dtype());
  }
}

Array complex_unary(const std::string& name, const Array& a) {
  refuse_in_programs();
  for (const Named& row : functions)
    if (name == row.name) return array_of(detail::apply(row.function, nodes_of(a), Location()));
  if (name == "negative") return {apply(Op::negate, a.real()), apply(Op::negate, a.imag())};
  if (name == "round") return {apply(Op::rint, a.real()), apply(Op::rint, a.imag())};
  if (name == "abs") return apply(Op::hypot, a.real(), a.imag());
  if (name == "isnan") return combined(Op::is_nan, Op::logical_or, a);
  if (name == "isinf") return combined(Op::is_inf, Op::logical_or, a);
  if (name == "isfinite") return combined(Op::is_finite, Op::logical_and, a);
  refuse(name, a.dtype());
}

void bind_complex(nb::module_& m) {
  m.def("real", [](const Array& a) { return a.real(); });
  m.def("imag", [](const Array& a) {
    if (a.is_complex()) return a.imag();
    return Array(detail::constant(ScalarValue{a.type(), 0}, a.shape(), Location()));
  });
  m.def("conj", [](const Array& a) {
    return a.is_complex() ? Array(a.real(), apply(Op::negate, a.imag())) : a;
  });
  m.def("complex_of", [](const Array& real, const Array& imag) {
    if (!(real.shape() == imag.shape()) || real.type() != imag.type())
      throw ShapeError("parts of complex elements have one shape and one type");
    return Array(real, imag);
  });
  // Transforms along one axis; elements are of floating-point types already.
  m.def("fft", [](const Array& a, int axis, bool inverse) {
    return array_of(detail::fft(nodes_of(a), axis, inverse, python_line()));
  });
  m.def("real_fft", [](const Array& a, int axis) {
    return array_of(detail::real_fft(a.node(), axis, python_line()));
  });
  m.def("inverse_real_fft", [](const Array& a, int64_t n, int axis) {
    return Array(detail::inverse_real_fft(nodes_of(a), n, axis, python_line()));
  });
}

}  // namespace tutti::python
