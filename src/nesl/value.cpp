#include "nesl/value.hpp"

#include <algorithm>

namespace tutti::nesl {

Value::Value(Values elements) : data_(std::make_shared<const Values>(std::move(elements))) {}
Value::Value(Value first, Value second)
    : data_(std::make_shared<const std::pair<Value, Value>>(std::move(first), std::move(second))) {}

Value Value::text(const std::string& characters) {
  Values elements;
  elements.reserve(characters.size());
  for (char c : characters) elements.emplace_back(static_cast<unsigned char>(c));
  return Value(std::move(elements));
}

const Value& Value::first() const { return std::get<Pair>(data_)->first; }
const Value& Value::second() const { return std::get<Pair>(data_)->second; }

std::string Value::text() const {
  std::string result;
  result.reserve(elements().size());
  for (const Value& c : elements()) result += static_cast<char>(c.character());
  return result;
}

Value rounded(double number, Mono floating) {
  return floating->single ? static_cast<double>(static_cast<float>(number)) : number;
}

bool equal(const Value& a, const Value& b, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return a.integer() == b.integer();
    case MonoType::Kind::floating:
      return a.floating() == b.floating();
    case MonoType::Kind::boolean:
      return a.boolean() == b.boolean();
    case MonoType::Kind::character:
      return a.character() == b.character();
    case MonoType::Kind::pair:
      return equal(a.first(), b.first(), type->a) && equal(a.second(), b.second(), type->b);
    case MonoType::Kind::record:
      return equal(a, b, type->a);
    case MonoType::Kind::function:
      return true;
    case MonoType::Kind::sequence:
      break;
  }
  const Values &left = a.elements(), &right = b.elements();
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](const Value& x, const Value& y) { return equal(x, y, type->a); });
}

Value identity_of(Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return 0;
    case MonoType::Kind::floating:
      return 0.0;
    case MonoType::Kind::boolean:
      return false;
    case MonoType::Kind::character:
      return static_cast<unsigned char>(0);
    case MonoType::Kind::sequence:
      return Values{};
    case MonoType::Kind::pair:
      return Value(identity_of(type->a), identity_of(type->b));
    case MonoType::Kind::record:
    case MonoType::Kind::function:
      return type->a ? identity_of(type->a) : Value(0);
  }
  return 0;
}

}  // namespace tutti::nesl
