// Values as text and back.
#include <algorithm>
#include <cstdlib>

#include "nesl/library/primitives/checks.hpp"
#include "nesl/values/number_text.hpp"
#include "nesl/values/value_text.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value string(const Call& c) {
  const std::string text = to_string_of_the_language(c[0], c.types[0]);
  c.machine.spend(static_cast<std::int64_t>(text.size()));
  return Value::text(text);
}

// Of sequences the first elements, down to a depth.
constexpr std::size_t trace_length = 5;
constexpr int trace_depth = 3;

std::string trace_text(const Value& value, Mono type, int depth, bool parentheses = true) {
  switch (type->kind) {
    case MonoType::Kind::record:
      return trace_text(value, type->a, depth, parentheses);
    case MonoType::Kind::pair: {
      const std::string both = trace_text(value.first(), type->a, depth) + ", " +
                               trace_text(value.second(), type->b, depth, false);
      return parentheses ? "(" + both + ")" : both;
    }
    case MonoType::Kind::sequence:
      break;
    default:
      return to_string_of_the_language(value, type);
  }
  if (depth == 0) return "**";
  std::string text;
  const Values& elements = value.elements();
  for (std::size_t i = 0; i < std::min(elements.size(), trace_length); ++i)
    text += (i == 0 ? "" : ", ") + trace_text(elements[i], type->a, depth - 1);
  return "[" + text + (elements.size() > trace_length ? ", ..." : "") + "]";
}

Value abbreviated(const Call& c) { return Value::text(trace_text(c[0], c.types[0], trace_depth)); }

Value exponent_string(const Call& c) {
  const int digits = c[1].integer();
  require(c, digits <= 8, "exp_string: at most 8 digits, not ", digits);
  return Value::text(fixed_exponent_text(c[0].floating(), std::max(0, digits)));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// [+-]?[0-9]* from a position on, which is moved behind it. The number wraps.
struct SignedDigits {
  int value = 0;
  bool negative = false;
};
SignedDigits read_digits(const std::string& text, std::size_t& at) {
  SignedDigits result;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) result.negative = text[at++] == '-';
  std::uint32_t value = 0;
  for (; at < text.size() && is_digit(text[at]); ++at)
    value = value * 10 + static_cast<std::uint32_t>(text[at] - '0');
  result.value = wrap(result.negative ? -static_cast<std::int64_t>(value) : value);
  return result;
}

// A sign alone is a number; what precedes a character that does not fit is the value all the same.
Value parse_int(const Call& c) {
  const std::string text = c[0].text();
  std::size_t at = 0;
  const int value = read_digits(text, at).value;
  return Value(Value(value), Value(at == text.size() && !text.empty()));
}

Value parse_unsigned_int(const Call& c) {
  std::uint32_t value = 0;
  bool good = true;
  for (const char letter : c[0].text()) {
    value = value * 10 + static_cast<std::uint32_t>(static_cast<unsigned char>(letter) - '0');
    good = good && is_digit(letter);
  }
  return Value(Value(wrap(value)), Value(good));
}

// [+-]?[0-9]*(.[0-9]*)?(e[+-]?[0-9]*)?, where all parts may be absent.
bool is_float_text(const std::string& text) {
  std::size_t at = 0;
  read_digits(text, at);
  if (at < text.size() && text[at] == '.')
    for (++at; at < text.size() && is_digit(text[at]);) ++at;
  if (at < text.size() && text[at] == 'e') read_digits(text, ++at);
  return at == text.size();
}

Value parse_float(const Call& c) {
  const std::string text = c[0].text();
  const bool good = is_float_text(text);
  // strtod reads as far as it can: a missing number is 0, a missing exponent no factor.
  const double value = good ? std::strtod(text.c_str(), nullptr) : 0.0;
  return Value(rounded(value, c.result->a), good);
}

}  // namespace

std::vector<Primitive> text_primitives() {
  const auto open = [](Primitive primitive) {
    primitive.fixed = false;
    return primitive;
  };
  return {
      {"string", "a -> [char]", string, "The value as text; also prefix @."},
      {"trace-text", "a -> [char]", abbreviated, "The value as text, cut short; for traces."},
      open({"exp_string", "(float, int) -> [char]", exponent_string,
            "A float in exponent form with the given number of digits after the point."}),
      open({"parse_int", "[char] -> (int, bool)", parse_int,
            "The int at the beginning of a string, and whether that is all of it."}),
      open(
          {"parse_unsigned_int", "[char] -> (int, bool)", parse_unsigned_int,
           "The int without sign that a string holds, and whether all its characters are digits."}),
      open({"parse_float", "[char] -> (float, bool)", parse_float,
            "The float that a string holds, and whether it holds one."}),
  };
}

}  // namespace tutti::nesl
