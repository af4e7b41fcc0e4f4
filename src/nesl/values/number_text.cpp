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

}  // namespace

std::string float_text(double value, bool single) {
  if (!std::isfinite(value)) return not_a_number(value);
  const int digits = single ? single_digits : 15;
  const std::string text = formatted("%.*g", digits, value);
  if (text.find('e') != std::string::npos) return exponent_text(value, digits);
  return stripped(text);
}

std::string exponent_text(double value, int digits) {
  if (!std::isfinite(value)) return not_a_number(value);
  const std::string text = formatted("%.*e", digits - 1, value);
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  return stripped(text.substr(0, e)) + "e" + (exponent < 0 ? "-" : "+") +
         std::to_string(std::abs(exponent));
}

std::string fixed_exponent_text(double value, int digits_after_point) {
  if (!std::isfinite(value)) return not_a_number(value);
  if (value == 0) return "0.0";
  const std::string text = formatted("%.*e", digits_after_point, value);
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  return text.substr(0, e) + (digits_after_point == 0 ? "." : "") + "e" +
         (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent));
}

std::string short_float_text(double value, bool single) {
  if (!std::isfinite(value)) return not_a_number(value);
  if (value == 0) return "0.0";
  const int digits = single ? single_digits : 8;
  const std::string text = formatted("%.*e", digits - 1, value);
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  // 10^6 is 1000000.0 and 10^7 is 1.0e+7; 0.001 stays and 0.0001 is 1.0e-4.
  if (exponent > 6 || exponent < -3) return exponent_text(value, digits);
  return stripped(formatted("%.*f", digits - 1 - exponent, value));
}

}  // namespace tutti::nesl
