// What can go wrong in a NESL program. Errors found before running carry their place; errors of
// the running program carry the message that follows RUNTIME ERROR.
#pragma once
#include "nesl/place.hpp"
#include "nesl/syntax/source.hpp"
#include "tutti/error.hpp"
#include "tutti/interruption.hpp"

namespace tutti::nesl {

// Found while reading or typing a form.
class ProgramError : public Error {
 public:
  ProgramError(Span where, const std::string& message) : Error(message), where(where) {}
  Span where;
  SourceRef source;  // the text it lies in, where that is not the form being read
};

// The text ends inside a form: a shell asks for another line, a file is in error.
class IncompleteForm : public ProgramError {
 public:
  using ProgramError::ProgramError;
};

class RuntimeError : public Error {
 public:
  using Error::Error;
  Place place;  // filled in by the evaluator on the way up
};

// What one evaluator cannot do, and another one perhaps can: the program may be right.
class EvaluatorLimit : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

// The stack would not suffice for another call.
class TooDeep : public EvaluatorLimit {
 public:
  using EvaluatorLimit::EvaluatorLimit;
};

// Ctrl-C, or the time limit: abandons the expression, whatever is being computed.
using tutti::Interrupted;

}  // namespace tutti::nesl
