// Text from outside (files, the environment) as it may be printed: a terminal obeys control
// characters, so everything but printable ASCII is written as \xNN.
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

}  // namespace tutti
