// The format of objects in files, which is that of the original NESL. A scalar is a vector of one
// number in parentheses. A sequence is its length in brackets, then its elements: all first
// components before all second ones. Characters are their number in parentheses, a newline, and
// themselves. Reading also takes a form that is easier to write by hand: sequences in parentheses
// with white space between the elements, strings in quotes, characters after a backquote.
#pragma once
#include <string>

#include "nesl/values/value.hpp"

namespace tutti::nesl {

std::string object_text(const Value& value, Mono type);

// Where an object is read from, character by character: EOF at the end.
class ObjectSource {
 public:
  virtual ~ObjectSource() = default;
  virtual int peek() = 0;
  virtual int get() = 0;
};

// Reads one object; what follows it stays. Throws RuntimeError where the text does not hold an
// object of this type.
Value read_object(ObjectSource& source, Mono type);

}  // namespace tutti::nesl
