#include "numerics/scalar_apply.hpp"

#include "core/elements/convert.hpp"

namespace tutti::ir {

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
