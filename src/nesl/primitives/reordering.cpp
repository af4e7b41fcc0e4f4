// Gather, scatter and permutations.
#include "nesl/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

void check_index(const char* operation, int i, int n) {
  if (i < 0 || i >= n)
    throw RuntimeError(std::string(operation) + ": the index " + std::to_string(i) +
                       " is out of bounds of a sequence of length " + std::to_string(n));
}

Value read(const Call& c) {
  const Values& from = c[0].elements();
  Values result;
  result.reserve(c[1].elements().size());
  for (const Value& index : c[1].elements()) {
    check_index("->", index.integer(), length_of(c[0]));
    result.push_back(from[index.integer()]);
  }
  c.machine.spend(length_of(c[1]));
  return Value(std::move(result));
}

// Of several values for one place the last arrives.
Value write(const Call& c) {
  Values result = c[0].elements();
  for (const Value& pair : c[1].elements()) {
    check_index("<-", pair.first().integer(), length_of(c[0]));
    result[pair.first().integer()] = pair.second();
  }
  c.machine.spend(length_of(c[0]) + length_of(c[1]));
  return Value(std::move(result));
}

Value put(const Call& c) {
  const Values &values = c[0].elements(), &places = c[1].elements();
  require_always(values.size() == places.size(), "put: the values and indices differ in number");
  Values result = c[2].elements();
  for (std::size_t i = 0; i < places.size(); ++i) {
    check_index("put", places[i].integer(), length_of(c[2]));
    result[places[i].integer()] = values[i];
  }
  c.machine.spend(length_of(c[0]) + length_of(c[2]));
  return Value(std::move(result));
}

Value permute(const Call& c) {
  const Values &values = c[0].elements(), &places = c[1].elements();
  require_always(values.size() == places.size(), "permute: ", std::to_string(values.size()),
                 " values and ", std::to_string(places.size()), " indices");
  Values result(values.size(), values.empty() ? Value() : values[0]);
  for (std::size_t i = 0; i < places.size(); ++i) {
    check_index("permute", places[i].integer(), length_of(c[0]));
    result[places[i].integer()] = values[i];
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
