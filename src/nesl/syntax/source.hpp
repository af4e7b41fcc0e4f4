// Program text and places in it. A place is a range of bytes; lines and columns are counted only
// when a message is written.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

namespace tutti::nesl {

struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

inline Span join(Span a, Span b) { return {a.begin, b.end}; }

struct Source {
  std::string name;  // the file, or "" for the terminal
  std::string text;
  bool library = false;  // comes with the language
};
using SourceRef = std::shared_ptr<const Source>;

int line_of(const Source& source, std::uint32_t offset);  // from 1

// The line of the place and a second line with a caret under it.
std::string excerpt(const Source& source, Span span);

}  // namespace tutti::nesl
