// hash on contexts, and with it name for values with sequences inside. A sequence is the sum of its
// elements' hashes, each mixed with its position: a segmented sum.
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/primitives.hpp"
#include "nesl/eval/hashing.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::ContextRef;
using nested::Value;

// Element-wise operations in one context.
struct Arithmetic {
  const ContextRef& at;

  Value apply(Op op, const Value& a, const Value& b) const {
    const Value operands[] = {a, b};
    return nested::elementwise(at, op, operands, Location());
  }
  Value apply(Op op, const Value& a, std::uint32_t b) const {
    return apply(op, a, integer(static_cast<std::int32_t>(b)));
  }
  // With zeros from the left, which the shift of signed numbers does not give.
  Value shifted(const Value& a, std::uint32_t by) const {
    return apply(Op::bit_and, apply(Op::shift_right, a, by), 0xFFFFFFFFu >> by);
  }
  Value mix(const Value& seed, const Value& value) const {
    Value h = apply(Op::add, apply(Op::multiply, seed, hashing::spread), value);
    for (const hashing::Round& round : hashing::rounds)
      h = apply(Op::multiply, apply(Op::bit_xor, h, shifted(h, round.shift)), round.factor);
    return apply(Op::bit_xor, h, shifted(h, hashing::last_shift));
  }
};

Value hash_of(const ContextRef& at, const Value& value, Mono type, const Value& seed);

Value hash_of_sequence(const ContextRef& at, const Value& sequence, Mono element,
                       const Value& seed) {
  const Value length = nested::length(sequence);
  const Value sources[] = {sequence, nested::iota(at, length, Location())};
  const nested::Elements inside = nested::enter(at, sources, "hash", Location());
  Value total = integer(0);
  if (nested::instances(inside.context) > 0) {
    const Value hash = hash_of(inside.context, inside.values[0], element, seed);
    const Value placed = Arithmetic{inside.context}.mix(hash, inside.values[1]);
    total = nested::reduce(at, Reduction::sum, nested::leave(inside, placed), Location());
  }
  const Arithmetic here{at};
  return here.mix(here.mix(seed, length), total);
}

// `type` has no floats; see can_hash.
Value hash_of(const ContextRef& at, const Value& value, Mono type, const Value& seed) {
  switch (type->kind) {
    case MonoType::Kind::pair:
      return hash_of(at, nested::part(value, 1), type->b,
                     hash_of(at, nested::part(value, 0), type->a, seed));
    case MonoType::Kind::record:
      return hash_of(at, value, type->a, seed);
    case MonoType::Kind::sequence:
      return hash_of_sequence(at, value, type->a, seed);
    case MonoType::Kind::integer:
      return Arithmetic{at}.mix(seed, value);
    default:
      return Arithmetic{at}.mix(seed, nested::cast(at, value, ElementType::i32, Location()));
  }
}

// Whether equal hashes came of equal values only: `names` has the position of an element with the
// same hashes for each.
bool are_names(const Call& c, const Value& names) {
  const Value named = nested::gather(c.at, c[0], names, Location());
  const Value sources[] = {c[0], named};
  const nested::Elements inside = nested::enter(c.at, sources, "name", Location());
  if (nested::instances(inside.context) == 0) return true;
  const Value same = nested::equal(inside.context, inside.values[0], inside.values[1], Location());
  const nested::HostData rows = nested::rows_to_host(
      c.at, nested::reduce(c.at, Reduction::all, nested::leave(inside, same), Location()), "name",
      Location());
  for (std::byte row : rows.numbers)
    if (row == std::byte{0}) return false;
  return true;
}

}  // namespace

bool can_hash(Mono type) {
  switch (type->kind) {
    case MonoType::Kind::pair:
      return can_hash(type->a) && can_hash(type->b);
    case MonoType::Kind::record:
    case MonoType::Kind::sequence:
      return can_hash(type->a);
    case MonoType::Kind::floating:  // their bits are out of reach here
    case MonoType::Kind::function:
      return false;
    default:
      return true;
  }
}

Value hash(const Call& c) {
  const Arithmetic here{c.at};
  require_not(c, here.apply(Op::less, c[1], integer(1)), "hash: the range is less than 1");
  const Value positive =
      here.apply(Op::bit_and, hash_of(c.at, c[0], c.types[0], integer(0)), 0x7FFFFFFFu);
  return here.apply(Op::remainder, positive, here.apply(Op::max, c[1], integer(1)));
}

// Two hashes of each element are named instead, which is right unless two of some billion billion
// pairs of values collide; then the host does it.
std::optional<Value> name_by_hash(const Call& c) {
  const Mono element = c.types[0]->a;
  const nested::Elements inside = nested::enter(c.at, {&c[0], 1}, "name", Location());
  if (nested::instances(inside.context) == 0)
    return nested::leave(inside, nested::zero(nested_type(mono::integer())));
  std::vector<Value> columns;
  for (int seed : {1, 2})
    columns.push_back(
        nested::leave(inside, hash_of(inside.context, inside.values[0], element, integer(seed))));
  Value names = name_of_columns(c, columns);
  if (!are_names(c, names)) return {};
  return names;
}

}  // namespace tutti::nesl::flat
