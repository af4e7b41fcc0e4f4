// Writes a loop of scalars down as a program. Input: the function and its arguments.
// Output: the program, what its inputs are bound to, and what its outputs mean. An element whose
// operation cannot be applied leaves the loop with the number of the check that failed.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nesl/eval/flat/loop_shape.hpp"
#include "nesl/eval/flat/primitives.hpp"
#include "tutti/seq_program.hpp"

namespace tutti::nesl::flat {

// What an element leaves the program with: a result, more calls to make, or the number of a check
// after these.
enum LoopState : int { finished_state, going_on_state, first_check_state };

struct LoopProgram {
  detail::ProgramHandle handle;
  // All but the first, which is how many calls are made at most. Those of changing leaves are
  // first.
  std::vector<nested::Value> inputs;
  std::size_t changing = 0;
  struct Check {
    Place place;
    const char* message;  // null where there is no such element; then the facts say which
  };
  std::vector<Check> checks;
  // The outputs: the state, an index and a length where a check needs them, the leaves of the
  // result, and those of the next arguments that change.
  bool has_facts = false;
  std::size_t results = 0;
};

class LoopCapture final : public Checks {
 public:
  LoopCapture(const CoreFunction& function, const LoopShape& shape, Machine& machine)
      : function_(function), shape_(shape), machine_(machine) {}
  LoopProgram run(const std::vector<nested::Value>& arguments);
  void require_not(const nested::Value& wrong, const char* message) override;

 private:
  using NodeRef = detail::NodeRef;
  // An expression in the program.
  struct Symbol {
    NodeRef node;                 // of a scalar
    int table = -1;               // of a sequence: its number
    std::vector<Symbol> parts{};  // of a pair
  };
  struct Table {
    std::vector<detail::ArrayCell> components;
    bool is_empty = false;
    NodeRef start, length;
  };
  struct Frame {
    const CoreFunction& function;
    std::vector<Symbol> slots;
  };
  using Variables = detail::ValueLink;

  void add_arguments(const nested::Value& value, Mono type, std::size_t& leaf, bool changing);
  NodeRef input(const nested::Value& value, ElementType type);
  int add_table(const nested::Value& sequence);
  Symbol argument(Mono type, std::size_t& leaf) const;
  Variables& declare(std::vector<NodeRef> values);
  void declare_outputs(const std::vector<NodeRef>& next);

  void write_body(const CoreExpr& expr, Frame& frame);
  void write_next_call(const CoreExpr& call, Frame& frame);
  void write_result(const Symbol& result);
  Symbol evaluate(const CoreExpr& expr, Frame& frame);
  Symbol condition(const CoreExpr& expr, Frame& frame);
  Symbol call(const CoreExpr& expr, Frame& frame);
  Symbol primitive(const CoreExpr& expr, Frame& frame);
  Symbol element(const CoreExpr& expr, const Symbol& sequence, const NodeRef& index, Frame& frame);
  Symbol constant(const Value& value, Mono type) const;
  Symbol global(const CoreExpr& expr);
  Symbol outside(const nested::Value& value, Mono type);
  void bind(const CoreExpr& let, Frame& frame);
  NodeRef note_failure(const NodeRef& wrong, const char* message, const Place& place);

  static nested::Data data_of(const Symbol& symbol);
  static Symbol symbol_of(const nested::Data& data);
  static void add_nodes(const Symbol& symbol, std::vector<NodeRef>& nodes);
  static Symbol from_nodes(Mono type, const NodeRef*& nodes);
  static std::vector<NodeRef> zeros(Mono type);

  const CoreFunction& function_;
  const LoopShape& shape_;
  Machine& machine_;
  LoopProgram program_;
  std::deque<Variables> variables_;
  std::vector<Table> tables_;
  std::map<const StoredValue*, Symbol> globals_;
  std::vector<Symbol> leaves_;  // of the arguments, in the call being written
  Variables *state_ = nullptr, *facts_ = nullptr, *result_ = nullptr, *next_ = nullptr;
  Place place_;  // of the primitive being written
};

}  // namespace tutti::nesl::flat
