#include "nesl/syntax/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "nesl/errors.hpp"

namespace tutti::nesl {
namespace {

constexpr std::string_view special = "-+#&'()*,/:;<=>@[\\]^`{?|}!$";
// Some editors put it in front of UTF-8; it counts as white space.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::array<std::string_view, 14> long_symbols = {
    "->", ">>", "=>", "<-", "::", "++", "/=", "==", "<=", ">=", "&=", ":=", "||", "|="};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) {
  return !is_space(c) && c != '%' && c != '"' && c != '.' && c != '\0' &&
         special.find(c) == std::string_view::npos;
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(next_or_complaint());
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  Token next_or_complaint() {
    try {
      begin_ = at_;
      skip_blank();
      begin_ = at_;
      return next();
    } catch (const IncompleteForm& error) {
      at_ = static_cast<std::uint32_t>(text_.size());
      return {Token::Kind::incomplete, error.where, error.what()};
    } catch (const ProgramError& error) {
      return {Token::Kind::bad, error.where, error.what()};
    }
  }

  char peek(std::uint32_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool at_end() const { return at_ >= text_.size(); }
  Span span() const { return {begin_, at_}; }

  void skip_blank() {
    for (;;) {
      while (!at_end() && is_space(text_[at_])) ++at_;
      if (at_end() || text_[at_] != '%') return;
      const std::size_t close = text_.find('%', at_ + 1);
      if (close == std::string_view::npos)
        throw IncompleteForm({at_, at_ + 1}, "this comment has no closing %");
      at_ = static_cast<std::uint32_t>(close + 1);
    }
  }

  Token make(Token::Kind kind, std::string text) const { return {kind, span(), std::move(text)}; }

  Token next() {
    if (at_end()) return make(Token::Kind::end, "");
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"') return string();
    if (c == '`') return character();
    if (c == '!') return escaped_name();
    if (in_name(c)) return name();
    return symbol();
  }

  void skip_digits() {
    while (is_digit(peek())) ++at_;
  }

  Token number() {
    skip_digits();
    bool floating = false;
    if (peek() == '.') {
      floating = true;
      ++at_;
      skip_digits();
    }
    if (lower(peek()) == 'e') {
      const bool sign = peek(1) == '-' || peek(1) == '+';
      if (is_digit(peek(sign ? 2 : 1))) {
        floating = true;
        at_ += sign ? 2 : 1;
        skip_digits();
      }
    }
    Token token = make(floating ? Token::Kind::floating : Token::Kind::integer,
                       std::string(text_.substr(begin_, at_ - begin_)));
    std::string digits = token.text;
    if (digits.front() == '.') digits.insert(digits.begin(), '0');
    // What is too small to be told from zero is zero.
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), token.number);
    if (read.ec == std::errc::result_out_of_range && !(std::strtod(digits.c_str(), nullptr) < 1))
      throw ProgramError(span(), "the number " + digits + " is too large");
    return token;
  }

  Token string() {
    std::string contents;
    ++at_;
    for (;; ++at_) {
      if (at_end()) throw IncompleteForm({begin_, begin_ + 1}, "this string has no closing quote");
      char c = text_[at_];
      if (c == '"') break;
      if (c == '\\') {
        if (++at_ >= text_.size())
          throw IncompleteForm({begin_, begin_ + 1}, "this string has no closing quote");
        c = text_[at_];
      }
      contents += c;
    }
    ++at_;
    return make(Token::Kind::string, std::move(contents));
  }

  Token character() {
    ++at_;
    if (at_end()) throw IncompleteForm(span(), "a character must follow the backquote");
    return make(Token::Kind::character, std::string(1, text_[at_++]));
  }

  // Names of the compiler's own, which may hold hyphens.
  Token escaped_name() {
    ++at_;
    const std::uint32_t first = at_;
    while (!at_end() && (in_name(text_[at_]) || text_[at_] == '-')) ++at_;
    if (at_ == first) throw ProgramError(span(), "a name must follow !");
    Token token = make(Token::Kind::name, lowered(first));
    token.escaped = true;
    return token;
  }

  Token name() {
    while (!at_end() && in_name(text_[at_])) ++at_;
    return make(Token::Kind::name, lowered(begin_));
  }

  std::string lowered(std::uint32_t first) const {
    std::string result(text_.substr(first, at_ - first));
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
  }

  Token symbol() {
    const std::string_view two = text_.substr(at_, 2);
    const bool is_long =
        std::find(long_symbols.begin(), long_symbols.end(), two) != long_symbols.end();
    if (!is_long && (special.find(text_[at_]) == std::string_view::npos || text_[at_] == '\\' ||
                     text_[at_] == '&')) {
      ++at_;
      throw ProgramError(span(), "this character cannot begin anything");
    }
    at_ += is_long ? 2 : 1;
    return make(Token::Kind::symbol, std::string(text_.substr(begin_, at_ - begin_)));
  }

  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t begin_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const Source& source) { return Lexer(source.text).run(); }

}  // namespace tutti::nesl
