// Floats as text, in the two ways of the language.
#pragma once
#include <string>

namespace tutti::nesl {

// As the shell prints them: 15 significant digits, or 7 of a float of 32 bits, no trailing zeros;
// from 10^7 on and below 0.001 with an exponent, 1.0e7.
std::string float_text(double value, bool single = false);

// As @ makes them: 8 significant digits, or 7; the exponent has a sign, 1.0e+7.
std::string short_float_text(double value, bool single = false);

// Returns d.ddde+N with the given number of digits after the point, and 0.0 for zero.
std::string fixed_exponent_text(double value, int digits_after_point);

}  // namespace tutti::nesl
