// Choices: splits a context in two, and merges the results of both sides.
#include <algorithm>

#include "nested/apply.hpp"
#include "nested/pack.hpp"

namespace tutti::nested {
namespace {

// The number of elements of a sequence that go to each side.
struct SplitTotal {
  SegmentsRef segments;
  Size yes, no;
};

SplitTotal split_total(const SegmentsRef& segments, const NodeRef& flags) {
  const NodeRef lengths = segments->lengths();
  const Size yes = Size::pending(sum_of(choose(flags, lengths, number(0))), {lengths});
  const std::optional<Size>& total = segments->known_total();
  return {segments, yes,
          total ? total->plus(yes.times(-1))
                : Size::pending(sum_of(choose(flags, number(0), lengths)))};
}

// Counts the elements of recently used sequences: most sides use them, and would need it at once.
std::vector<SplitTotal> split_totals(const ContextRef& at, const NodeRef& flags) {
  std::vector<SplitTotal> result;
  for (const SegmentsRef& segments : at->noted()) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const SplitTotal& other) {
      return other.segments->lengths() == segments->lengths();
    });
    const SplitTotal total = same == result.end() ? split_total(segments, flags)
                                                  : SplitTotal{segments, same->yes, same->no};
    segments->note_total(total.yes.plus(total.no));
    result.push_back(total);
  }
  return result;
}

std::shared_ptr<Context> side(const ContextRef& at, const NodeRef& flags, int64_t found) {
  return make_small<Context>(Context::Origin::side, at, found, indices_of(flags, found));
}

// Returns the results of a side for every instance; instances that did not take it get those of
// another. Values from outside of the side are unchanged.
Data from_side(const ContextRef& at, const ContextRef& side, const Value& result,
               const NodeRef& indices) {
  if (at->is_within(*result.context)) return lift(result, at);
  return take(lift(result, side), indices, at->count());
}

}  // namespace

Branches branch(const ContextRef& at, const Value& condition, const Location& where) {
  require_stack("if_", where);
  const Value conditions[] = {condition};
  const Application a = Application::in(at, at, conditions, "if_", where);
  const NodeRef& flags = a.scalar(0);
  if (flags->type != ElementType::b8)
    throw TypeError(std::string("if_ takes bool, not ") + name(flags->type) + detail::at(where));
  Branches result;
  result.at = at;
  if (is_uniform(flags)) {
    (Size::pending(to_int32(flags, where)).get() ? result.then_side : result.else_side) = at;
    return result;
  }
  const int64_t rows = at->count();
  result.flags = flags;
  result.running = running_count(flags, where);
  if (rows == 0) {
    result.else_side = at;
    return result;
  }
  const std::vector<SplitTotal> totals = split_totals(at, flags);
  const int64_t found =
      Size::pending(pick(result.running, number(rows - 1)), {flags, result.running}).get();
  if (found == rows) {
    result.then_side = at;
  } else if (found == 0) {
    result.else_side = at;
  } else {
    const auto then_side = side(at, flags, found);
    const auto else_side = side(at, apply(Op::logical_not, flags), rows - found);
    for (const SplitTotal& total : totals) {
      then_side->note_total(total.segments, total.yes);
      else_side->note_total(total.segments, total.no);
    }
    result.then_side = then_side;
    result.else_side = else_side;
  }
  return result;
}

Value merge(const Branches& branches, const Value& then_result, const Value& else_result,
            const Location&) {
  const NodeRef then_place = subtract(branches.running, number(1));
  const NodeRef else_place = subtract(numbered(branches.at->count()), branches.running);
  Data result = choose(
      branches.flags, from_side(branches.at, branches.then_side, then_result, then_place),
      from_side(branches.at, branches.else_side, else_result, else_place), branches.at->count());
  want(result);
  return {std::move(result), branches.at};
}

Value select(const ContextRef& at, const Value& condition, const Value& yes, const Value& no,
             const Location& where) {
  const Value operands[] = {condition, yes, no};
  const Application a(at, operands, "select", where);
  return a.result(choose(a.scalar(0), a.operand(1), a.operand(2), a.count()));
}

}  // namespace tutti::nested
