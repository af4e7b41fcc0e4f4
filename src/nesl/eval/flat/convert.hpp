// Values of the language as values of contexts, and back. Ints are 32 bits, floats 64, characters
// bytes; a pair is a tuple of two parts; records and functions are what they consist of.
#pragma once
#include "nesl/values/value.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl::flat {

ElementType element_type(Mono scalar);
nested::Type nested_type(Mono type);

// Of the top context.
nested::Value to_flat(const Value& value, Mono type);
Value to_plain(const nested::Value& value, Mono type);

// One value for each instance of a context.
Values rows_of(const nested::Value& value, const nested::ContextRef& context, Mono type);
nested::Value from_rows(const Values& rows, const nested::ContextRef& context, Mono type);

nested::Value constant_of(const Value& value, Mono scalar);

// Counts the numbers of a value down; false when there are too many. Where the host would have to
// wait for a size, it does so if it may, else the answer is false.
enum class Sizes { known, waited_for };
bool fits(const nested::Value& value, Mono type, std::int64_t& left, Sizes sizes);
// How many numbers a value of the top context holds; the host reads its sizes.
std::int64_t numbers_in(const nested::Value& value);
// Computes a value that may be pending.
void force(const nested::Value& value);
// The same value with no more than `length` elements in its outermost sequences; strings are whole.
nested::Value head_of(const nested::Value& value, int length);

}  // namespace tutti::nesl::flat
