// Numbers as text: a line for each row, with separators. Numbers are read and written by the exact
// conversions of the standard library, which ignore the locale.
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/elements/convert.hpp"
#include "tutti/files.hpp"

namespace tutti::detail {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& name, ElementType type, char separator,
            int64_t most_bytes)
      : text_(text), name_(name), type_(type), separator_(separator), most_bytes_(most_bytes) {}

  FileArray run(int64_t skip_rows) {
    while (!text_.empty()) {
      const std::string_view line = next_line();
      ++line_;
      if (line_ > skip_rows && !trimmed(line).empty()) row(line);
    }
    FileArray result{type_, {}, false, std::move(elements_)};
    result.shape.push_back(rows_);
    result.shape.push_back(columns_);
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError(name_ + ": line " + std::to_string(line_) + ": " + what);
  }

  std::string_view next_line() {
    const size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return line;
  }

  void row(std::string_view line) {
    int64_t columns = 0;
    while (true) {
      const size_t end = std::min(line.find(separator_), line.size());
      number(trimmed(line.substr(0, end)), ++columns);
      if (end == line.size()) break;
      line.remove_prefix(end + 1);
    }
    if (rows_ > 0 && columns != columns_)
      refuse("it has " + std::to_string(columns) + " numbers, the lines before have " +
             std::to_string(columns_));
    columns_ = columns;
    ++rows_;
  }

  void number(std::string_view word, int64_t column) {
    if (word.starts_with('+')) word.remove_prefix(1);
    visit_type(type_, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T value = value_of<T>(word, column);
      if (static_cast<int64_t>(elements_.size() + sizeof(T)) > most_bytes_)
        refuse("there are more numbers than the limit of FileLimits allows");
      elements_.resize(elements_.size() + sizeof(T));
      std::memcpy(elements_.data() + elements_.size() - sizeof(T), &value, sizeof(T));
    });
  }

  // Every number of the type is read exactly. Others are converted from double, which cuts off the
  // fraction of an integer.
  template <class T>
  T value_of(std::string_view word, int64_t column) {
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, half>) {
      T exact{};
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), exact);
      if (error == std::errc() && end == word.data() + word.size()) return exact;
    }
    const double value = number_of(word, column);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using Limits = std::numeric_limits<T>;
      const double whole = std::trunc(value);
      if (!(whole >= static_cast<double>(Limits::min()) && whole < std::ldexp(1, Limits::digits)))
        refuse("column " + std::to_string(column) + " is beyond the range of " +
               tutti::name(type_) + ": '" + printable(word.substr(0, 20)) + "'");
    }
    return convert_element<T>(value);
  }

  double number_of(std::string_view word, int64_t column) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = end == word.data() + word.size() && !word.empty();
    if (error == std::errc::invalid_argument || !whole)
      refuse("column " + std::to_string(column) + " is no number: '" +
             printable(word.substr(0, 20)) + "'");
    if (error == std::errc::result_out_of_range)
      refuse("column " + std::to_string(column) + " is beyond the range of double");
    return value;
  }

  static std::string printable(std::string_view text) {
    std::string result(text);
    for (char& c : result)
      if (c < ' ' || c > '~') c = '?';
    return result;
  }

  std::string_view text_;
  const std::string& name_;
  const ElementType type_;
  const char separator_;
  const int64_t most_bytes_;
  int64_t line_ = 0, rows_ = 0, columns_ = 0;
  Bytes elements_;
};

template <class T>
void put_number(std::string& to, T value) {
  char digits[64];
  const auto [end, error] = [&] {
    if constexpr (std::is_same_v<T, bool>)
      return std::to_chars(digits, digits + sizeof digits, static_cast<int>(value));
    else if constexpr (std::is_same_v<T, half>)
      return std::to_chars(digits, digits + sizeof digits, static_cast<float>(value));
    else
      return std::to_chars(digits, digits + sizeof digits, value);
  }();
  to.append(digits, error == std::errc() ? end : digits);
}

}  // namespace

FileArray parse_csv(ByteView file, const std::string& name, ElementType type, char separator,
                    int64_t skip_rows, const FileLimits& limits) {
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets begin with it
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return CsvReader(text, name, type, separator, limits.most_bytes).run(skip_rows);
}

Bytes format_csv(ElementType type, const Extents& shape, ByteView elements, char separator) {
  std::string text;
  visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t row = 0; row < shape[0]; ++row)
      for (int64_t column = 0; column < shape[1]; ++column) {
        T value;
        std::memcpy(&value,
                    elements.data() + static_cast<size_t>(row * shape[1] + column) * sizeof(T),
                    sizeof(T));
        put_number(text, value);
        text += column + 1 == shape[1] ? '\n' : separator;
      }
  });
  Bytes result(text.size());
  if (!text.empty()) std::memcpy(result.data(), text.data(), text.size());
  return result;
}

}  // namespace tutti::detail
