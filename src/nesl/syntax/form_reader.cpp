#include "nesl/syntax/form_reader.hpp"

#include <algorithm>
#include <array>

#include "nesl/errors.hpp"

namespace tutti::nesl {
namespace {

constexpr std::array<const char*, 13> commands = {"help",     "defconfig", "exit", "lisp", "load",
                                                  "describe", "apropos",   "set",  "show", "dump",
                                                  "edit",     "shell",     "get"};

bool starts_line(const Source& source, const Token& token) {
  return token.span.begin == 0 || source.text[token.span.begin - 1] == '\n';
}

}  // namespace

FormReader::FormReader(SourceRef source) : source_(std::move(source)), parser_(*source_) {}

std::optional<Form> FormReader::next() {
  while (parser_.accept(";") || parser_.accept("$")) {
  }
  if (parser_.at_end()) return std::nullopt;
  const std::uint32_t begin = parser_.peek().span.begin;
  try {
    Form result = form();
    result.span = {begin, parser_.peek().span.begin};
    return result;
  } catch (const IncompleteForm&) {
    recover(begin);
    throw;
  } catch (const ProgramError&) {
    recover(begin);
    throw;
  }
}

// Skips to the next form. It begins after a `$`, after a `;` before a line at the left margin, or
// with the word function or datatype at the left margin.
void FormReader::recover(std::size_t begin) {
  while (!parser_.at_end()) {
    const Token& token = parser_.peek();
    const bool keyword = token.is_name("function") || token.is_name("datatype");
    if (keyword && token.span.begin != begin && starts_line(*source_, token)) return;
    const bool end = token.is("$") || token.is(";");
    const bool strong = token.is("$");
    parser_.skip();
    if (end && (strong || parser_.at_end() || starts_line(*source_, parser_.peek()))) return;
  }
}

void FormReader::end_of_form(const char* after) {
  if (parser_.accept(";") || parser_.accept("$")) return;
  // The last form of a file may lack its terminator; a shell asks for the rest.
  if (parser_.at_end() && !source_->name.empty()) return;
  parser_.fail(std::string("; is expected after ") + after);
}

Form FormReader::form() {
  if (parser_.peek().is_name("function")) return function();
  if (parser_.peek().is_name("datatype")) return datatype();
  if (at_command()) return command();
  return assignment_or_expression();
}

Form FormReader::function() {
  parser_.take();
  Form form;
  form.kind = Form::Kind::function;
  const Token name = parser_.peek();
  const bool is_operator = name.kind == Token::Kind::symbol && name.text != "(";
  if ((name.kind != Token::Kind::name || (is_reserved(name.text))) && !is_operator)
    parser_.fail("the name of a function is expected");
  form.name = parser_.take().text;
  form.pattern = parser_.atomic_pattern();
  if (parser_.accept(":")) form.type = parser_.type_declaration();
  if (parser_.peek().kind == Token::Kind::string) form.description = parser_.take().text;
  if (parser_.accept("=")) {
    form.body = parser_.expression();
  } else if (form.type.type) {
    form.kind = Form::Kind::declaration;
  } else {
    parser_.fail("= is expected after the parameters of a function");
  }
  end_of_form("a function");
  return form;
}

Form FormReader::datatype() {
  parser_.take();
  Form form;
  form.kind = Form::Kind::datatype;
  if (parser_.peek().kind != Token::Kind::name || is_reserved(parser_.peek().text))
    parser_.fail("the name of a datatype is expected");
  form.name = parser_.take().text;
  form.type.type = parser_.type();
  if (parser_.accept("::")) form.type.context = parser_.context();
  end_of_form("a datatype");
  return form;
}

void FormReader::add_option(Form& form, const ExprRef& option) {
  if (option->kind != Expr::Kind::keyword) parser_.fail("an option is name := value");
  form.options.emplace_back(option->text, option->a);
}

Form FormReader::assignment_or_expression() {
  Form form;
  ExprRef first = parser_.expression();
  for (const char* sign : {"=", "|=", "&="}) {
    if (!parser_.accept(sign)) continue;
    form.kind = Form::Kind::assignment;
    form.assignment = sign;
    form.pattern = parser_.to_pattern(first);
    form.body = form.assignment == "&=" ? parser_.component() : parser_.expression();
    while (form.assignment == "&=" && parser_.accept(",")) add_option(form, parser_.component());
    end_of_form("an assignment");
    return form;
  }
  form.kind = Form::Kind::expression;
  form.body = first;
  end_of_form("an expression");
  return form;
}

// A command word followed by something that makes it an ordinary name is one.
bool FormReader::at_command() const {
  const Token& token = parser_.peek();
  if (token.is("?")) return true;
  if (token.kind != Token::Kind::name) return false;
  if (std::find(commands.begin(), commands.end(), token.text) == commands.end()) return false;
  const Token& after = parser_.peek(1);
  if (token.text == "load") return !after.is("=");
  return !(after.is("=") || after.is("(") || after.is(",") || after.is("["));
}

Form FormReader::command() {
  Form form;
  form.kind = Form::Kind::command;
  form.name = parser_.take().text;
  if (form.name == "?") form.name = "help";
  const bool ends = parser_.at_end() || parser_.peek().is(";") || parser_.peek().is("$");
  if (form.name == "load" && !ends) {
    form.body = parser_.component();
    // The options may stand in the parentheses of the name: load("file", print := t).
    if (form.body->kind == Expr::Kind::pair) {
      ExprRef more = form.body->b;
      form.body = form.body->a;
      for (; more->kind == Expr::Kind::pair; more = more->b) add_option(form, more->a);
      add_option(form, more);
    }
    while (parser_.accept(",")) add_option(form, parser_.component());
  } else {
    // The other commands read words: their text is handed on as it stands.
    const std::uint32_t begin = parser_.peek().span.begin;
    std::uint32_t end = begin;
    while (!parser_.at_end() && !parser_.peek().is(";") && !parser_.peek().is("$"))
      end = parser_.take().span.end;
    form.words = source_->text.substr(begin, end - begin);
  }
  if (!parser_.at_end()) end_of_form("a command");
  return form;
}

}  // namespace tutti::nesl
