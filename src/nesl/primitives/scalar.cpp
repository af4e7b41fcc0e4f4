// Numbers, characters and truth values.
#include <cmath>
#include <functional>

#include "ir/scalar_ops.hpp"
#include "nesl/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// ---- arithmetic on int and float

template <class OnInts, class OnFloats>
Value arithmetic(const Call& c, OnInts on_ints, OnFloats on_floats) {
  if (is_int(c.types[0]))
    return wrap(on_ints(std::int64_t{c[0].integer()}, std::int64_t{c[1].integer()}));
  return on_floats(c[0].floating(), c[1].floating());
}

Value add(const Call& c) { return arithmetic(c, std::plus<>(), std::plus<>()); }
Value subtract(const Call& c) { return arithmetic(c, std::minus<>(), std::minus<>()); }
Value multiply(const Call& c) { return arithmetic(c, std::multiplies<>(), std::multiplies<>()); }

Value divide(const Call& c) {
  if (is_float(c.types[0])) {
    require(c, c[1].floating() != 0, "division by zero");
    return c[0].floating() / c[1].floating();
  }
  require(c, c[1].integer() != 0, "division by zero");
  if (c[1].integer() == 0) return 0;
  return wrap(std::int64_t{c[0].integer()} / c[1].integer());
}

Value negate(const Call& c) {
  if (is_int(c.types[0])) return wrap(-std::int64_t{c[0].integer()});
  return -c[0].floating();
}

Value remainder(const Call& c) {
  require(c, c[1].integer() != 0, "rem by zero");
  if (c[1].integer() == 0) return 0;
  return wrap(std::int64_t{c[0].integer()} % c[1].integer());
}

Value modulo(const Call& c) {
  require(c, c[1].integer() != 0, "mod by zero");
  if (c[1].integer() == 0) return 0;
  const std::int64_t b = c[1].integer(), r = c[0].integer() % b;
  return wrap(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}

// ---- comparison

template <class Compare>
Value compare(const Call& c, Compare holds) {
  switch (c.types[0]->kind) {
    case MonoType::Kind::integer:
      return holds(c[0].integer(), c[1].integer());
    case MonoType::Kind::floating:
      return holds(c[0].floating(), c[1].floating());
    default:
      return holds(c[0].character(), c[1].character());
  }
}

Value equal_to(const Call& c) { return compare(c, std::equal_to<>()); }
Value not_equal(const Call& c) { return compare(c, std::not_equal_to<>()); }
Value less(const Call& c) { return compare(c, std::less<>()); }
Value greater(const Call& c) { return compare(c, std::greater<>()); }
Value less_equal(const Call& c) { return compare(c, std::less_equal<>()); }
Value greater_equal(const Call& c) { return compare(c, std::greater_equal<>()); }
// NaN and the zeros as in compiled kernels.
Value maximum(const Call& c) {
  if (is_float(c.types[0])) return ir::maximum(c[0].floating(), c[1].floating());
  return greater(c).boolean() ? c[0] : c[1];
}
Value minimum(const Call& c) {
  if (is_float(c.types[0])) return ir::minimum(c[0].floating(), c[1].floating());
  return less(c).boolean() ? c[0] : c[1];
}

// ---- logic, bit by bit on ints

template <class OnBits>
Value logic(const Call& c, OnBits on_bits) {
  if (is_bool(c.types[0]))
    return (on_bits(c[0].boolean() ? 1 : 0, c[1].boolean() ? 1 : 0) & 1) != 0;
  return on_bits(c[0].integer(), c[1].integer());
}

Value logical_or(const Call& c) { return logic(c, std::bit_or<int>()); }
Value logical_and(const Call& c) { return logic(c, std::bit_and<int>()); }
Value logical_xor(const Call& c) { return logic(c, std::bit_xor<int>()); }
Value logical_nor(const Call& c) {
  return logic(c, [](int a, int b) { return ~(a | b); });
}
Value logical_nand(const Call& c) {
  return logic(c, [](int a, int b) { return ~(a & b); });
}
Value logical_not(const Call& c) {
  if (is_bool(c.types[0])) return !c[0].boolean();
  return ~c[0].integer();
}

Value shift_left(const Call& c) {
  const int by = c[1].integer();
  return by < 0 || by > 31 ? 0 : static_cast<int>(static_cast<std::uint32_t>(c[0].integer()) << by);
}
Value shift_right(const Call& c) {
  const int by = c[1].integer();
  return c[0].integer() >> (by < 0 || by > 31 ? 31 : by);
}

// ---- conversion

Value to_int(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 2147483647.0) return 2147483647;
  if (value <= -2147483648.0) return -2147483647 - 1;
  return static_cast<int>(value);
}

Value bool_to_int(const Call& c) { return c[0].boolean() ? 1 : 0; }
Value code_to_char(const Call& c) { return static_cast<unsigned char>(c[0].integer()); }
Value char_to_code(const Call& c) { return static_cast<int>(c[0].character()); }
Value int_to_float(const Call& c) { return static_cast<double>(c[0].integer()); }
Value ceiling(const Call& c) { return to_int(std::ceil(c[0].floating())); }
Value floor(const Call& c) { return to_int(std::floor(c[0].floating())); }
Value truncate(const Call& c) { return to_int(std::trunc(c[0].floating())); }
Value round(const Call& c) { return to_int(std::trunc(c[0].floating() + 0.5)); }

Value as_float(const Call& c) {
  return is_int(c.types[0]) ? static_cast<double>(c[0].integer()) : c[0].floating();
}

Value converted(double value, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return to_int(value);
    case MonoType::Kind::floating:
      return value;
    case MonoType::Kind::boolean:
      return value != 0;
    case MonoType::Kind::character:
      return static_cast<unsigned char>(to_int(value).integer());
    default:
      return identity_of(type);
  }
}
Value int_to_any(const Call& c) { return converted(c[0].integer(), c.types[1]); }
Value float_to_any(const Call& c) { return converted(c[0].floating(), c.types[1]); }

// ---- random numbers

Value random_number(const Call& c) {
  if (is_int(c.types[0])) {
    const int limit = c[0].integer();
    require(c, limit > 0, "rand of ", limit, ", which is not positive");
    return limit > 0 ? c.machine.random_below(limit) : 0;
  }
  require(c, c[0].floating() > 0, "rand of a float that is not positive");
  return c.machine.random_below(c[0].floating());
}

Value set_seed(const Call& c) {
  c.machine.end_of_trial();
  c.machine.seed(static_cast<std::uint32_t>(c[0].integer()));
  return true;
}

}  // namespace

std::vector<Primitive> scalar_primitives() {
  constexpr const char* number2 = "(a, a) -> a :: (a in number)";
  constexpr const char* number1 = "a -> a :: (a in number)";
  constexpr const char* ordered = "(a, a) -> bool :: (a in ordinal)";
  constexpr const char* logic2 = "(a, a) -> a :: (a in logical)";
  return {
      {"+", number2, add, "The sum of two numbers."},
      {"-", number2, subtract, "The difference of two numbers."},
      {"*", number2, multiply, "The product of two numbers."},
      {"/", number2, divide, "The quotient; of ints, truncated toward zero."},
      {"negate", number1, negate, "The negated number; also prefix -."},
      {"rem", "(int, int) -> int", remainder, "The remainder, with the sign of the dividend."},
      {"mod", "(int, int) -> int", modulo, "The remainder, with the sign of the divisor."},
      {"==", ordered, equal_to, "Whether two scalars are equal."},
      {"/=", ordered, not_equal, "Whether two scalars differ."},
      {"<", ordered, less, "Whether the first is less."},
      {">", ordered, greater, "Whether the first is greater."},
      {"<=", ordered, less_equal, "Whether the first is not greater."},
      {">=", ordered, greater_equal, "Whether the first is not less."},
      {"max", "(a, a) -> a :: (a in ordinal)", maximum, "The greater of two."},
      {"min", "(a, a) -> a :: (a in ordinal)", minimum, "The lesser of two."},
      {"not", "a -> a :: (a in logical)", logical_not, "Negation; of an int, of each bit."},
      {"or", logic2, logical_or, "Inclusive or; of ints, bit by bit."},
      {"and", logic2, logical_and, "And; of ints, bit by bit. Both sides are evaluated."},
      {"xor", logic2, logical_xor, "Exclusive or; of ints, bit by bit."},
      {"nor", logic2, logical_nor, "Not or."},
      {"nand", logic2, logical_nand, "Not and."},
      {"lshift", "(int, int) -> int", shift_left, "Shifted left, filled with zeros."},
      {"rshift", "(int, int) -> int", shift_right, "Shifted right, filled with the sign."},
      {"btoi", "bool -> int", bool_to_int, "1 for t and 0 for f."},
      {"code_char", "int -> char", code_to_char, "The character with a code."},
      {"char_code", "char -> int", char_to_code, "The code of a character."},
      {"float", "int -> float", int_to_float, "The int as a float."},
      {"ceil", "float -> int", ceiling, "Rounded up."},
      {"floor", "float -> int", floor, "Rounded down."},
      {"trunc", "float -> int", truncate, "Rounded toward zero."},
      {"round", "float -> int", round, "One half added, then truncated."},
      {"float_num", "a -> float :: (a in number)", as_float, "The number as a float."},
      {"int_to_any", "(int, a) -> a", int_to_any,
       "An int as a scalar of the type of the second argument."},
      {"float_to_any", "(float, a) -> a", float_to_any,
       "A float as a scalar of the type of the second argument."},
      {"rand", number1, random_number,
       "A random number from 0 up to, not including, the argument. The sequence of numbers starts "
       "again at each top-level form."},
      {"rand_seed", "int -> bool", set_seed, "Starts another sequence of random numbers.",
       Effect::serial},
  };
}

}  // namespace tutti::nesl
