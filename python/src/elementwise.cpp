// Element-wise operations with the rules of Python and the Array API: true and floor division,
// remainders with the sign of the divisor, integer powers, promotion of types.
#include <cmath>
#include <limits>
#include <optional>

#include "array.hpp"
#include "tutti/detail/capture.hpp"

namespace tutti::python {
namespace {

NodeRef node(Op op, std::initializer_list<NodeRef> inputs) {
  const std::span<const NodeRef> all(inputs.begin(), inputs.size());
  return detail::capturing() ? detail::record(op, all, Location())
                             : detail::elementwise(op, all, Location());
}

Array like(const Array& a, double value) { return number(convert(scalar_value(value), a.type())); }
Array is_negative(const Array& a) { return apply(Op::less, a, like(a, 0)); }
Array is_zero(const Array& a) { return apply(Op::equal, a, like(a, 0)); }
Array negated(const Array& flags) { return apply(Op::logical_not, flags); }
Array both(const Array& a, const Array& b) { return apply(Op::logical_and, a, b); }

// a and b have different signs and the rest of their division is not zero.
Array rounds_down(const Array& rest, const Array& b) {
  return both(negated(is_zero(rest)), apply(Op::logical_xor, is_negative(rest), is_negative(b)));
}

Array floor_divide(const Array& a, const Array& b) {
  if (!is_floating(a.type())) {
    const Array quotient = apply(Op::divide, a, b);
    if (!is_signed(a.type())) return quotient;
    const Array down = rounds_down(apply(Op::remainder, a, b), b);
    return choose(down, apply(Op::subtract, quotient, like(a, 1)), quotient);
  }
  const Array rest = apply(Op::fmod, a, b), ratio = apply(Op::divide, a, b);
  Array whole = apply(Op::divide, apply(Op::subtract, a, rest), b);
  whole = choose(rounds_down(rest, b), apply(Op::subtract, whole, like(a, 1)), whole);
  Array floor = apply(Op::floor, whole);  // whole is integral up to rounding
  const Array above = apply(Op::greater, apply(Op::subtract, whole, floor), like(a, 0.5));
  floor = choose(above, apply(Op::add, floor, like(a, 1)), floor);
  floor = choose(is_zero(floor), apply(Op::copysign, like(a, 0), ratio), floor);
  // What the Array API says of infinities; Python and NumPy give NaN and -1 there.
  const Array infinite = apply(Op::logical_or, apply(Op::is_inf, a), apply(Op::is_inf, b));
  floor = choose(infinite, apply(Op::floor, ratio), floor);
  return choose(is_zero(b), ratio, floor);
}

Array python_remainder(const Array& a, const Array& b) {
  const bool floating = is_floating(a.type());
  const Array rest = apply(floating ? Op::fmod : Op::remainder, a, b);
  if (!is_signed(a.type())) return rest;
  const Array moved = choose(rounds_down(rest, b), apply(Op::add, rest, b), rest);
  if (!floating) return moved;
  return choose(is_zero(rest), apply(Op::copysign, like(a, 0), b), moved);
}

// By squaring: each bit of the exponent multiplies the result by a power or by 1.
Array integer_power(const Array& base, const Array& exponent) {
  const int bits = 8 * size_of(base.type()) - (is_signed(base.type()) ? 1 : 0);
  const Array one = like(base, 1);
  Array result = one, square = base;
  for (int bit = 0; bit < bits; ++bit) {
    const Array shifted = apply(Op::shift_right, exponent, like(base, bit));
    const Array odd = negated(is_zero(apply(Op::bit_and, shifted, one)));
    result = apply(Op::multiply, result, choose(odd, square, one));
    square = apply(Op::multiply, square, square);
  }
  return choose(is_negative(exponent), like(base, 0), result);
}

// base ** n by squaring, without bits that are zero; n > 0.
Array small_power(const Array& base, int64_t n) {
  std::optional<Array> result;
  Array square = base;
  while (true) {
    if (n & 1) result = result ? apply(Op::multiply, *result, square) : square;
    n >>= 1;
    if (n == 0) return *result;
    square = apply(Op::multiply, square, square);
  }
}

// Computes a power with a number as the exponent by simpler operations. For floats these are the
// exponents that NumPy treats so, with the same rounding; for integers all that are not negative.
std::optional<Array> power_by_number(const Array& base, nb::handle exponent) {
  const ElementType type = base.type();
  if (PyLong_Check(exponent.ptr()) && !PyBool_Check(exponent.ptr()) && is_integer(type)) {
    int overflow = 0;
    const long long n = PyLong_AsLongLongAndOverflow(exponent.ptr(), &overflow);
    if (overflow || n <= 0 || n >= 64) return std::nullopt;
    return small_power(base, n);
  }
  if (!is_floating(type)) return std::nullopt;
  const double value = PyFloat_AsDouble(exponent.ptr());
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();  // an integer beyond all floats
  if (value == 2) return apply(Op::multiply, base, base);
  if (value == 1) return base;
  if (value == 0.5) return apply(Op::sqrt, base);
  if (value == -1) return apply(Op::divide, like(base, 1), base);
  return std::nullopt;
}

// Complex elements to a whole number; other powers are left to complex_binary().
std::optional<Array> complex_power_by_number(const Array& base, nb::handle exponent) {
  if (!base.is_complex() || !PyLong_Check(exponent.ptr())) return std::nullopt;
  int overflow = 0;
  const long long n = PyLong_AsLongLongAndOverflow(exponent.ptr(), &overflow);
  if (overflow || n == 0 || n > 64 || n < -64) return std::nullopt;
  Array square = base;
  std::optional<Array> result;
  for (long long left = n < 0 ? -n : n; left > 0; left >>= 1) {
    if (left & 1) result = result ? binary(Binary::multiply, *result, square) : square;
    if (left > 1) square = binary(Binary::multiply, square, square);
  }
  return n < 0 ? complex_unary("reciprocal", *result) : result;
}

Array log_add_exp(const Array& a, const Array& b) {
  const Array most = apply(Op::max, a, b), least = apply(Op::min, a, b);
  const Array gap = apply(Op::subtract, least, most);
  const Array sum = apply(Op::add, most, apply(Op::log1p, apply(Op::exp, gap)));
  return choose(apply(Op::equal, a, b), apply(Op::add, a, like(a, 0.69314718055994530942)), sum);
}

// The neighbours of a number from additions and products that are rounded to nearest: "Computing
// predecessor and successor in rounding to nearest", Rump, Zimmermann, Boldo and Melquiond, 2009.
// Near the underflow the number is scaled; below that, neighbours are a constant apart.
Array step_of(const Array& a, bool up) {
  const int digits = a.type() == ElementType::f16 ? 11 : a.type() == ElementType::f32 ? 24 : 53;
  const int least = a.type() == ElementType::f16   ? -24
                    : a.type() == ElementType::f32 ? -149
                                                   : -1074;
  const Op move = up ? Op::add : Op::subtract;
  const Array factor = like(a, std::ldexp(1 + std::ldexp(1.0, 1 - digits), -digits));
  const auto moved = [&](const Array& x) {
    return apply(move, x, apply(Op::multiply, factor, apply(Op::abs, x)));
  };
  const Array scaled = apply(Op::multiply, a, like(a, std::ldexp(1.0, digits)));
  const Array middle = apply(Op::multiply, moved(scaled), like(a, std::ldexp(1.0, -digits)));
  const Array tiny = apply(move, a, like(a, std::ldexp(1.0, least)));
  const auto at_least = [&](int exponent) {
    return apply(Op::greater_equal, apply(Op::abs, a), like(a, std::ldexp(1.0, exponent)));
  };
  return choose(at_least(2 * digits - 1 + least), moved(a),
                choose(at_least(digits + least), middle, tiny));
}

Array next_after(const Array& a, const Array& b) {
  const double most = a.type() == ElementType::f16   ? 65504.0
                      : a.type() == ElementType::f32 ? std::numeric_limits<float>::max()
                                                     : std::numeric_limits<double>::max();
  Array step = choose(apply(Op::less, a, b), step_of(a, true), step_of(a, false));
  step = choose(is_zero(step), apply(Op::copysign, step, a), step);
  const Array from_infinity = apply(Op::copysign, like(a, most), a);
  const Array next = choose(apply(Op::is_inf, a), from_infinity, step);
  const Array ordered = choose(apply(Op::equal, a, b), b, next);
  const Array no_number = apply(Op::logical_or, apply(Op::is_nan, a), apply(Op::is_nan, b));
  return choose(no_number, apply(Op::add, a, b), ordered);
}

[[noreturn]] void refuse(const char* operation, DType type) {
  throw TypeError(std::string(operation) + ": elements of type " + type_name(type) +
                  " are not taken; cast them with astype() first");
}

constexpr const char* binary_names[] = {"add",
                                        "subtract",
                                        "multiply",
                                        "divide",
                                        "floor_divide",
                                        "remainder",
                                        "pow",
                                        "equal",
                                        "not_equal",
                                        "less",
                                        "less_equal",
                                        "greater",
                                        "greater_equal",
                                        "bitwise_and",
                                        "bitwise_or",
                                        "bitwise_xor",
                                        "bitwise_left_shift",
                                        "bitwise_right_shift",
                                        "logical_and",
                                        "logical_or",
                                        "logical_xor",
                                        "maximum",
                                        "minimum",
                                        "atan2",
                                        "hypot",
                                        "copysign",
                                        "logaddexp",
                                        "nextafter"};

bool needs_floating(Binary operation) {
  return operation == Binary::divide || operation >= Binary::atan2;
}

Op op_of(Binary operation) {
  switch (operation) {
    case Binary::add:
      return Op::add;
    case Binary::subtract:
      return Op::subtract;
    case Binary::multiply:
      return Op::multiply;
    case Binary::divide:
      return Op::divide;
    case Binary::equal:
      return Op::equal;
    case Binary::not_equal:
      return Op::not_equal;
    case Binary::less:
      return Op::less;
    case Binary::less_equal:
      return Op::less_equal;
    case Binary::greater:
      return Op::greater;
    case Binary::greater_equal:
      return Op::greater_equal;
    case Binary::bitwise_and:
      return Op::bit_and;
    case Binary::bitwise_or:
      return Op::bit_or;
    case Binary::bitwise_xor:
      return Op::bit_xor;
    case Binary::bitwise_left_shift:
      return Op::shift_left;
    case Binary::bitwise_right_shift:
      return Op::shift_right;
    case Binary::logical_and:
      return Op::logical_and;
    case Binary::logical_or:
      return Op::logical_or;
    case Binary::logical_xor:
      return Op::logical_xor;
    case Binary::maximum:
      return Op::max;
    case Binary::minimum:
      return Op::min;
    case Binary::atan2:
      return Op::atan2;
    case Binary::hypot:
      return Op::hypot;
    case Binary::copysign:
      return Op::copysign;
    default:
      throw InternalError("an operation that is computed from others");
  }
}

// Flags add and multiply as in NumPy, and are int8 where a result is no flag.
Array of_flags(Binary operation, const Array& a, const Array& b) {
  switch (operation) {
    case Binary::add:
    case Binary::maximum:
      return apply(Op::logical_or, a, b);
    case Binary::multiply:
    case Binary::minimum:
      return apply(Op::logical_and, a, b);
    case Binary::bitwise_and:
      return apply(Op::logical_and, a, b);
    case Binary::bitwise_or:
      return apply(Op::logical_or, a, b);
    case Binary::bitwise_xor:
      return apply(Op::logical_xor, a, b);
    case Binary::floor_divide:
    case Binary::remainder:
    case Binary::pow:
    case Binary::bitwise_left_shift:
    case Binary::bitwise_right_shift:
      return binary(operation, cast_to(a, ElementType::i8), cast_to(b, ElementType::i8));
    default:
      refuse(binary_names[static_cast<int>(operation)], ElementType::b8);
  }
}

bool compares(Binary operation) {
  return operation >= Binary::equal && operation <= Binary::greater_equal;
}
bool is_logical(Binary operation) {
  return operation >= Binary::logical_and && operation <= Binary::logical_xor;
}

// How integers compare with a number of Python that their type does not have: all alike.
std::optional<Array> compared_with_number(Binary operation, nb::handle a, nb::handle b) {
  const bool reflected = is_scalar(a);
  const nb::handle scalar = reflected ? a : b;
  Array* array = nullptr;
  if (!PyLong_CheckExact(scalar.ptr()) || !nb::try_cast<Array*>(reflected ? b : a, array) ||
      !array || array->is_complex() || array->is_lifted() || !is_integer(array->type()))
    return std::nullopt;
  const bool has_sign = is_signed(array->type());
  const int bits = 8 * size_of(array->type()) - (has_sign ? 1 : 0);
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(scalar.ptr(), &overflow);
  const long long least = !has_sign ? 0 : -1 - ((1ll << (bits - 1)) - 1) * 2 - 1;
  bool above = overflow > 0 || (bits < 63 && value >= 1ll << bits);
  if (overflow > 0 && bits == 64) {
    (void)PyLong_AsUnsignedLongLong(scalar.ptr());
    above = PyErr_Occurred() != nullptr;
    PyErr_Clear();
  }
  const bool below = overflow < 0 || (overflow == 0 && value < least);
  if (!above && !below) return std::nullopt;
  const bool array_is_less = above != reflected;  // the left operand is less than the right one
  const bool holds = operation == Binary::not_equal ||
                     (operation == Binary::less || operation == Binary::less_equal
                          ? array_is_less
                          : operation != Binary::equal && !array_is_less);
  return Array(detail::constant(scalar_value(holds), array->shape(), Location()));
}

// None: the operation is computed from both operands as arrays.
std::optional<Array> with_number(Binary operation, nb::handle a, nb::handle b) {
  if (compares(operation)) return compared_with_number(operation, a, b);
  Array* base = nullptr;
  if (operation != Binary::pow || !is_scalar(b) || !nb::try_cast<Array*>(a, base) || !base)
    return std::nullopt;
  if (base->is_complex() || PyComplex_Check(b.ptr())) return complex_power_by_number(*base, b);
  return power_by_number(*base, b);
}

nb::object operate(Binary operation, nb::handle a, nb::handle b) {
  if (const std::optional<Array> result = with_number(operation, a, b)) return nb::cast(*result);
  Array first, second;
  if (!as_operands(a, b, first, second, needs_floating(operation)))
    return nb::borrow(Py_NotImplemented);
  return nb::cast(binary(operation, first, second));
}

// x += y: x has the same shape and type afterwards, as in NumPy and the Array API. Symbols of
// programs and values inside of each() are variables of any type.
// x += y gives the object x the elements of x + y, so all names of the object see them, as in
// NumPy. Numbers that NumPy's functions would return are no objects that change: an array without
// axes is replaced. So are variables of programs and of each().
nb::object operate_in_place(Binary operation, const char* sign, nb::handle a, nb::handle b) {
  nb::object object = operate(operation, a, b);
  if (object.is(Py_NotImplemented) || detail::capturing()) return object;
  Array& before = *nb::cast<Array*>(a);
  const Array& after = *nb::cast<Array*>(object);
  if (before.is_lifted() || after.is_lifted()) return object;
  const auto advice = [&] { return std::string(": write x = x ") + sign + " y"; };
  if (!(before.shape() == after.shape()))
    throw ShapeError(std::string("x ") + sign + "= y: the result has the shape " +
                     detail::to_string(after.shape()) + ", x has " +
                     detail::to_string(before.shape()) + advice());
  const bool same_type = before.dtype() == after.dtype();
  if (!same_type &&
      (!is_stored_as(after.dtype(), before.dtype()) || before.dtype() == DType(ElementType::b8)))
    throw TypeError(std::string("x ") + sign + "= y: the result has elements of type " +
                    type_name(after.dtype()) + ", x of type " + type_name(before.dtype()) +
                    advice());
  const bool is_number = before.shape().rank == 0;
  if (is_number) return same_type ? object : nb::cast(cast_to(after, before.dtype()));
  before = cast_to(after, before.dtype());
  return nb::borrow(a);
}

// f(x, out=y): y gets the elements of the result, as by y[...] = f(x).
nb::object stored_in(const Array& result, nb::handle out, const std::string& name) {
  nb::object target = nb::borrow(out);
  if (nb::isinstance<nb::tuple>(out) && nb::len(out) == 1) target = out[0];
  Array* array = nullptr;
  if (!nb::try_cast<Array*>(target, array) || !array)
    throw nb::type_error((name + ": out is an array of Tutti").c_str());
  if (!(array->shape() == result.shape()))
    throw ShapeError(name + ": out has the shape " + detail::to_string(array->shape()) +
                     ", the result " + detail::to_string(result.shape()));
  *array = update_item(*array, nb::ellipsis(), nb::cast(result), "set");
  return target;
}

// f(x, out=y, where=flags): elements whose flag is false are those of y, or 0 without one.
Array with_flags(const Array& result, nb::handle flags, nb::handle out) {
  const nb::object target =
      nb::isinstance<nb::tuple>(out) && nb::len(out) == 1 ? nb::object(out[0]) : nb::borrow(out);
  const Array others = target.is_none() ? number_from(nb::int_(0), result.dtype())
                                        : cast_to(as_array(target), result.dtype());
  return choose(cast_to(as_array(flags), ElementType::b8), result, others);
}

nb::object finished(const Array& result, nb::handle out, nb::handle where, const char* name) {
  if (where.is(Py_True)) return out.is_none() ? nb::cast(result) : stored_in(result, out, name);
  const Array chosen = with_flags(result, where, out);
  return out.is_none() ? nb::cast(chosen) : stored_in(chosen, out, name);
}

struct Unary {
  const char* name;
  Op op;
  enum Rule : uint8_t { numeric, floating, integral_is_itself, classify, bits } rule;
  bool of_integers = false;  // classify: what holds for integers
};
constexpr Unary unaries[] = {
    {"negative", Op::negate, Unary::numeric},
    {"abs", Op::abs, Unary::numeric},
    {"sign", Op::sign, Unary::numeric},
    {"sqrt", Op::sqrt, Unary::floating},
    {"reciprocal", Op::reciprocal, Unary::floating},
    {"exp", Op::exp, Unary::floating},
    {"exp2", Op::exp2, Unary::floating},
    {"expm1", Op::expm1, Unary::floating},
    {"log", Op::log, Unary::floating},
    {"log2", Op::log2, Unary::floating},
    {"log10", Op::log10, Unary::floating},
    {"log1p", Op::log1p, Unary::floating},
    {"sin", Op::sin, Unary::floating},
    {"cos", Op::cos, Unary::floating},
    {"tan", Op::tan, Unary::floating},
    {"asin", Op::asin, Unary::floating},
    {"acos", Op::acos, Unary::floating},
    {"atan", Op::atan, Unary::floating},
    {"sinh", Op::sinh, Unary::floating},
    {"cosh", Op::cosh, Unary::floating},
    {"tanh", Op::tanh, Unary::floating},
    {"asinh", Op::asinh, Unary::floating},
    {"acosh", Op::acosh, Unary::floating},
    {"atanh", Op::atanh, Unary::floating},
    {"erf", Op::erf, Unary::floating},
    {"erfc", Op::erfc, Unary::floating},
    {"cbrt", Op::cbrt, Unary::floating},
    {"gamma", Op::tgamma, Unary::floating},
    {"lgamma", Op::lgamma, Unary::floating},
    {"floor", Op::floor, Unary::integral_is_itself},
    {"ceil", Op::ceil, Unary::integral_is_itself},
    {"trunc", Op::trunc, Unary::integral_is_itself},
    {"round", Op::rint, Unary::integral_is_itself},
    {"isnan", Op::is_nan, Unary::classify, false},
    {"isinf", Op::is_inf, Unary::classify, false},
    {"isfinite", Op::is_finite, Unary::classify, true},
    {"bitwise_invert", Op::bit_not, Unary::bits},
    {"bitwise_count", Op::popcount, Unary::bits},
};

Array unary(const Unary& u, const Array& a) {
  if (a.is_complex()) return complex_unary(u.name, a);
  const ElementType type = a.type();
  const bool flags = type == ElementType::b8;
  switch (u.rule) {
    case Unary::numeric:
      if (flags) refuse(u.name, type);
      if (u.op == Op::sign && is_floating(type))  // also of -0 it is +0
        return apply(Op::add, apply(u.op, a), like(a, 0));
      if (u.op == Op::abs && is_integer(type) && !is_signed(type)) return a;
      return apply(u.op, a);
    case Unary::floating:
      return apply(u.op, cast_to(a, as_floating(type)));
    case Unary::integral_is_itself:
      if (flags) refuse(u.name, type);
      return is_floating(type) ? apply(u.op, a) : a;
    case Unary::classify:
      if (is_floating(type)) return apply(u.op, a);
      if (a.is_lifted()) return apply(u.of_integers ? Op::equal : Op::not_equal, a, a);
      return Array(detail::constant(scalar_value(u.of_integers), a.shape(), Location()));
    case Unary::bits:
      if (is_floating(type)) refuse(u.name, type);
      if (u.op == Op::popcount) return cast_to(flags ? a : apply(u.op, a), ElementType::u8);
      return apply(flags ? Op::logical_not : u.op, a);
  }
  throw InternalError("a rule that is not known");
}

void bind_operators(nb::class_<Array>& array) {
  struct Operator {
    const char *name, *reflected;
    Binary operation;
    const char *in_place = nullptr, *sign = nullptr;
  };
  static constexpr Operator operators[] = {
      {"__add__", "__radd__", Binary::add, "__iadd__", "+"},
      {"__sub__", "__rsub__", Binary::subtract, "__isub__", "-"},
      {"__mul__", "__rmul__", Binary::multiply, "__imul__", "*"},
      {"__truediv__", "__rtruediv__", Binary::divide, "__itruediv__", "/"},
      {"__floordiv__", "__rfloordiv__", Binary::floor_divide, "__ifloordiv__", "//"},
      {"__mod__", "__rmod__", Binary::remainder, "__imod__", "%"},
      {"__pow__", "__rpow__", Binary::pow, "__ipow__", "**"},
      {"__and__", "__rand__", Binary::bitwise_and, "__iand__", "&"},
      {"__or__", "__ror__", Binary::bitwise_or, "__ior__", "|"},
      {"__xor__", "__rxor__", Binary::bitwise_xor, "__ixor__", "^"},
      {"__lshift__", "__rlshift__", Binary::bitwise_left_shift, "__ilshift__", "<<"},
      {"__rshift__", "__rrshift__", Binary::bitwise_right_shift, "__irshift__", ">>"},
      {"__eq__", nullptr, Binary::equal},
      {"__ne__", nullptr, Binary::not_equal},
      {"__lt__", nullptr, Binary::less},
      {"__le__", nullptr, Binary::less_equal},
      {"__gt__", nullptr, Binary::greater},
      {"__ge__", nullptr, Binary::greater_equal}};
  for (const Operator& o : operators) {
    const Binary operation = o.operation;
    array.def(
        o.name, [operation](nb::handle a, nb::handle b) { return operate(operation, a, b); },
        nb::arg().none(), nb::is_operator());
    if (o.reflected)
      array.def(
          o.reflected, [operation](nb::handle a, nb::handle b) { return operate(operation, b, a); },
          nb::arg().none(), nb::is_operator());
    if (o.in_place)
      array.def(
          o.in_place,
          [operation, sign = o.sign](nb::handle a, nb::handle b) {
            return operate_in_place(operation, sign, a, b);
          },
          nb::arg().none(), nb::is_operator());
  }
}

}  // namespace

Array number(ScalarValue value) { return Array(detail::constant(value, Extents(), Location())); }

Array cast_to(const Array& a, DType type) {
  if (a.dtype() == type) return a;
  if (a.is_lifted() && !type.is_complex) return lifted_cast(a, type.part);
  const auto part = [&](const NodeRef& node) {
    return detail::type_of(node) == type.part ? node : detail::cast(node, type.part, Location());
  };
  if (a.is_complex() == type.is_complex) return a.for_parts(part);
  if (type.is_complex)
    return {Array(part(a.node())),
            Array(detail::constant(ScalarValue{type.part, 0}, a.shape(), Location()))};
  if (type.part == ElementType::b8)
    return complex_binary(Binary::not_equal, a, number_from(nb::int_(0), a.dtype()), "astype");
  throw TypeError(std::string("astype: ") + type_name(a.dtype()) + " does not become " +
                  type_name(type) + ": take tt.real(x), tt.imag(x) or tt.abs(x) first");
}

Array apply(Op op, const Array& a) {
  if (a.is_lifted()) return lifted_apply(op, {&a});
  return Array(node(op, {a.node()}));
}
Array apply(Op op, const Array& a, const Array& b) {
  if (a.is_lifted() || b.is_lifted()) return lifted_apply(op, {&a, &b});
  return Array(node(op, {a.node(), b.node()}));
}
Array choose(const Array& flags, const Array& yes, const Array& no) {
  if (flags.is_lifted() || yes.is_lifted() || no.is_lifted())
    return lifted_apply(Op::choose, {&flags, &yes, &no});
  if (yes.is_complex())
    return {choose(flags, yes.real(), no.real()), choose(flags, yes.imag(), no.imag())};
  return Array(node(Op::choose, {flags.node(), yes.node(), no.node()}));
}

Array binary(Binary operation, const Array& a, const Array& b) {
  const char* name = binary_names[static_cast<int>(operation)];
  if (a.is_complex() && !is_logical(operation)) return complex_binary(operation, a, b, name);
  if (is_logical(operation))
    return apply(op_of(operation), cast_to(a, ElementType::b8), cast_to(b, ElementType::b8));
  const ElementType type = a.type();
  if (compares(operation)) return apply(op_of(operation), a, b);
  if (needs_floating(operation)) {
    const Array x = cast_to(a, as_floating(type)), y = cast_to(b, as_floating(type));
    if (operation == Binary::logaddexp) return log_add_exp(x, y);
    if (operation == Binary::nextafter) return next_after(x, y);
    return apply(op_of(operation), x, y);
  }
  if (type == ElementType::b8) return of_flags(operation, a, b);
  switch (operation) {
    case Binary::floor_divide:
      return floor_divide(a, b);
    case Binary::remainder:
      return python_remainder(a, b);
    case Binary::pow:
      return is_floating(type) ? apply(Op::pow, a, b) : integer_power(a, b);
    case Binary::bitwise_and:
    case Binary::bitwise_or:
    case Binary::bitwise_xor:
    case Binary::bitwise_left_shift:
    case Binary::bitwise_right_shift:
      if (is_floating(type)) refuse(name, type);
      return apply(op_of(operation), a, b);
    default:
      return apply(op_of(operation), a, b);
  }
}

// The function of elements that are converted before, as NumPy's dtype= says.
static Array computed_in(const Unary& u, const Array& x, DType type) {
  if (!is_stored_as(x.dtype(), type))
    throw TypeError(std::string(u.name) + ": elements of type " + type_name(x.dtype()) +
                    " are not computed in " + type_name(type) + ": cast them with astype() first");
  Array result = unary(u, cast_to(x, type));
  if (result.dtype() != type)
    throw TypeError(std::string(u.name) + ": the result of elements of type " + type_name(type) +
                    " is " + type_name(result.dtype()));
  return result;
}

void bind_elementwise(nb::module_& m, nb::class_<Array>& array) {
  bind_operators(array);
  for (int i = 0; i <= static_cast<int>(Binary::nextafter); ++i) {
    const auto operation = static_cast<Binary>(i);
    m.def(
        binary_names[i],
        [operation](nb::handle a, nb::handle b) {
          if (const std::optional<Array> result = with_number(operation, a, b)) return *result;
          Array first, second;
          if (!as_operands(a, b, first, second, needs_floating(operation)))
            throw nb::type_error("arrays or numbers were expected");
          return binary(operation, first, second);
        },
        nb::arg().none(), nb::arg().none());
  }
  for (const Unary& u : unaries)
    m.def(
        u.name,
        [&u](nb::handle x, nb::handle out, nb::handle where, nb::handle dtype) {
          if (dtype.is_none()) return finished(unary(u, as_array(x)), out, where, u.name);
          return finished(computed_in(u, as_array(x), dtype_from(dtype)), out, where, u.name);
        },
        nb::arg().none(), nb::arg("out") = nb::none(), nb::arg("where") = true,
        nb::arg("dtype") = nb::none());
  m.def("stored_in", &stored_in);
  m.def("with_flags", &with_flags, nb::arg(), nb::arg(), nb::arg().none());
  m.def(
      "logical_not",
      [](nb::handle x, nb::handle out, nb::handle where) {
        const Array flags = cast_to(as_array(x), ElementType::b8);
        return finished(apply(Op::logical_not, flags), out, where, "logical_not");
      },
      nb::arg(), nb::arg("out") = nb::none(), nb::arg("where") = true);
  m.def(
      "where",
      [](nb::handle condition, nb::handle x, nb::handle y) {
        const Array flags = cast_to(as_array(condition), ElementType::b8);
        Array yes, no;
        if (!as_operands(x, y, yes, no)) throw nb::type_error("arrays or numbers were expected");
        return choose(flags, yes, no);
      },
      nb::arg(), nb::arg().none(), nb::arg().none());
  m.def("where", [](nb::handle condition) {  // NumPy's other meaning: the indices
    return nb::module_::import_("tutti").attr("nonzero")(condition);
  });
  m.def(
      "where",
      [](nb::handle, nb::handle) {
        throw nb::value_error("where: x and y are given both, or neither of them for the indices");
      },
      nb::arg(), nb::arg().none());
  m.def("astype", [](const Array& a, nb::handle type) { return cast_to(a, dtype_from(type)); });
}

}  // namespace tutti::python
