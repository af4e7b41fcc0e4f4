// Numbers, characters and truth values: one element-wise operation, as the table has it, or a few.
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/primitives.hpp"

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
Value operation(const Call& c) {
  return nested::elementwise(c.at, op, c.operands, Location());
}

Value negated(const Call& c, const Value& value) { return apply(c, Op::bit_not, {value}); }
Value logical_nor(const Call& c) { return negated(c, operation<Op::bit_or>(c)); }
Value logical_nand(const Call& c) { return negated(c, operation<Op::bit_and>(c)); }

void require_nonzero(const Call& c, const char* message) {
  require_not(c, apply(c, Op::equal, {c[1], zero_like(c, 1)}), message);
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
  const Value r = operation<Op::remainder>(c);
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
  return operation<op>(c);
}

template <Op op>
Value rounded(const Call& c) {
  return cast(c, operation<op>(c), ElementType::i32);
}
Value rounded_half(const Call& c) {
  return cast(c, apply(c, Op::trunc, {apply(c, Op::add, {c[0], floating(0.5)})}), ElementType::i32);
}

Value converted_to_result(const Call& c) { return cast(c, c[0], element_type(c.result)); }
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

Value float_to_any(const Call& c) {
  return c.result->kind == MonoType::Kind::integer ? rounded_half(c) : scalar_to_any(c);
}

Value select(const Call& c) { return nested::select(c.at, c[0], c[1], c[2], Location()); }
Value identity(const Call& c) { return nested::zero(nested_type(c.result)); }
Value first(const Call& c) { return c[0]; }
Value rest(const Call& c) { return c[1]; }
Value equal(const Call& c) { return nested::equal(c.at, c[0], c[1], Location()); }

}  // namespace

void add_scalar_functions(Table& table) {
  table.insert({
#define NESL_OPERATION(name, type, op, description) {name, operation<Op::op>},
#include "nesl/library/scalar_operations.def"
      {"/", divide},
      {"rem", remainder},
      {"mod", modulo},
      {"sqrt", of_nonnegative<Op::sqrt>},
      {"ln", of_nonnegative<Op::log>},
      {"nor", logical_nor},
      {"nand", logical_nand},
      {"btoi", converted_to_result},
      {"char_code", converted_to_result},
      {"code_char", code_to_char},
      {"float", converted_to_result},
      {"float_num", converted_to_result},
      {"int_to_any", scalar_to_any},
      {"float_to_any", float_to_any},
      {"ceil", rounded<Op::ceil>},
      {"floor", rounded<Op::floor>},
      {"trunc", rounded<Op::trunc>},
      {"round", rounded_half},
      {"select", select},
      {"identity", identity},
      {"element-zero", identity},
      {"first", first},
      {"rest", rest},
      {"eql", equal}});
}

}  // namespace tutti::nesl::flat
