// The type-erased interface of Values during capture. A Value made while a capture runs on this
// thread is a variable of the program: reading it returns a node, assigning to it records a
// statement. A Value made outside is read when the program runs: the program and the variable share
// a cell.
#pragma once
#include <memory>
#include <span>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::detail {

class ValueState;  // a variable of a program, or the cell that a variable shares with programs

bool capturing();           // on this thread
int64_t current_capture();  // the number of the capture of this thread; 0: none
std::string in_program();   // " in the program (file.cpp:12)" while one is captured, else ""

// During its lifetime, operations on this thread are carried out, not recorded.
class PauseCapture {
 public:
  PauseCapture();
  ~PauseCapture();
  PauseCapture(const PauseCapture&) = delete;
  PauseCapture& operator=(const PauseCapture&) = delete;

 private:
  void* paused_;
};

// The optional connection of a Value with programs; most Values have none. It belongs to the
// variable: copies of the Value are other variables.
class ValueLink {
 public:
  ValueLink() = default;
  ValueLink(const ValueLink&) {}
  ValueLink& operator=(const ValueLink&) { return *this; }

  bool exists() const { return state_ != nullptr; }
  bool is_symbolic() const;

  // Makes the Value a variable of the program being captured, with these initial values.
  void declare(std::span<const NodeRef> values);
  void assign(std::span<const NodeRef> values);
  // Returns a component as the program being captured reads it. `now` has the numbers of a Value
  // that is not one of its variables.
  NodeRef node(int component, std::span<const ScalarValue> now) const;
  // Notes that the numbers have changed, for programs that read this variable.
  void publish(std::span<const ScalarValue> now);
  // Throws because a variable of a program has no number.
  [[noreturn]] void refuse_reading() const;
  // Returns the cell that programs share with a variable made outside of programs.
  const std::shared_ptr<ValueState>& cell(std::span<const ScalarValue> now) const;
  const std::shared_ptr<ValueState>& state() const { return state_; }

 private:
  mutable std::shared_ptr<ValueState> state_;
};

// Record operations in the program being captured.
NodeRef record(Op op, std::span<const NodeRef> inputs, const Location& where);
NodeRef record_cast(const NodeRef& input, ElementType type, const Location& where);
NodeRef record_constant(ScalarValue value);

// Computes an operation on numbers; `type` is the type of the result.
ScalarValue operate(Op op, ElementType type, std::span<const ScalarValue> operands);

}  // namespace tutti::detail
TUTTI_END_EXPORTS
