// Sequences of sequences.
#include "nesl/library/primitives/checks.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value flatten(const Call& c) {
  Values result;
  for (const Value& part : c[0].elements()) result.append(part.elements());
  c.machine.spend(static_cast<std::int64_t>(result.size()) + length_of(c[0]));
  return Value(std::move(result));
}

Value partition(const Call& c) {
  const Values &all = c[0].elements(), &counts = c[1].elements();
  std::int64_t total = 0;
  for (const Value& count : counts) {
    if (count.integer() < 0) fail("partition: ", nested::no_length(count.integer()));
    total += count.integer();
  }
  if (total != length_of(c[0])) fail("partition: ", nested::wrong_total(total, length_of(c[0])));
  Values result;
  result.reserve(counts.size());
  std::size_t at = 0;
  for (const Value& count : counts) {
    result.emplace_back(all.part(at, at + count.integer()));
    at += count.integer();
  }
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
