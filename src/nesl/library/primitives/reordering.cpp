// Gather, scatter and permutations.
#include "nesl/library/primitives/checks.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

void check_indices(const char* operation, std::span<const int> indices, int n) {
  for (int i : indices)
    if (i < 0 || i >= n) fail(operation, ": ", nested::no_place(i, n));
}
void check_lengths(const char* operation, const Value& a, const Value& b) {
  if (length_of(a) != length_of(b))
    fail(operation, ": ", nested::unequal_lengths(length_of(a), length_of(b)));
}

Value read(const Call& c) {
  const std::span<const int> indices = c[1].elements().numbers<int>();
  const int n = length_of(c[0]);
  for (int i : indices)
    if (i < 0 || i >= n) fail("->: ", nested::no_element(i, n));
  c.machine.spend(length_of(c[1]));
  return c[0].elements().gathered(indices);
}

// Of several values for one place the last arrives.
Value write(const Call& c) {
  const std::span<const int> indices = c[1].elements().column(0).numbers<int>();
  check_indices("<-", indices, length_of(c[0]));
  Values result = c[0].elements();
  result.scatter(indices, c[1].elements().column(1));
  c.machine.spend(length_of(c[0]) + length_of(c[1]));
  return Value(std::move(result));
}

Value put(const Call& c) {
  const std::span<const int> indices = c[1].elements().numbers<int>();
  check_lengths("<-", c[0], c[1]);
  check_indices("<-", indices, length_of(c[2]));
  Values result = c[2].elements();
  result.scatter(indices, c[0].elements());
  c.machine.spend(length_of(c[0]) + length_of(c[2]));
  return Value(std::move(result));
}

Value permute(const Call& c) {
  const std::span<const int> indices = c[1].elements().numbers<int>();
  check_lengths("permute", c[0], c[1]);
  check_indices("permute", indices, length_of(c[0]));
  const Values& values = c[0].elements();
  Values result = values;  // where no element arrives, the one that was there stays
  result.scatter(indices, values);
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
