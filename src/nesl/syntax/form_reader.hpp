// Reads the top-level forms of a text one after the other, and finds its way to the next one
// after an error.
#pragma once
#include <optional>

#include "nesl/syntax/ast.hpp"
#include "nesl/syntax/parser.hpp"

namespace tutti::nesl {

class FormReader {
 public:
  explicit FormReader(SourceRef source);

  // Nothing at the end of the text. Throws ProgramError; the next call then goes on with the form
  // after the faulty one.
  std::optional<Form> next();

  const SourceRef& source() const { return source_; }

 private:
  Form form();
  Form function();
  Form datatype();
  void add_option(Form& form, const ExprRef& option);
  Form assignment_or_expression();
  Form command();
  bool at_command() const;
  void end_of_form(const char* after);
  void recover(std::size_t already_read);

  SourceRef source_;
  Parser parser_;
};

}  // namespace tutti::nesl
