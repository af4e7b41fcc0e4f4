#include "nesl/source.hpp"

#include <algorithm>

namespace tutti::nesl {

int line_of(const Source& source, std::uint32_t offset) {
  const auto end = source.text.begin() + std::min<std::size_t>(offset, source.text.size());
  return 1 + static_cast<int>(std::count(source.text.begin(), end, '\n'));
}

std::string excerpt(const Source& source, Span span) {
  const std::string& text = source.text;
  const std::size_t at = std::min<std::size_t>(span.begin, text.size());
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string line = text.substr(begin, end - begin);
  std::replace(line.begin(), line.end(), '\t', ' ');
  return "  " + line + "\n  " + std::string(at - begin, ' ') + "^";
}

}  // namespace tutti::nesl
