// From text to tokens. Names come out in lower case; comments and white space are gone.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "nesl/syntax/source.hpp"

namespace tutti::nesl {

struct Token {
  enum class Kind { name, integer, floating, character, string, symbol, bad, incomplete, end };
  Kind kind = Kind::end;
  Span span;
  std::string text;  // the name, the symbol, the contents of a literal, or what is wrong
  double number = 0;
  bool escaped = false;  // a name after !, which is never a word of the language

  bool is(const char* symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is_name(const char* word) const { return kind == Kind::name && !escaped && text == word; }
};

// The last token is always of kind `end`. Text that cannot be read becomes a token of kind `bad`;
// an unfinished comment or literal at the end becomes one of kind `incomplete`. So one typing error
// does not hide the rest of a file.
std::vector<Token> tokenize(const Source& source);

}  // namespace tutti::nesl
