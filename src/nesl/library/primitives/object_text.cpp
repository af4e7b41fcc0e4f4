#include "nesl/library/primitives/object_text.hpp"

#include <charconv>
#include <cstdint>
#include <cstdio>

#include "nesl/errors.hpp"

namespace tutti::nesl {
namespace {

using Kind = MonoType::Kind;

// The tokens of both forms.
class Tokens {
 public:
  explicit Tokens(ObjectSource& source) : source_(source) {}

  // The next character that is neither white space nor a comma; it stays.
  int peek() {
    while (is_blank(source_.peek())) take();
    return source_.peek();
  }
  int take() {
    ++taken_;
    return source_.get();
  }
  void expect(char wanted, const char* what) {
    if (peek() != wanted) fail(what);
    take();
  }

  [[noreturn]] void fail(const std::string& wanted) const {
    throw RuntimeError("there is no " + wanted + " at character " + std::to_string(taken_));
  }

  template <class Number>
  Value number(const char* wanted) {
    std::string text;
    if (peek() == '+') take();
    while (is_numeric(source_.peek())) text += static_cast<char>(take());
    Number result{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) fail(wanted);
    return result;
  }

  Value boolean() {
    const int c = peek();
    if (c != 't' && c != 'T' && c != 'f' && c != 'F') fail("bool");
    take();
    return c == 't' || c == 'T';
  }

 private:
  static bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == ',';
  }
  static bool is_numeric(int c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  }

  ObjectSource& source_;
  std::int64_t taken_ = 0;
};

[[noreturn]] void fail_with_function() {
  throw RuntimeError("functions cannot be stored in a file");
}

Value scalar(Tokens& tokens, Mono type) {
  switch (type->kind) {
    case Kind::integer:
      return tokens.number<int>("int");
    case Kind::floating:
      return rounded(tokens.number<double>("float").floating(), type);
    default:
      return tokens.boolean();
  }
}

// ---- the form of the original: all rows of a type at once

class ColumnReader {
 public:
  explicit ColumnReader(Tokens& tokens) : tokens_(tokens) {}

  Values rows(Mono type, std::int64_t count) {
    switch (type->kind) {
      case Kind::record:
        return rows(type->a, count);
      case Kind::pair:
        return pairs(type, count);
      case Kind::sequence:
        return sequences(type->a, count);
      case Kind::character:
        return characters(count);
      case Kind::function:
        fail_with_function();
      default:
        return list('(', ')', type, count);
    }
  }

 private:
  Values list(char open, char close, Mono type, std::int64_t count) {
    Values result;
    tokens_.expect(open, "vector");
    while (tokens_.peek() != close) result.push_back(scalar(tokens_, type));
    tokens_.take();
    if (static_cast<std::int64_t>(result.size()) != count)
      tokens_.fail("vector of " + std::to_string(count) + " elements");
    return result;
  }

  Values pairs(Mono type, std::int64_t count) {
    const Values first = rows(type->a, count), second = rows(type->b, count);
    Values result;
    for (std::size_t i = 0; i < first.size(); ++i) result.emplace_back(first[i], second[i]);
    return result;
  }

  Values sequences(Mono element, std::int64_t count) {
    const Values lengths = list('[', ']', mono::integer(), count);
    std::int64_t total = 0;
    for (const Value& length : lengths) {
      if (length.integer() < 0) tokens_.fail("length");
      total += length.integer();
    }
    const Values all = rows(element, total);
    Values result;
    std::size_t at = 0;
    for (const Value& length : lengths) {
      result.emplace_back(all.part(at, at + length.integer()));
      at += length.integer();
    }
    return result;
  }

  Values characters(std::int64_t count) {
    if (list('(', ')', mono::integer(), 1)[0].integer() != count)
      tokens_.fail("string of " + std::to_string(count) + " characters");
    tokens_.take();  // the newline
    Values result;
    for (std::int64_t i = 0; i < count; ++i) {
      const int c = tokens_.take();
      if (c == EOF) tokens_.fail("character");
      result.emplace_back(static_cast<unsigned char>(c));
    }
    return result;
  }

  Tokens& tokens_;
};

// ---- the form for people

Value by_hand(Tokens& tokens, Mono type);

Value string_by_hand(Tokens& tokens) {
  Values contents;
  for (tokens.take();;) {
    int c = tokens.take();
    if (c == '"') return Value(std::move(contents));
    if (c == '\\') c = tokens.take();
    if (c == EOF) tokens.fail("end of a string");
    contents.emplace_back(static_cast<unsigned char>(c));
  }
}

Value sequence_by_hand(Tokens& tokens, Mono element) {
  if (tokens.peek() == '"' && element->kind == Kind::character) return string_by_hand(tokens);
  tokens.expect('(', "sequence");
  Values elements;
  for (;;) {
    const int c = tokens.peek();
    if (c == EOF) tokens.fail("end of a sequence");
    if (c == ')') break;
    elements.push_back(by_hand(tokens, element));
  }
  tokens.take();
  return Value(std::move(elements));
}

Value by_hand(Tokens& tokens, Mono type) {
  switch (type->kind) {
    case Kind::sequence:
      return sequence_by_hand(tokens, type->a);
    case Kind::pair: {
      Value first = by_hand(tokens, type->a);
      return Value(std::move(first), by_hand(tokens, type->b));
    }
    case Kind::record:
      return by_hand(tokens, type->a);
    case Kind::character: {
      tokens.expect('`', "character");
      const int c = tokens.take();
      if (c == EOF) tokens.fail("character");
      return static_cast<unsigned char>(c);
    }
    case Kind::function:
      fail_with_function();
    default:
      return scalar(tokens, type);
  }
}

// Which form it is shows at the first part: brackets are never written by hand.
bool is_in_columns(Tokens& tokens, Mono type) {
  while (type->kind == Kind::pair || type->kind == Kind::record) type = type->a;
  return tokens.peek() == (type->kind == Kind::sequence ? '[' : '(');
}

// ---- writing

// All digits: what is read back is the same number.
std::string exact(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

std::string scalar_text(const Value& value, Mono type) {
  switch (type->kind) {
    case Kind::integer:
      return std::to_string(value.integer());
    case Kind::floating:
      return exact(value.floating());
    default:
      return value.boolean() ? "T" : "F";
  }
}

void add_rows(std::string& text, const Values& rows, Mono type) {
  switch (type->kind) {
    case Kind::record:
      return add_rows(text, rows, type->a);
    case Kind::pair: {
      Values first, second;
      for (const Value& row : rows) {
        first.push_back(row.first());
        second.push_back(row.second());
      }
      add_rows(text, first, type->a);
      return add_rows(text, second, type->b);
    }
    case Kind::sequence: {
      Values elements;
      text += "[";
      for (const Value& row : rows) {
        text += " " + std::to_string(row.elements().size());
        elements.append(row.elements());
      }
      text += " ]\n";
      return add_rows(text, elements, type->a);
    }
    case Kind::character:
      text += "( " + std::to_string(rows.size()) + " )\n";
      for (const Value& row : rows) text += static_cast<char>(row.character());
      return;
    case Kind::function:
      fail_with_function();
    default:
      text += "(";
      for (const Value& row : rows) text += " " + scalar_text(row, type);
      text += " )\n";
  }
}

}  // namespace

std::string object_text(const Value& value, Mono type) {
  std::string text;
  add_rows(text, {value}, type);
  return text;
}

Value read_object(ObjectSource& source, Mono type) {
  Tokens tokens(source);
  if (is_in_columns(tokens, type)) return ColumnReader(tokens).rows(type, 1)[0];
  return by_hand(tokens, type);
}

}  // namespace tutti::nesl
