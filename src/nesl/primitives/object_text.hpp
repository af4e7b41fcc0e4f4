// The format of objects in files: sequences in parentheses with white space between the elements,
// strings in quotes, characters after a backquote, the components of a tuple one after the other.
#pragma once
#include <string>

#include "nesl/value.hpp"

namespace tutti::nesl {

std::string object_text(const Value& value, Mono type);

// Reads one object from `text` at `position`, which is moved behind it. Throws RuntimeError where
// the text does not hold an object of this type.
Value read_object(const std::string& text, std::size_t& position, Mono type);

}  // namespace tutti::nesl
