// Floats as text, in the two ways of the language.
#pragma once
#include <string>

namespace tutti::nesl {

// As the shell prints them: 15 significant digits, or 7 of a float of 32 bits, no trailing zeros,
// always a point or exponent.
std::string float_text(double value, bool single = false);

// As @ makes them: 8 significant digits, or 7; from 10^7 on and below 0.001 with an exponent.
std::string short_float_text(double value, bool single = false);

// d.ddde+N with the given number of significant digits, trailing zeros stripped.
std::string exponent_text(double value, int digits);

// The same with all its digits after the point; of zero, 0.0.
std::string fixed_exponent_text(double value, int digits_after_point);

}  // namespace tutti::nesl
