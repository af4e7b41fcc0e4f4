// The most arguments of a kernel that computes a section in place. They are copied to the stack,
// because nothing may fail once a part of the section has been overwritten.
#pragma once
#include <cstddef>

namespace tutti::compiler {

constexpr size_t most_words_in_place = 256;

}  // namespace tutti::compiler
