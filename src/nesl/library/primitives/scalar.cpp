// Numbers, characters and truth values. What they compute is what the compiler's operations compute
// on single numbers, so that the bits agree.
#include <cmath>

#include "core/elements/convert.hpp"
#include "nesl/library/primitives/checks.hpp"
#include "numerics/scalar_apply.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// ---- operations of the compiler's table

template <Op op, class T>
auto computed(T a, T b) {
  if constexpr (op >= Op::equal && op <= Op::greater_equal)
    return ir::test<T>(op, a, b);
  else
    return ir::apply<T>(op, a, b, T{});
}

template <Op op>
Value of_floats(double a, double b, bool single) {
  if (!single) return computed<op>(a, b);
  const auto result = computed<op>(static_cast<float>(a), static_cast<float>(b));
  if constexpr (std::is_same_v<decltype(result), const bool>)
    return result;
  else
    return static_cast<double>(result);
}

// Of one operand, or two of one type.
template <Op op>
Value operation(const Call& c) {
  const Value &a = c.arguments.front(), &b = c.arguments.back();
  switch (c.types[0]->kind) {
    case MonoType::Kind::integer:
      return computed<op, std::int32_t>(a.integer(), b.integer());
    case MonoType::Kind::floating:
      return of_floats<op>(a.floating(), b.floating(), c.types[0]->single);
    case MonoType::Kind::boolean:
      return computed<op, bool>(a.boolean(), b.boolean());
    default:
      return computed<op, std::uint8_t>(a.character(), b.character());
  }
}

// ---- those that can fail

void require_nonzero(const Call& c, const char* message) {
  require(c, is_int(c.types[1]) ? c[1].integer() != 0 : c[1].floating() != 0, message);
}

Value divide(const Call& c) {
  require_nonzero(c, "division by zero");
  return operation<Op::divide>(c);
}
Value remainder(const Call& c) {
  require_nonzero(c, "rem by zero");
  return operation<Op::remainder>(c);
}
// The remainder, moved to the divisor's side where it is on the other.
Value modulo(const Call& c) {
  require_nonzero(c, "mod by zero");
  const int b = c[1].integer(), r = operation<Op::remainder>(c).integer();
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

Value square_root(const Call& c) {
  require(c, !(c[0].floating() < 0), "square root of a negative number");
  return operation<Op::sqrt>(c);
}
Value logarithm(const Call& c) {
  require(c, !(c[0].floating() < 0), "logarithm of a negative number");
  return operation<Op::log>(c);
}

// ---- logic that takes two operations

Value negated(const Value& value, Mono type) {
  return is_bool(type) ? Value(!value.boolean()) : Value(~value.integer());
}
Value logical_nor(const Call& c) { return negated(operation<Op::bit_or>(c), c.result); }
Value logical_nand(const Call& c) { return negated(operation<Op::bit_and>(c), c.result); }

// ---- conversion

Value to_int(double value) { return convert_element<std::int32_t>(value); }

Value bool_to_int(const Call& c) { return c[0].boolean() ? 1 : 0; }
Value code_to_char(const Call& c) { return static_cast<unsigned char>(c[0].integer()); }
Value char_to_code(const Call& c) { return static_cast<int>(c[0].character()); }
Value ceiling(const Call& c) { return to_int(std::ceil(c[0].floating())); }
Value floor(const Call& c) { return to_int(std::floor(c[0].floating())); }
Value truncate(const Call& c) { return to_int(c[0].floating()); }
Value round(const Call& c) { return to_int(rounded(c[0].floating() + 0.5, c.types[0]).floating()); }

Value to_float(const Call& c) {
  return is_int(c.types[0]) ? rounded(c[0].integer(), c.result) : c[0];
}

Value converted(double value, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return to_int(value);
    case MonoType::Kind::floating:
      return rounded(value, type);
    case MonoType::Kind::boolean:
      return value != 0;
    case MonoType::Kind::character:
      return static_cast<unsigned char>(to_int(value).integer());
    default:
      return identity_of(type);
  }
}
Value int_to_any(const Call& c) { return converted(c[0].integer(), c.types[1]); }
Value float_to_any(const Call& c) {
  return is_int(c.types[1]) ? round(c) : converted(c[0].floating(), c.types[1]);
}

// ---- random numbers

Value random_number(const Call& c) {
  if (is_int(c.types[0])) return c.machine.random_below(c[0].integer());
  const double limit = c[0].floating();
  return c.types[0]->single ? static_cast<double>(c.machine.random_below(static_cast<float>(limit)))
                            : c.machine.random_below(limit);
}

Value set_seed(const Call& c) {
  c.machine.end_of_trial();
  c.machine.seed(static_cast<std::uint32_t>(c[0].integer()));
  return true;
}

}  // namespace

std::vector<Primitive> scalar_primitives() {
  constexpr const char* number1 = "a -> a :: (a in number)";
  constexpr const char* number2 = "(a, a) -> a :: (a in number)";
  constexpr const char* ordinal2 = "(a, a) -> a :: (a in ordinal)";
  constexpr const char* ordered = "(a, a) -> bool :: (a in ordinal)";
  constexpr const char* logical1 = "a -> a :: (a in logical)";
  constexpr const char* logical2 = "(a, a) -> a :: (a in logical)";
  constexpr const char* int2 = "(int, int) -> int";
  constexpr const char* float1 = "float -> float";
  return {
#define NESL_OPERATION(name, type, op, description) {name, type, operation<Op::op>, description},
#include "nesl/library/scalar_operations.def"
      {"/", number2, divide, "The quotient; of ints, truncated toward zero."},
      {"rem", int2, remainder, "The remainder, with the sign of the dividend."},
      {"mod", int2, modulo, "The remainder, with the sign of the divisor."},
      {"sqrt", float1, square_root, "The square root."},
      {"ln", float1, logarithm, "The natural logarithm."},
      {"nor", logical2, logical_nor, "Not or."},
      {"nand", logical2, logical_nand, "Not and."},
      {"btoi", "bool -> int", bool_to_int, "1 for t and 0 for f."},
      {"code_char", "int -> char", code_to_char, "The character with a code."},
      {"char_code", "char -> int", char_to_code, "The code of a character."},
      {"float", "int -> float", to_float, "The int as a float."},
      {"ceil", "float -> int", ceiling, "Rounded up."},
      {"floor", "float -> int", floor, "Rounded down."},
      {"trunc", "float -> int", truncate, "Rounded toward zero."},
      {"round", "float -> int", round, "One half added, then truncated."},
      {"float_num", "a -> float :: (a in number)", to_float, "The number as a float."},
      {"int_to_any", "(int, a) -> a :: (a in number)", int_to_any,
       "An int as a number of the type of the second argument."},
      {"float_to_any", "(float, a) -> a :: (a in number)", float_to_any,
       "A float as a number of the type of the second argument, rounded as by `round`."},
      {"rand", number1, random_number,
       "A random number from 0 up to, not including, the argument. The sequence of numbers starts "
       "again at each top-level form."},
      {"rand_seed", "int -> bool", set_seed, "Starts another sequence of random numbers.",
       Effect::serial},
  };
}

}  // namespace tutti::nesl
