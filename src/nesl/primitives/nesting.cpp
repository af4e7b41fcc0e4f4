// Sequences of sequences.
#include "nesl/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value flatten(const Call& c) {
  Values result;
  for (const Value& part : c[0].elements())
    result.insert(result.end(), part.elements().begin(), part.elements().end());
  c.machine.spend(static_cast<std::int64_t>(result.size()) + length_of(c[0]));
  return Value(std::move(result));
}

Value partition(const Call& c) {
  const Values& all = c[0].elements();
  Values result;
  result.reserve(c[1].elements().size());
  std::size_t at = 0;
  for (const Value& count : c[1].elements()) {
    const int n = count.integer();
    require_always(n >= 0, "partition: a count is negative");
    require_always(at + n <= all.size(), "partition: the counts add up to more than the length ",
                   std::to_string(all.size()));
    result.emplace_back(Values(all.begin() + at, all.begin() + at + n));
    at += n;
  }
  require_always(at == all.size(), "partition: the counts add up to ", std::to_string(at),
                 " and the length is ", std::to_string(all.size()));
  c.machine.spend(length_of(c[0]) + length_of(c[1]));
  return Value(std::move(result));
}

}  // namespace

std::vector<Primitive> nesting_primitives() {
  return {
      {"flatten", "[[a]] -> [a]", flatten, "The inner sequences one after the other."},
      {"partition", "([a], [int]) -> [[a]]", partition,
       "Cut into pieces of the given lengths, which add up to the length."},
  };
}

}  // namespace tutti::nesl
