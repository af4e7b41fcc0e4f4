// Sequences of sequences.
#include "nesl/library/primitives/checks.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value flatten(const Call& c) {
  const Values& parts = c[0].elements();
  if (parts.are_rows()) {
    c.machine.spend(length_of(c[0]));
    return parts.contents();
  }
  std::size_t total = 0;
  for (const Value& part : parts.numbers<Value>()) total += part.elements().size();
  check_length(static_cast<std::int64_t>(total));
  Values result;
  result.reserve(total);
  for (const Value& part : parts.numbers<Value>()) {
    c.machine.spend(1);  // now and then, so that Ctrl-C need not wait for all of them
    result.append(part.elements());
  }
  c.machine.spend(static_cast<std::int64_t>(total));
  return Value(std::move(result));
}

Value partition(const Call& c) {
  const std::span<const int> counts = c[1].elements().numbers<int>();
  std::vector<int> offsets{0};
  offsets.reserve(counts.size() + 1);
  std::int64_t total = 0;
  for (int count : counts) {
    if (count < 0) fail("partition: ", nested::no_length(count));
    total += count;
    offsets.push_back(static_cast<int>(total));
  }
  if (total != length_of(c[0])) fail("partition: ", nested::wrong_total(total, length_of(c[0])));
  c.machine.spend(length_of(c[1]));
  Values result = Values::nested(std::move(offsets), c[0]);
  if (!result.are_rows()) c.machine.spend(length_of(c[0]));
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
