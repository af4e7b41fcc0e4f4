// The statement of a captured program that made a fault, found by running the program once more
// for one element.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "reference/element_sources.hpp"

namespace tutti::ir {

using IsBad = std::function<bool(const ScalarValue&)>;

// Where a bad value was first seen on its way to an output: a statement computed it from operands
// that were not bad, or it is an element of an argument or a table.
struct ProgramOrigin {
  std::string statement;  // "log(-1) = nan"; empty: it came from outside
  std::string operation;  // "log"
  ElementRef outside;     // else
  ScalarValue value{};    // of the statement
};
ProgramOrigin trace_program(const ElementRef& of, Interpretation& interpretation,
                            const IsBad& is_bad);

// What the first run of a statement did that overflowed or indexed outside: numbers as
// make_fault_output() (program/fault_output.hpp) gives them.
ProgramOrigin describe_fault(const ElementRef& of, int statement, int fault,
                             Interpretation& interpretation);

// "log(-1) = nan"
std::string call_text(const std::string& operation, std::span<const ScalarValue> operands,
                      const ScalarValue& result);
std::string number_text(const ScalarValue& value);

}  // namespace tutti::ir
