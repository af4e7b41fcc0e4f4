// Numbers, characters and truth values: one element-wise operation, or a few.
#include "nesl/flat/convert.hpp"
#include "nesl/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::Value;

bool is_float(Mono type) { return type->kind == MonoType::Kind::floating; }
bool is_bool(Mono type) { return type->kind == MonoType::Kind::boolean; }

Value zero_like(const Call& c, int i) { return is_float(c.types[i]) ? floating(0) : integer(0); }
Value cast(const Call& c, const Value& value, ElementType type) {
  return nested::cast(c.at, value, type, Location());
}

template <Op op>
Value one(const Call& c) {
  return apply(c, op, {c[0]});
}
template <Op op>
Value two(const Call& c) {
  return apply(c, op, {c[0], c[1]});
}

// Truth values by one operation, the bits of ints by another.
template <Op on_bools, Op on_ints>
Value logic(const Call& c) {
  return is_bool(c.types[0]) ? two<on_bools>(c) : two<on_ints>(c);
}

Value logical_not(const Call& c) {
  return is_bool(c.types[0]) ? one<Op::logical_not>(c) : one<Op::bit_not>(c);
}
Value negated(const Call& c, const Value& value) {
  return apply(c, is_bool(c.types[0]) ? Op::logical_not : Op::bit_not, {value});
}
Value logical_nor(const Call& c) { return negated(c, logic<Op::logical_or, Op::bit_or>(c)); }
Value logical_nand(const Call& c) { return negated(c, logic<Op::logical_and, Op::bit_and>(c)); }

void require_nonzero(const Call& c, const char* message) {
  require_not(c, apply(c, Op::equal, {c[1], zero_like(c, 1)}), message);
}

Value divide(const Call& c) {
  require_nonzero(c, "division by zero");
  return two<Op::divide>(c);
}
Value remainder(const Call& c) {
  require_nonzero(c, "rem by zero");
  return two<Op::remainder>(c);
}

// The remainder, moved to the divisor's side where it is on the other.
Value modulo(const Call& c) {
  require_nonzero(c, "mod by zero");
  const Value r = two<Op::remainder>(c);
  const Value other_side = apply(c, Op::less, {apply(c, Op::bit_xor, {r, c[1]}), integer(0)});
  const Value wrong =
      apply(c, Op::logical_and, {other_side, apply(c, Op::not_equal, {r, integer(0)})});
  return apply(c, Op::choose, {wrong, apply(c, Op::add, {r, c[1]}), r});
}

template <Op op>
Value of_nonnegative(const Call& c) {
  require_not(
      c, apply(c, Op::less, {c[0], floating(0)}),
      op == Op::sqrt ? "square root of a negative number" : "logarithm of a negative number");
  return one<op>(c);
}

template <Op op>
Value rounded(const Call& c) {
  return cast(c, one<op>(c), ElementType::i32);
}
Value rounded_half(const Call& c) {
  return cast(c, apply(c, Op::trunc, {apply(c, Op::add, {c[0], floating(0.5)})}), ElementType::i32);
}

template <ElementType type>
Value converted(const Call& c) {
  return cast(c, c[0], type);
}
// Only the lowest byte counts; a cast would saturate.
Value code_to_char(const Call& c) {
  return cast(c, apply(c, Op::bit_and, {c[0], integer(255)}), ElementType::u8);
}

Value scalar_to_any(const Call& c) {
  if (!c.result->is_scalar()) return nested::zero(nested_type(c.result));
  if (is_bool(c.result)) return apply(c, Op::not_equal, {c[0], zero_like(c, 0)});
  if (c.result->kind != MonoType::Kind::character) return cast(c, c[0], element_type(c.result));
  const Value code = cast(c, c[0], ElementType::i32);
  return cast(c, apply(c, Op::bit_and, {code, integer(255)}), ElementType::u8);
}

Value select(const Call& c) { return nested::select(c.at, c[0], c[1], c[2], Location()); }
Value identity(const Call& c) { return nested::zero(nested_type(c.result)); }
Value first(const Call& c) { return c[0]; }
Value rest(const Call& c) { return c[1]; }
Value equal(const Call& c) { return nested::equal(c.at, c[0], c[1], Location()); }

}  // namespace

void add_scalar_functions(Table& table) {
  table.insert({{"+", two<Op::add>},
                {"-", two<Op::subtract>},
                {"*", two<Op::multiply>},
                {"/", divide},
                {"negate", one<Op::negate>},
                {"rem", remainder},
                {"mod", modulo},
                {"==", two<Op::equal>},
                {"/=", two<Op::not_equal>},
                {"<", two<Op::less>},
                {">", two<Op::greater>},
                {"<=", two<Op::less_equal>},
                {">=", two<Op::greater_equal>},
                {"max", two<Op::max>},
                {"min", two<Op::min>},
                {"not", logical_not},
                {"or", logic<Op::logical_or, Op::bit_or>},
                {"and", logic<Op::logical_and, Op::bit_and>},
                {"xor", logic<Op::logical_xor, Op::bit_xor>},
                {"nor", logical_nor},
                {"nand", logical_nand},
                {"lshift", two<Op::shift_left>},
                {"rshift", two<Op::shift_right>},
                {"btoi", converted<ElementType::i32>},
                {"char_code", converted<ElementType::i32>},
                {"code_char", code_to_char},
                {"float", converted<ElementType::f64>},
                {"float_num", converted<ElementType::f64>},
                {"int_to_any", scalar_to_any},
                {"float_to_any", scalar_to_any},
                {"ceil", rounded<Op::ceil>},
                {"floor", rounded<Op::floor>},
                {"trunc", rounded<Op::trunc>},
                {"round", rounded_half},
                {"sqrt", of_nonnegative<Op::sqrt>},
                {"ln", of_nonnegative<Op::log>},
                {"exp", one<Op::exp>},
                {"sin", one<Op::sin>},
                {"cos", one<Op::cos>},
                {"tan", one<Op::tan>},
                {"asin", one<Op::asin>},
                {"acos", one<Op::acos>},
                {"atan", one<Op::atan>},
                {"sinh", one<Op::sinh>},
                {"cosh", one<Op::cosh>},
                {"tanh", one<Op::tanh>},
                {"select", select},
                {"identity", identity},
                {"element-zero", identity},
                {"first", first},
                {"rest", rest},
                {"eql", equal}});
}

}  // namespace tutti::nesl::flat
