#include "nesl/value.hpp"

#include <algorithm>

#include "nesl/ast_printer.hpp"
#include "nesl/number_text.hpp"

namespace tutti::nesl {
namespace {

std::string sequence_text(const Value& value, Mono element, int print_length) {
  const Values& elements = value.elements();
  if (element->kind == MonoType::Kind::character) return quoted(value.text());
  if (elements.empty()) return "[]";
  if (print_length == 0) return "[...]";
  const std::size_t shown = std::min<std::size_t>(elements.size(), print_length);
  std::string text = "[";
  for (std::size_t i = 0; i < shown; ++i)
    text += (i ? ", " : "") + to_text(elements[i], element, print_length);
  return text + (shown < elements.size() ? ",...]" : "]");
}

// The components of a tuple, without its parentheses.
std::string tuple_text(const Value& value, Mono type, int print_length) {
  const std::string first = to_text(value.first(), type->a, print_length);
  const bool more = type->b->kind == MonoType::Kind::pair;
  return first + ", " +
         (more ? tuple_text(value.second(), type->b, print_length)
               : to_text(value.second(), type->b, print_length));
}

}  // namespace

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

std::string to_text(const Value& value, Mono type, int print_length) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return std::to_string(value.integer());
    case MonoType::Kind::floating:
      return float_text(value.floating(), type->single);
    case MonoType::Kind::boolean:
      return value.boolean() ? "T" : "F";
    case MonoType::Kind::character:
      return std::string("`") + static_cast<char>(value.character());
    case MonoType::Kind::sequence:
      return sequence_text(value, type->a, print_length);
    case MonoType::Kind::pair:
      return "(" + tuple_text(value, type, print_length) + ")";
    case MonoType::Kind::record: {
      const std::string fields = to_text(value, type->a, print_length);
      return type->datatype->name +
             (type->a->kind == MonoType::Kind::pair ? fields : "(" + fields + ")");
    }
    case MonoType::Kind::function:
      return "fn";
  }
  return "";
}

}  // namespace tutti::nesl
