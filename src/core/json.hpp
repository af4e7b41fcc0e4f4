// Reads JSON: traces, for `tutti profile` and for tests. Text that is not JSON throws Error with
// the position.
#pragma once
#include <cctype>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/error.hpp"

namespace tutti::json {

struct Value {
  enum class Kind : unsigned char { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  double number = 0;  // 0 or 1 for a boolean
  std::string text;
  std::vector<Value> items;
  std::map<std::string, Value> members;

  // An absent member is null.
  const Value& operator[](const std::string& name) const {
    static const Value none;
    const auto found = members.find(name);
    return found == members.end() ? none : found->second;
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Value read_all() {
    Value value = read(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the value");
    return value;
  }

 private:
  static constexpr int most_levels = 200;

  [[noreturn]] void fail(const std::string& why) const {
    throw Error("this is not JSON at byte " + std::to_string(at_) + ": " + why);
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char peek() {
    skip_space();
    if (at_ == text_.size()) fail("it ends too early");
    return text_[at_];
  }
  bool take(char letter) {
    if (peek() != letter) return false;
    ++at_;
    return true;
  }
  void expect(char letter) {
    if (!take(letter)) fail(std::string("'") + letter + "' is missing");
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Value read(int level) {
    if (level > most_levels) fail("it is nested too deeply");
    Value value;
    const char first = peek();
    if (first == '{') {
      read_object(value, level);
    } else if (first == '[') {
      read_list(value, level);
    } else if (first == '"') {
      value.kind = Value::Kind::text;
      value.text = read_text();
    } else if (take_word("null")) {
      value.kind = Value::Kind::null;
    } else if (take_word("true") || take_word("false")) {
      value.kind = Value::Kind::boolean;
      value.number = text_[at_ - 2] == 'u';
    } else {
      read_number(value);
    }
    return value;
  }

  void read_object(Value& value, int level) {
    value.kind = Value::Kind::object;
    expect('{');
    if (take('}')) return;
    do {
      if (peek() != '"') fail("a name is missing");
      std::string name = read_text();
      expect(':');
      value.members[std::move(name)] = read(level + 1);
    } while (take(','));
    expect('}');
  }

  void read_list(Value& value, int level) {
    value.kind = Value::Kind::list;
    expect('[');
    if (take(']')) return;
    do value.items.push_back(read(level + 1));
    while (take(','));
    expect(']');
  }

  void read_number(Value& value) {
    size_t end = at_;
    while (end < text_.size() && std::string_view("+-.eE0123456789").find(text_[end]) < 15) ++end;
    const std::string digits(text_.substr(at_, end - at_));
    char* rest = nullptr;
    value.kind = Value::Kind::number;
    value.number = std::strtod(digits.c_str(), &rest);
    if (digits.empty() || *rest) fail("a value is missing");
    at_ = end;
  }

  std::string read_text() {
    expect('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character in a text");
      if (text_[at_] != '\\') {
        result += text_[at_++];
        continue;
      }
      if (at_ + 1 >= text_.size()) fail("a text does not end");
      const char kind = text_[at_ + 1];
      at_ += 2;
      if (kind == 'u') {
        result += read_code();
      } else {
        const size_t which = std::string_view("\"\\/bfnrt").find(kind);
        if (which == std::string_view::npos) fail("an unknown escape");
        result += "\"\\/\b\f\n\r\t"[which];
      }
    }
    if (at_ == text_.size()) fail("a text does not end");
    ++at_;
    return result;
  }
  // Characters beyond ASCII become question marks: traces contain none.
  char read_code() {
    if (at_ + 4 > text_.size()) fail("a text does not end");
    const std::string digits(text_.substr(at_, 4));
    char* rest = nullptr;
    const long code = std::strtol(digits.c_str(), &rest, 16);
    if (*rest) fail("an unknown escape");
    at_ += 4;
    return code < 0x80 ? static_cast<char>(code) : '?';
  }

  std::string_view text_;
  size_t at_ = 0;
};

inline Value read(std::string_view text) { return Reader(text).read_all(); }

}  // namespace tutti::json
