// Values as text and back.
#include <charconv>

#include "nesl/number_text.hpp"
#include "nesl/primitives/checks.hpp"
#include "nesl/value_text.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value string(const Call& c) {
  const std::string text = to_string_of_the_language(c[0], c.types[0]);
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
