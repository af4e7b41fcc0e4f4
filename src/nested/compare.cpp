// Equality of whole values.
#include "nested/apply.hpp"

namespace tutti::nested {
namespace {

NodeRef equal_rows(const ContextRef& context, const Data& a, const Data& b, const Location& where) {
  if (a.kind != b.kind || a.parts.size() != b.parts.size())
    throw TypeError("equal: values of different types" + detail::at(where));
  if (a.kind == Kind::scalar) return apply(Op::equal, a.node, b.node, where);
  if (a.kind == Kind::tuple) {
    NodeRef result = flag(true);
    for (size_t i = 0; i < a.parts.size(); ++i)
      result = apply(Op::logical_and, result, equal_rows(context, a.parts[i], b.parts[i], where));
    return result;
  }
  const SequenceRef left = a.sequence->dense();
  const Segments &segments = *left->segments(), &other = *b.sequence->segments();
  const NodeRef same_length = apply(Op::equal, segments.lengths(), other.lengths());
  const ContextRef inner = segments.elements_context(context);
  const NodeRef place = add(inner->lift(other.starts(), *context), segments.positions());
  const NodeRef same = equal_rows(inner, left->elements(),
                                  take(b.sequence->elements(), place, inner->count()), where);
  const Value all =
      reduce(context, Reduction::all, {as_data(left->segments(), as_data(same)), context}, where);
  return apply(Op::logical_and, same_length, all.data.node);
}

}  // namespace

Value equal(const ContextRef& at, const Value& a, const Value& b, const Location& where) {
  const Value operands[] = {a, b};
  const Application both(at, operands, "equal", where);
  return both.result(as_data(equal_rows(both.context(), both.operand(0), both.operand(1), where)));
}

}  // namespace tutti::nested
