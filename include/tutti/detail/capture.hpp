// Capturing programs: the type-erased face of what Values do while a program is being written down.
// A Value made while a capture runs on this thread is a variable of the program: reading it gives a
// node, assigning to it records a statement. A Value made outside is read when the program runs:
// the program and the variable share a cell.
#pragma once
#include <memory>
#include <span>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::detail {

class ValueState;  // a variable of a program, or the cell that a variable shares with programs

bool capturing();           // on this thread
int64_t current_capture();  // its number; 0: none
std::string in_program();   // " in the program (file.cpp:12)" while one is captured, else ""

// While it lives, operations on this thread are carried out, not recorded.
class PauseCapture {
 public:
  PauseCapture();
  ~PauseCapture();
  PauseCapture(const PauseCapture&) = delete;
  PauseCapture& operator=(const PauseCapture&) = delete;

 private:
  void* paused_;
};

// What ties one Value to programs; for most Values nothing. It belongs to the variable: copies of
// the Value are other variables.
class ValueLink {
 public:
  ValueLink() = default;
  ValueLink(const ValueLink&) {}
  ValueLink& operator=(const ValueLink&) { return *this; }

  bool exists() const { return state_ != nullptr; }
  bool is_symbolic() const;

  // Makes the Value a variable of the program being captured, with these first values.
  void declare(std::span<const NodeRef> values);
  void assign(std::span<const NodeRef> values);
  // A component as the program being captured reads it; `now` are the numbers of a Value that is
  // none of its variables.
  NodeRef node(int component, std::span<const ScalarValue> now) const;
  // The numbers have changed: for the programs that read this variable.
  void publish(std::span<const ScalarValue> now);
  // Throws: a variable of a program has no number.
  [[noreturn]] void refuse_reading() const;
  // The cell that programs share with a variable made outside of programs.
  const std::shared_ptr<ValueState>& cell(std::span<const ScalarValue> now) const;
  const std::shared_ptr<ValueState>& state() const { return state_; }

 private:
  mutable std::shared_ptr<ValueState> state_;
};

// Operations in the program being captured.
NodeRef record(Op op, std::span<const NodeRef> inputs, const Location& where);
NodeRef record_cast(const NodeRef& input, ElementType type, const Location& where);
NodeRef record_constant(ScalarValue value);

// The same on numbers; `type` is that of the result.
ScalarValue operate(Op op, ElementType type, std::span<const ScalarValue> operands);

}  // namespace tutti::detail
TUTTI_END_EXPORTS
