// Sorting, and names for equal values.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "nesl/library/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// ---- keys that are unsigned numbers and sort as the elements do

std::uint32_t key_of(int number) { return static_cast<std::uint32_t>(number) ^ 0x8000'0000u; }
std::uint8_t key_of(unsigned char character) { return character; }
// Of negative numbers all bits are inverted. Zeros of both signs are equal, and so are all NaNs,
// which come last.
std::uint64_t key_of(double number) {
  if (number != number) return ~std::uint64_t{0};
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return bits & sign ? ~bits : bits | sign;
}

template <class Key>
struct Keyed {
  Key key;
  int position;
};

constexpr int digit_bits = 8;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
// Fewer elements are sorted by comparing them.
constexpr std::size_t fewest_for_digits = 256;

// Sorts by one digit; equal ones stay in order. Nothing happens where all have the same.
template <class Key>
void sort_by_digit(std::vector<Keyed<Key>>& elements, std::vector<Keyed<Key>>& room, int shift) {
  const auto digit = [&](const Keyed<Key>& element) {
    return static_cast<std::size_t>(element.key >> shift) % digits;
  };
  std::size_t begins[digits] = {};
  for (const Keyed<Key>& element : elements) ++begins[digit(element)];
  if (begins[digit(elements[0])] == elements.size()) return;
  std::size_t at = 0;
  for (std::size_t& begin : begins) at += std::exchange(begin, at);
  for (const Keyed<Key>& element : elements) room[begins[digit(element)]++] = element;
  elements.swap(room);
}

template <class Key>
void sort_keys(std::vector<Keyed<Key>>& elements) {
  if (elements.size() < fewest_for_digits) {
    std::stable_sort(elements.begin(), elements.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    return;
  }
  std::vector<Keyed<Key>> room(elements.size());
  for (int shift = 0; shift < std::numeric_limits<Key>::digits; shift += digit_bits)
    sort_by_digit(elements, room, shift);
}

// The positions of the elements in sorted order; equal ones stay in order, NaNs come last.
template <class T>
std::vector<int> order_of_numbers(std::span<const T> numbers, bool descending) {
  using Key = decltype(key_of(T{}));
  std::vector<Keyed<Key>> elements(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool last = numbers[i] != numbers[i];
    const Key key = key_of(numbers[i]);
    elements[i] = {descending && !last ? static_cast<Key>(~key) : key, static_cast<int>(i)};
  }
  sort_keys(elements);
  std::vector<int> order(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) order[i] = elements[i].position;
  return order;
}

std::vector<int> sorted_order(const Values& keys, Mono element, bool descending) {
  if (is_float(element)) return order_of_numbers(keys.numbers<double>(), descending);
  if (element->kind == MonoType::Kind::character)
    return order_of_numbers(keys.numbers<unsigned char>(), descending);
  return order_of_numbers(keys.numbers<int>(), descending);
}

template <bool descending>
Value rank(const Call& c) {
  const std::vector<int> order = sorted_order(c[0].elements(), c.types[0]->a, descending);
  std::vector<int> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = static_cast<int>(i);
  c.machine.spend(8 * static_cast<std::int64_t>(order.size()));
  return Values(std::move(result));
}

Value sort(const Call& c) {
  c.machine.spend(8 * length_of(c[0]));
  return c[0].elements().gathered(sorted_order(c[0].elements(), c.types[0]->a, false));
}

// A total order that agrees with eql.
int order_of(const Value& a, const Value& b, Mono type) {
  const auto three_way = [](auto x, auto y) { return x < y ? -1 : (y < x ? 1 : 0); };
  switch (type->kind) {
    case MonoType::Kind::integer:
      return three_way(a.integer(), b.integer());
    case MonoType::Kind::floating:
      return three_way(a.floating(), b.floating());
    case MonoType::Kind::boolean:
      return three_way(a.boolean(), b.boolean());
    case MonoType::Kind::character:
      return three_way(a.character(), b.character());
    case MonoType::Kind::pair: {
      const int first = order_of(a.first(), b.first(), type->a);
      return first ? first : order_of(a.second(), b.second(), type->b);
    }
    case MonoType::Kind::record:
      return order_of(a, b, type->a);
    case MonoType::Kind::function:
      return 0;
    case MonoType::Kind::sequence:
      break;
  }
  const Values &x = a.elements(), &y = b.elements();
  if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const int order = order_of(x[i], y[i], type->a)) return order;
  return 0;
}

Value name(const Call& c) {
  const Mono element = c.types[0]->a;
  const auto less = [&](const Value& a, const Value& b) { return order_of(a, b, element) < 0; };
  std::map<Value, int, decltype(less)> first_seen(less);
  Values result;
  for (const Value& value : c[0].elements()) {
    c.machine.spend(8);  // now and then, so that Ctrl-C need not wait for all of them
    result.emplace_back(first_seen.emplace(value, static_cast<int>(result.size())).first->second);
  }
  return Value(std::move(result));
}

}  // namespace

std::vector<Primitive> sorting_primitives() {
  return {
      {"rank", "[a] -> [int] :: (a in number)", rank<false>,
       "The position of each element after sorting; equal ones keep their order.", Effect::none,
       false},
      {"rank_down", "[a] -> [int] :: (a in number)", rank<true>,
       "The position of each element after sorting from the greatest.", Effect::none, false},
      {"char_rank", "[char] -> [int]", rank<false>, "rank for characters.", Effect::none, false},
      {"sort", "[a] -> [a] :: (a in number)", sort, "The elements from the least to the greatest.",
       Effect::none, false},
      {"name-first", "[a] -> [int]", name,
       "For each element the position of the first one equal to it."},
  };
}

}  // namespace tutti::nesl
