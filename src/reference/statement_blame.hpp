// Finds the statement of a captured program that caused a fault, by running it for one element.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "reference/element_sources.hpp"

namespace tutti::ir {

using IsBad = std::function<bool(const ScalarValue&)>;

// The origin of a bad value of an output: a statement computed it from operands that were not bad,
// or it is an element of an argument or a table.
struct ProgramOrigin {
  std::string statement;  // "log(-1) = nan"; empty: it came from outside
  std::string operation;  // "log"
  ElementRef outside;     // the element, if it came from outside
  ScalarValue value{};    // result of the statement
};
ProgramOrigin trace_program(const ElementRef& of, Interpretation& interpretation,
                            const IsBad& is_bad);

// Describes the first execution of a statement that overflowed or indexed outside. Statements are
// numbered as by make_fault_output() (program/fault_output.hpp).
ProgramOrigin describe_fault(const ElementRef& of, int statement, int fault,
                             Interpretation& interpretation);

// "log(-1) = nan"
std::string call_text(const std::string& operation, std::span<const ScalarValue> operands,
                      const ScalarValue& result);
std::string number_text(const ScalarValue& value);

}  // namespace tutti::ir
