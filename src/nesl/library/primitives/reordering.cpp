// Gather, scatter and permutations.
#include "nesl/library/primitives/checks.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

void check_place(const char* operation, int i, int n) {
  if (i < 0 || i >= n) fail(operation, ": ", nested::no_place(i, n));
}
void check_lengths(const char* operation, const Value& a, const Value& b) {
  if (length_of(a) != length_of(b))
    fail(operation, ": ", nested::unequal_lengths(length_of(a), length_of(b)));
}

Value read(const Call& c) {
  const Values& from = c[0].elements();
  Values result;
  result.reserve(c[1].elements().size());
  for (const Value& index : c[1].elements()) {
    const int i = index.integer(), n = length_of(c[0]);
    if (i < 0 || i >= n) fail("->: ", nested::no_element(i, n));
    result.push_back(from[i]);
  }
  c.machine.spend(length_of(c[1]));
  return Value(std::move(result));
}

// Of several values for one place the last arrives.
Value write(const Call& c) {
  Values result = c[0].elements();
  for (const Value& pair : c[1].elements()) {
    check_place("<-", pair.first().integer(), length_of(c[0]));
    result.set(pair.first().integer(), pair.second());
  }
  c.machine.spend(length_of(c[0]) + length_of(c[1]));
  return Value(std::move(result));
}

Value put(const Call& c) {
  const Values &values = c[0].elements(), &places = c[1].elements();
  check_lengths("<-", c[0], c[1]);
  Values result = c[2].elements();
  for (std::size_t i = 0; i < places.size(); ++i) {
    check_place("<-", places[i].integer(), length_of(c[2]));
    result.set(places[i].integer(), values[i]);
  }
  c.machine.spend(length_of(c[0]) + length_of(c[2]));
  return Value(std::move(result));
}

Value permute(const Call& c) {
  const Values &values = c[0].elements(), &places = c[1].elements();
  check_lengths("permute", c[0], c[1]);
  Values result(values.size(), values.empty() ? Value() : values[0]);
  for (std::size_t i = 0; i < places.size(); ++i) {
    check_place("permute", places[i].integer(), length_of(c[0]));
    result.set(places[i].integer(), values[i]);
  }
  c.machine.spend(length_of(c[0]));
  return Value(std::move(result));
}

}  // namespace

std::vector<Primitive> reordering_primitives() {
  return {
      {"read", "([a], [int]) -> [a]", read, "The elements at the given positions; also s -> i."},
      {"write", "([a], [(int, a)]) -> [a]", write,
       "A copy of the first sequence with values written at positions; also d <- iv."},
      {"put", "([a], [int], [a]) -> [a]", put,
       "put(v, i, d): a copy of d with the values v at the positions i.", Effect::none, false},
      {"permute", "([a], [int]) -> [a]", permute,
       "permute(v, i): element k of v at position i[k]; each position once."},
  };
}

}  // namespace tutti::nesl
