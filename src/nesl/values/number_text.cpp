#include "nesl/values/number_text.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tutti::nesl {
namespace {

// What a float of 32 bits holds, to the nearest.
constexpr int single_digits = 7;

// Removes trailing zeros after the point, all but one digit.
std::string stripped(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits + ".0";
  while (digits.back() == '0') digits.pop_back();
  return digits.back() == '.' ? digits + "0" : digits;
}

std::string not_a_number(double value) {
  if (std::isnan(value)) return "nan";
  return value < 0 ? "-infinity" : "infinity";
}

std::string formatted(const char* format, int precision, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, precision, value);
  return buffer;
}

// d.ddde, the sign of a positive exponent, and the exponent; from 10^-3 up to 10^7, which is not
// included, without an exponent. No trailing zeros.
std::string rounded_text(double value, int digits, const char* plus) {
  if (!std::isfinite(value)) return not_a_number(value);
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  const std::string text = formatted("%.*e", digits - 1, value);
  const std::size_t e = text.find('e');
  const int exponent = static_cast<int>(std::strtol(text.c_str() + e + 1, nullptr, 10));
  if (exponent > 6 || exponent < -3)
    return stripped(text.substr(0, e)) + "e" + (exponent < 0 ? "" : plus) +
           std::to_string(exponent);
  return stripped(formatted("%.*f", digits - 1 - exponent, value));
}

}  // namespace

std::string float_text(double value, bool single) {
  return rounded_text(value, single ? single_digits : 15, "");
}

std::string fixed_exponent_text(double value, int digits_after_point) {
  if (!std::isfinite(value)) return not_a_number(value);
  if (value == 0) return "0.0";
  const std::string text = formatted("%.*e", digits_after_point, value);
  const std::size_t e = text.find('e');
  const int exponent = static_cast<int>(std::strtol(text.c_str() + e + 1, nullptr, 10));
  return text.substr(0, e) + (digits_after_point == 0 ? "." : "") + "e" +
         (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent));
}

std::string short_float_text(double value, bool single) {
  if (value == 0) return "0.0";
  return rounded_text(value, single ? single_digits : 8, "+");
}

}  // namespace tutti::nesl
