// Values as text and back.
#include <charconv>

#include "nesl/number_text.hpp"
#include "nesl/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// What @ makes differs from what the shell prints: lower-case truth values, short floats, strings
// as sequences of characters.
std::string shown(const Value& value, Mono type);

std::string shown_tuple(const Value& value, Mono type) {
  const bool more = type->b->kind == MonoType::Kind::pair;
  return shown(value.first(), type->a) + ", " +
         (more ? shown_tuple(value.second(), type->b) : shown(value.second(), type->b));
}

std::string shown_sequence(const Value& value, Mono element) {
  std::string text = "[";
  for (const Value& part : value.elements()) {
    if (text.size() > 1) text += ", ";
    text += shown(part, element);
  }
  return text + "]";
}

std::string shown(const Value& value, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return std::to_string(value.integer());
    case MonoType::Kind::floating:
      return short_float_text(value.floating(), type->single);
    case MonoType::Kind::boolean:
      return value.boolean() ? "t" : "f";
    case MonoType::Kind::character:
      return std::string("`") + static_cast<char>(value.character());
    case MonoType::Kind::sequence:
      return shown_sequence(value, type->a);
    case MonoType::Kind::pair:
      return "(" + shown_tuple(value, type) + ")";
    case MonoType::Kind::record: {
      const std::string fields = shown(value, type->a);
      return type->datatype->name +
             (type->a->kind == MonoType::Kind::pair ? fields : "(" + fields + ")");
    }
    case MonoType::Kind::function:
      return "function";
  }
  return "";
}

Value string(const Call& c) {
  std::string text = shown(c[0], c.types[0]);
  c.machine.spend(static_cast<std::int64_t>(text.size()));
  return Value::text(text);
}

Value exponent_string(const Call& c) {
  const int digits = c[1].integer();
  require(c, digits <= 8, "exp_string: at most 8 digits, not ", digits);
  return Value::text(exponent_text(c[0].floating(), std::max(1, digits + 1)));
}

std::string trimmed(const std::string& text) {
  const char* blank = " \t\n\r\f";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

template <class Number>
Value parsed(const Call& c, bool sign_allowed) {
  std::string text = trimmed(c[0].text());
  const bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  if (!text.empty() && text[0] == '+') text.erase(0, 1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size() && !text.empty() &&
                    (sign_allowed || !has_sign);
  return Value(Value(good ? number : Number{}), good);
}

Value parse_int(const Call& c) { return parsed<int>(c, true); }
Value parse_unsigned_int(const Call& c) { return parsed<int>(c, false); }
Value parse_float(const Call& c) {
  const Value found = parsed<double>(c, true);
  return Value(rounded(found.first().floating(), c.result->a), found.second());
}

}  // namespace

std::vector<Primitive> text_primitives() {
  const auto open = [](Primitive primitive) {
    primitive.fixed = false;
    return primitive;
  };
  return {
      {"string", "a -> [char]", string, "The value as text; also prefix @."},
      open({"exp_string", "(float, int) -> [char]", exponent_string,
            "A float in exponent form with the given number of digits after the point."}),
      open({"parse_int", "[char] -> (int, bool)", parse_int,
            "The int that a string holds, and whether it holds one."}),
      open({"parse_unsigned_int", "[char] -> (int, bool)", parse_unsigned_int,
            "The int without sign that a string holds, and whether it holds one."}),
      open({"parse_float", "[char] -> (float, bool)", parse_float,
            "The float that a string holds, and whether it holds one."}),
  };
}

}  // namespace tutti::nesl
