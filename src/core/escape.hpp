// Makes text from outside (files, the environment) printable. Terminals interpret control
// characters, so everything except printable ASCII is written as \xNN. Also escapes text for HTML
// or SVG.
#pragma once
#include <string>
#include <string_view>

namespace tutti {

inline std::string escaped(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code >= 0x20 && code < 0x7f) {
      result += letter;
    } else {
      result += "\\x";
      result += digits[code >> 4];
      result += digits[code & 15];
    }
  }
  return result;
}

inline std::string markup(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

}  // namespace tutti
