// What random suites draw: numbers, element types, arrays with extreme values, and operations of
// the table by the types they take and give. The same seed draws the same things again.
#pragma once
#include <tutti/tutti.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "support/values.hpp"
#include "tutti/detail/op_traits.hpp"

namespace tutti::test {

struct Operation {
  Op op;
  int arity;
  detail::Rule rule;
};

constexpr Operation all_operations[] = {
#define TUTTI_OP(id, arity, rule, cost, doc) {Op::id, arity, detail::Rule::rule},
#include "tutti/detail/ops.def"
#undef TUTTI_OP
};

// Whether the operation takes operands of this type; choose takes a condition before them.
inline bool takes(const Operation& operation, ElementType type) {
  switch (operation.rule) {
    case detail::Rule::arithmetic:
      return type != ElementType::b8;
    case detail::Rule::floating:
    case detail::Rule::classify:
    case detail::Rule::order:
      return is_floating(type);
    case detail::Rule::integer:
      return !is_floating(type);
    case detail::Rule::logical:
      return type == ElementType::b8;
    case detail::Rule::compare:
    case detail::Rule::choose:
      return true;
  }
  return false;
}

// What it gives for operands of a type that it takes.
inline ElementType gives(const Operation& operation, ElementType type) {
  switch (operation.rule) {
    case detail::Rule::logical:
    case detail::Rule::compare:
    case detail::Rule::classify:
      return ElementType::b8;
    case detail::Rule::order:
      return type == ElementType::f16   ? ElementType::i16
             : type == ElementType::f32 ? ElementType::i32
                                        : ElementType::i64;
    default:
      return type;
  }
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t bits() { return engine_(); }
  int pick(size_t n) { return static_cast<int>(engine_() % n); }
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(engine_() % static_cast<uint64_t>(most - least + 1));
  }
  bool chance(int percent) { return pick(100) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[pick(list.size())];
  }
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<size_t>(pick(std::size(list)))];
  }

  ElementType type() { return one_of(all_types); }
  ElementType number_type() { return all_types[1 + pick(std::size(all_types) - 1)]; }
  ElementType floating_type() {
    return one_of({ElementType::f16, ElementType::f32, ElementType::f32, ElementType::f64});
  }

  ScalarValue value(ElementType type) {
    ScalarValue result{type, 0};
    const std::vector<std::byte> bytes = values(type, 1);
    std::memcpy(&result.bits, bytes.data(), bytes.size());
    return result;
  }

  // Elements of one of several kinds: extremes among ordinary numbers, extremes only, few different
  // small numbers, any bits, and small numbers whose sums stay finite.
  std::vector<std::byte> values(ElementType type, int64_t count) {
    const int kind = pick(6);
    std::vector<std::byte> bytes(static_cast<size_t>(count * size_of(type)));
    visit_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
        const T number = element<T>(kind);
        std::memcpy(bytes.data() + at, &number, sizeof(T));
      }
    });
    return bytes;
  }

  // An array in memory with such elements.
  detail::NodeRef array(ElementType type, const detail::Extents& shape) {
    const std::vector<std::byte> bytes = values(type, shape.size());
    return detail::from_host(type, shape, bytes.data(), static_cast<size_t>(shape.size()),
                             std::source_location());
  }

 private:
  template <class T>
  T element(int kind) {
    static const std::vector<T> extremes = [] {
      std::vector<T> list = interesting<T>();
      for (const double more : {1e30, -1e30, 1e-40, 65504.0, 16777217.0, 9007199254740993.0})
        list.push_back(convert_element<T>(more));
      return list;
    }();
    const uint64_t drawn = engine_();
    if (kind == 1 || (kind == 0 && drawn % 3 == 0)) return extremes[(drawn >> 8) % extremes.size()];
    if (kind == 2) return convert_element<T>(static_cast<int64_t>((drawn >> 8) % 5) - 1);
    if (kind == 3) return from_bits<T>(std::is_same_v<T, bool> ? drawn >> 8 & 1 : drawn);
    const double small = static_cast<double>(static_cast<int64_t>(drawn >> 8) % 4001) / 16 - 125;
    return convert_element<T>(small);
  }

  std::mt19937_64 engine_;
};

}  // namespace tutti::test
