#include "nesl/syntax/source.hpp"

#include <algorithm>

namespace tutti::nesl {
namespace {

constexpr std::size_t excerpt_width = 100;

}  // namespace

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
  // Of a long line, what surrounds the place.
  std::size_t column = at - begin;
  const std::size_t cut = column > excerpt_width ? column - excerpt_width / 2 : 0;
  if (cut > 0) line = "..." + line.substr(cut);
  column = column - cut + (cut > 0 ? 3 : 0);
  const std::size_t longest = std::max(excerpt_width, column + excerpt_width / 2);
  if (line.size() > longest) line = line.substr(0, longest) + "...";
  return "  " + line + "\n  " + std::string(column, ' ') + "^";
}

}  // namespace tutti::nesl
