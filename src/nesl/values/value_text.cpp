#include "nesl/values/value_text.hpp"

#include <algorithm>
#include <limits>

#include "nesl/syntax/ast_printer.hpp"
#include "nesl/values/number_text.hpp"

namespace tutti::nesl {
namespace {

class Printer {
 public:
  enum class Style { shell, string };
  Printer(Style style, std::size_t print_length)
      : shell_(style == Style::shell), print_length_(print_length) {}

  std::string text(const Value& value, Mono of) const {
    const Mono type = shown(of);
    switch (type->kind) {
      case MonoType::Kind::integer:
        return std::to_string(value.integer());
      case MonoType::Kind::floating:
        return (shell_ ? float_text : short_float_text)(value.floating(), type->single);
      case MonoType::Kind::boolean:
        return shell_ ? (value.boolean() ? "T" : "F") : (value.boolean() ? "t" : "f");
      case MonoType::Kind::character:
        return std::string("`") + static_cast<char>(value.character());
      case MonoType::Kind::sequence:
        return sequence(value, type->a);
      case MonoType::Kind::pair:
        return "(" + tuple(value, type) + ")";
      case MonoType::Kind::record: {
        const std::string fields = text(value, type->a);
        return type->datatype->name +
               (type->a->kind == MonoType::Kind::pair ? fields : "(" + fields + ")");
      }
      case MonoType::Kind::function:
        return shell_ ? "fn" : "function";
    }
    return "";
  }

 private:
  // Strings show the fields of a record without its name, as those of a tuple.
  Mono shown(Mono type) const {
    while (!shell_ && type->kind == MonoType::Kind::record) type = type->a;
    return type;
  }
  // Pairs that nest to the right are one tuple.
  std::string tuple(const Value& value, Mono type) const {
    const Mono rest = shown(type->b);
    const bool more = rest->kind == MonoType::Kind::pair;
    return text(value.first(), type->a) + ", " +
           (more ? tuple(value.second(), rest) : text(value.second(), rest));
  }

  std::string sequence(const Value& value, Mono element) const {
    const Values& elements = value.elements();
    if (shell_ && element->kind == MonoType::Kind::character) return quoted(value.text());
    if (elements.empty()) return "[]";
    if (print_length_ == 0) return "[...]";
    const std::size_t shown = std::min(elements.size(), print_length_);
    std::string result = "[";
    for (std::size_t i = 0; i < shown; ++i) result += (i ? ", " : "") + text(elements[i], element);
    return result + (shown < elements.size() ? ",...]" : "]");
  }

  const bool shell_;
  const std::size_t print_length_;
};

}  // namespace

std::string to_text(const Value& value, Mono type, int print_length) {
  return Printer(Printer::Style::shell, static_cast<std::size_t>(print_length)).text(value, type);
}

std::string to_string_of_the_language(const Value& value, Mono type) {
  return Printer(Printer::Style::string, std::numeric_limits<std::size_t>::max()).text(value, type);
}

}  // namespace tutti::nesl
