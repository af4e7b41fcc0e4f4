// Sorting, and names for equal values.
#include <algorithm>
#include <map>
#include <numeric>

#include "nesl/library/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// The positions of the elements in sorted order; equal ones stay in order, NaNs come last.
std::vector<int> sorted_order(const Values& keys, Mono element, bool descending) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](int i, int j) {
    if (is_float(element)) {
      const double a = keys[i].floating(), b = keys[j].floating();
      if (a != a || b != b) return a == a && b != b;
      return descending ? b < a : a < b;
    }
    if (element->kind == MonoType::Kind::character)
      return descending ? keys[j].character() < keys[i].character()
                        : keys[i].character() < keys[j].character();
    return descending ? keys[j].integer() < keys[i].integer()
                      : keys[i].integer() < keys[j].integer();
  };
  std::stable_sort(order.begin(), order.end(), less);
  return order;
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
  Values result;
  for (int i : sorted_order(c[0].elements(), c.types[0]->a, false))
    result.push_back(c[0].elements()[i]);
  c.machine.spend(8 * length_of(c[0]));
  return Value(std::move(result));
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
  for (const Value& value : c[0].elements())
    result.emplace_back(first_seen.emplace(value, static_cast<int>(result.size())).first->second);
  c.machine.spend(8 * length_of(c[0]));
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
