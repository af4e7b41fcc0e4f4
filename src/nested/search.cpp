// Searches in sorted sequences.
#include <bit>

#include "nested/apply.hpp"

namespace tutti::nested {
namespace {

// Returns the length of the longest prefix of a segment whose elements precede the query. It is
// found bit by bit, from the highest bit that a length can have.
NodeRef count_before(const NodeRef& sorted, const NodeRef& start, const NodeRef& length,
                     const NodeRef& query, bool right_side) {
  const Op before = right_side ? Op::less_equal : Op::less;
  NodeRef count = number(0);
  for (int bit = std::bit_width(static_cast<uint64_t>(sorted->shape[0])) - 1; bit >= 0; --bit) {
    const NodeRef longer = add(count, number(int64_t{1} << bit));
    const NodeRef last = pick(sorted, subtract(add(start, longer), number(1)));
    const NodeRef fits =
        apply(Op::logical_and, apply(Op::less_equal, longer, length), apply(before, last, query));
    count = choose(fits, longer, count);
  }
  return count;
}

}  // namespace

Value search(const ContextRef& at, const Value& sorted, const Value& queries, bool right_side,
             const Location& where) {
  const Value operands[] = {sorted, queries};
  const Application a(at, operands, "search", where);
  const Sequence& in = a.sequence(0);
  const SequenceRef each_query = a.sequence(1).dense();
  const ContextRef inner = each_query->segments()->elements_context(a.context());
  const NodeRef query = spread(scalar_of(each_query->elements(), "search", where), inner->count());
  const NodeRef rows = spread(scalar_of(in.elements(), "search", where), in.rows()->count());
  if (rows->type != query->type)
    throw TypeError(std::string("search: a sequence of ") + name(rows->type) +
                    " and queries of type " + name(query->type) + detail::at(where));
  NodeRef result;
  if (rows->shape.size() == 0)
    result = number(0);
  else if (a.is_top() && in.segments()->is_dense())
    result = to_int32(detail::search_sorted(rows, query, right_side, where), where);
  else
    result = count_before(rows, inner->lift(in.segments()->starts(), *a.context()),
                          inner->lift(in.segments()->lengths(), *a.context()), query, right_side);
  return a.result(as_data(each_query->segments(), as_data(result)));
}

}  // namespace tutti::nested
