// Scans and reductions. Scans are exclusive; a reduction of nothing gives the identity.
#include <limits>

#include "nesl/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;
using Combine = Value (*)(const Value&, const Value&, Mono);

struct Operation {
  Value (*identity)(Mono);
  Combine combine;
};

bool less_than(const Value& a, const Value& b, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return a.integer() < b.integer();
    case MonoType::Kind::floating:
      return a.floating() < b.floating();
    default:
      return a.character() < b.character();
  }
}

Value same_everywhere(Mono type, bool ones) {
  return is_bool(type) ? Value(ones) : Value(ones ? -1 : 0);
}

Value least(Mono type) {
  if (is_int(type)) return std::numeric_limits<int>::min();
  if (is_float(type)) return -1.0e36;
  return static_cast<unsigned char>(0);
}
Value greatest(Mono type) {
  if (is_int(type)) return std::numeric_limits<int>::max();
  if (is_float(type)) return 1.0e36;
  return static_cast<unsigned char>(255);
}

constexpr Operation plus = {[](Mono type) { return is_int(type) ? Value(0) : Value(0.0); },
                            [](const Value& a, const Value& b, Mono type) {
                              return is_int(type)
                                         ? Value(wrap(std::int64_t{a.integer()} + b.integer()))
                                         : Value(a.floating() + b.floating());
                            }};
constexpr Operation times = {[](Mono type) { return is_int(type) ? Value(1) : Value(1.0); },
                             [](const Value& a, const Value& b, Mono type) {
                               return is_int(type)
                                          ? Value(wrap(std::int64_t{a.integer()} * b.integer()))
                                          : Value(a.floating() * b.floating());
                             }};
constexpr Operation maximum = {
    least, [](const Value& a, const Value& b, Mono type) { return less_than(a, b, type) ? b : a; }};
constexpr Operation minimum = {greatest, [](const Value& a, const Value& b, Mono type) {
                                 return less_than(b, a, type) ? b : a;
                               }};
constexpr Operation either = {[](Mono type) { return same_everywhere(type, false); },
                              [](const Value& a, const Value& b, Mono type) {
                                return is_bool(type) ? Value(a.boolean() || b.boolean())
                                                     : Value(a.integer() | b.integer());
                              }};
constexpr Operation both = {[](Mono type) { return same_everywhere(type, true); },
                            [](const Value& a, const Value& b, Mono type) {
                              return is_bool(type) ? Value(a.boolean() && b.boolean())
                                                   : Value(a.integer() & b.integer());
                            }};
constexpr Operation one_of = {[](Mono type) { return same_everywhere(type, false); },
                              [](const Value& a, const Value& b, Mono type) {
                                return is_bool(type) ? Value(a.boolean() != b.boolean())
                                                     : Value(a.integer() ^ b.integer());
                              }};

template <const Operation& operation>
Value scan(const Call& c) {
  const Mono element = c.types[0]->a;
  Values result;
  result.reserve(c[0].elements().size());
  Value so_far = operation.identity(element);
  for (const Value& value : c[0].elements()) {
    result.push_back(so_far);
    so_far = operation.combine(so_far, value, element);
  }
  c.machine.spend(length_of(c[0]));
  return Value(std::move(result));
}

template <const Operation& operation>
Value reduce(const Call& c) {
  const Mono element = c.types[0]->a;
  Value so_far = operation.identity(element);
  for (const Value& value : c[0].elements()) so_far = operation.combine(so_far, value, element);
  c.machine.spend(length_of(c[0]));
  return so_far;
}

// Leftmost of the best ones.
template <bool greatest_wanted>
Value extreme_index(const Call& c) {
  const Mono element = c.types[0]->a;
  const Values& values = c[0].elements();
  int best = values.empty() ? -1 : 0;
  for (int i = 1; i < length_of(c[0]); ++i)
    if (greatest_wanted ? less_than(values[best], values[i], element)
                        : less_than(values[i], values[best], element))
      best = i;
  c.machine.spend(length_of(c[0]));
  return best;
}

}  // namespace

std::vector<Primitive> scan_primitives() {
  constexpr const char* number_scan = "[a] -> [a] :: (a in number)";
  constexpr const char* ordinal_scan = "[a] -> [a] :: (a in ordinal)";
  constexpr const char* logical_scan = "[a] -> [a] :: (a in logical)";
  constexpr const char* number_fold = "[a] -> a :: (a in number)";
  constexpr const char* ordinal_fold = "[a] -> a :: (a in ordinal)";
  constexpr const char* logical_fold = "[a] -> a :: (a in logical)";
  constexpr const char* position = "[a] -> int :: (a in ordinal)";
  const auto open = [](Primitive primitive) {
    primitive.fixed = false;
    return primitive;
  };
  return {
      {"plus_scan", number_scan, scan<plus>, "For each element the sum of those before it."},
      {"mult_scan", number_scan, scan<times>, "For each element the product of those before it."},
      {"max_scan", ordinal_scan, scan<maximum>, "For each element the maximum before it."},
      {"min_scan", ordinal_scan, scan<minimum>, "For each element the minimum before it."},
      {"or_scan", logical_scan, scan<either>, "For each element the or of those before it."},
      {"and_scan", logical_scan, scan<both>, "For each element the and of those before it."},
      {"xor_scan", logical_scan, scan<one_of>, "For each element the xor of those before it."},
      open({"sum", number_fold, reduce<plus>, "The sum of all elements."}),
      open({"product", number_fold, reduce<times>, "The product of all elements."}),
      open({"max_val", ordinal_fold, reduce<maximum>, "The greatest element."}),
      open({"min_val", ordinal_fold, reduce<minimum>, "The least element."}),
      open(
          {"any", logical_fold, reduce<either>, "Whether any element holds; of ints, bit by bit."}),
      open({"all", logical_fold, reduce<both>, "Whether all elements hold; of ints, bit by bit."}),
      open({"parity", logical_fold, reduce<one_of>, "The exclusive or of all elements."}),
      open({"max_index", position, extreme_index<true>,
            "The position of the greatest element, the first of several; -1 of none."}),
      open({"min_index", position, extreme_index<false>,
            "The position of the least element, the first of several; -1 of none."}),
  };
}

}  // namespace tutti::nesl
