#include "nesl/primitives/object_text.hpp"

#include <charconv>

#include "nesl/ast_printer.hpp"
#include "nesl/errors.hpp"
#include "nesl/number_text.hpp"

namespace tutti::nesl {
namespace {

class Reader {
 public:
  Reader(const std::string& text, std::size_t& position) : text_(text), at_(position) {}

  Value read(Mono type) {
    switch (type->kind) {
      case MonoType::Kind::integer:
        return number<int>("an int");
      case MonoType::Kind::floating:
        return rounded(number<double>("a float").floating(), type);
      case MonoType::Kind::boolean:
        return boolean();
      case MonoType::Kind::character:
        return character();
      case MonoType::Kind::sequence:
        return sequence(type->a);
      case MonoType::Kind::pair: {
        Value first = read(type->a);
        return Value(std::move(first), read(type->b));
      }
      case MonoType::Kind::record:
        return read(type->a);
      case MonoType::Kind::function:
        break;
    }
    throw RuntimeError("functions cannot be read from a file");
  }

 private:
  char peek() {
    while (at_ < text_.size() && std::string(" \t\n\r\f,").find(text_[at_]) != std::string::npos)
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  [[noreturn]] void fail(const std::string& wanted) {
    throw RuntimeError("the file does not hold " + wanted + " at character " + std::to_string(at_));
  }

  template <class Number>
  Value number(const char* wanted) {
    if (peek() == '+') ++at_;
    Number result{};
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), result);
    if (error != std::errc()) fail(wanted);
    at_ = end - text_.data();
    return result;
  }

  Value boolean() {
    const char c = peek();
    if (c != 't' && c != 'T' && c != 'f' && c != 'F') fail("a bool");
    ++at_;
    return c == 't' || c == 'T';
  }

  Value character() {
    if (peek() != '`' || at_ + 1 >= text_.size()) fail("a character");
    at_ += 2;
    return static_cast<unsigned char>(text_[at_ - 1]);
  }

  Value sequence(Mono element) {
    const char open = peek();
    if (open == '"' && element->kind == MonoType::Kind::character) return string();
    if (open != '(' && open != '[') fail("a sequence");
    ++at_;
    Values elements;
    for (;;) {
      const char c = peek();
      if (c == '\0') fail("the end of a sequence");
      if (c == ')' || c == ']') break;
      elements.push_back(read(element));
    }
    ++at_;
    return Value(std::move(elements));
  }

  Value string() {
    std::string contents;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) contents += text_[at_];
    }
    if (at_ >= text_.size()) fail("the end of a string");
    ++at_;
    return Value::text(contents);
  }

  const std::string& text_;
  std::size_t& at_;
};

// All digits: what is read back is the same number.
std::string exact(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

}  // namespace

std::string object_text(const Value& value, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return std::to_string(value.integer());
    case MonoType::Kind::floating:
      return exact(value.floating());
    case MonoType::Kind::boolean:
      return value.boolean() ? "T" : "F";
    case MonoType::Kind::character:
      return std::string("`") + static_cast<char>(value.character());
    case MonoType::Kind::pair:
      return object_text(value.first(), type->a) + " " + object_text(value.second(), type->b);
    case MonoType::Kind::record:
      return object_text(value, type->a);
    case MonoType::Kind::function:
      throw RuntimeError("functions cannot be written to a file");
    case MonoType::Kind::sequence:
      break;
  }
  if (type->a->kind == MonoType::Kind::character) return quoted(value.text());
  std::string text = "(";
  for (const Value& element : value.elements()) {
    if (text.size() > 1) text += " ";
    text += object_text(element, type->a);
  }
  return text + ")";
}

Value read_object(const std::string& text, std::size_t& position, Mono type) {
  return Reader(text, position).read(type);
}

}  // namespace tutti::nesl
