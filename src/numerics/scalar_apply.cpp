#include "numerics/scalar_apply.hpp"

#include "core/elements/convert.hpp"
#include "tutti/detail/op_traits.hpp"

namespace tutti::ir {
namespace {

// The interpreters and the code generator recognise three rules of the table by ranges of rows.
constexpr bool rows_are_in_order() {
  using detail::Rule;
  bool result = true;
  const auto check = [&](Op op, Rule rule) {
    result &= (rule == Rule::arithmetic) == (op <= Op::fma);
    result &= (rule == Rule::compare) == (op >= Op::equal && op <= Op::greater_equal);
    result &= (rule == Rule::classify) == (op >= Op::is_nan && op <= Op::is_finite);
    result &= op <= Op::fmax;
  };
#define TUTTI_OP(id, arity, rule, cost, doc) check(Op::id, Rule::rule);
#include "tutti/detail/ops.def"
#undef TUTTI_OP
  return result;
}
static_assert(rows_are_in_order(),
              "a row of ops.def is outside of the range of its rule, or after fmax: move it");

}  // namespace

ScalarValue apply_operation(Op op, ElementType type, std::span<const ScalarValue> operands) {
  if (op == Op::choose) return operands[0].bits ? operands[1] : operands[2];
  return visit_type(operands.back().type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T x[3] = {};
    for (size_t k = 0; k < operands.size(); ++k) x[k] = from_bits<T>(operands[k].bits);
    if constexpr (detail::kind<T> == 2)
      if (op == Op::ordinal) return scalar_value(ordinal(x[0]));
    const bool compares = op >= Op::equal && op <= Op::greater_equal;
    if (compares || (type == ElementType::b8 && operands.back().type != ElementType::b8))
      return scalar_value(test(op, x[0], x[1]));
    return scalar_value(apply<T>(op, x[0], x[1], x[2]));
  });
}

}  // namespace tutti::ir
