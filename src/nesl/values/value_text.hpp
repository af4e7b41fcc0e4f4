// Values as text: as the shell prints them, and as @ makes strings of them.
#pragma once
#include <string>

#include "nesl/values/value.hpp"

namespace tutti::nesl {

// As the shell prints values: at most `print_length` elements of a sequence.
std::string to_text(const Value& value, Mono type, int print_length = 100);

// As @ does, which differs: lower-case truth values, short floats, strings as sequences of
// characters, and all elements.
std::string to_string_of_the_language(const Value& value, Mono type);

}  // namespace tutti::nesl
