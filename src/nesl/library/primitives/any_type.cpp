// Functions of values of any type.
#include <algorithm>
#include <bit>

#include "nesl/eval/hashing.hpp"
#include "nesl/library/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value are_equal(const Call& c) {
  c.machine.spend(1);
  return equal(c[0], c[1], c.types[0]);
}

Value select(const Call& c) { return c[0].boolean() ? c[1] : c[2]; }
Value identity(const Call& c) { return identity_of(c.types[0]); }
Value element_zero(const Call& c) { return identity_of(c.types[0]->a); }
// The tuple arrives as its two parts.
Value first(const Call& c) { return c[0]; }
Value rest(const Call& c) { return c[1]; }

using hashing::mix;

std::uint32_t hash_of(const Value& value, Mono type, std::uint32_t seed) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return mix(seed, static_cast<std::uint32_t>(value.integer()));
    case MonoType::Kind::floating: {
      // 0.0 and -0.0 are equal.
      const auto bits = std::bit_cast<std::uint64_t>(value.floating() + 0.0);
      return mix(mix(seed, static_cast<std::uint32_t>(bits)),
                 static_cast<std::uint32_t>(bits >> 32));
    }
    case MonoType::Kind::boolean:
      return mix(seed, value.boolean());
    case MonoType::Kind::character:
      return mix(seed, value.character());
    case MonoType::Kind::pair:
      return hash_of(value.second(), type->b, hash_of(value.first(), type->a, seed));
    case MonoType::Kind::record:
      return hash_of(value, type->a, seed);
    case MonoType::Kind::function:
      return seed;
    case MonoType::Kind::sequence:
      break;
  }
  // A sum of what depends on the position, so that all elements can be hashed at once.
  std::uint32_t total = 0, position = 0;
  for (const Value& element : value.elements())
    total += mix(hash_of(element, type->a, seed), position++);
  return mix(mix(seed, position), total);
}

Value hash(const Call& c) {
  const int range = c[1].integer();
  require(c, range >= 1, "hash: the range is less than 1");
  return static_cast<int>(hash_of(c[0], c.types[0], 0) & 0x7FFFFFFFu) % std::max(range, 1);
}

}  // namespace

std::vector<Primitive> any_type_primitives() {
  return {
      {"eql", "(a, a) -> bool", are_equal,
       "Whether two values are equal, in structure and contents."},
      {"select", "(bool, a, a) -> a", select,
       "The second argument if the first is t, else the third; both are evaluated."},
      {"identity", "a -> a", identity,
       "Zero of the type of its argument: 0, 0.0, f, the null character, the empty sequence."},
      {"element-zero", "[a] -> a", element_zero, "Zero of the type of the elements."},
      {"hash", "(a, int) -> int", hash,
       "hash(v, n): equal values give equal numbers from 0 to n-1."},
      {"first", "(a, b) -> a", first, "The first component of a pair."},
      {"rest", "(a, b) -> b", rest, "What follows the first component of a tuple."},
  };
}

}  // namespace tutti::nesl
