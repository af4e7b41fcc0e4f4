// Functions of the core language in the form that the host runs: trees of nodes. A node is made for
// the types of its operands, so scalars are computed without tags or copies. The code of a function
// is made when the function is first called and lives as long as the function. It never changes,
// so several threads may run it.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/host/lockstep.hpp"
#include "nesl/eval/host/value_stack.hpp"
#include "nesl/eval/machine.hpp"

namespace tutti::nesl::host {

// A call of a function while it runs. `slots` are those of the core function, then the components
// of its parameter, then a flag for each of its `once` expressions.
struct Frame {
  Value* slots;
  Machine& machine;
  ValueStack& stack;
};

class CallNode;
class PairNode;
struct Block;
struct Loop;
struct RowColumn;
struct Tuple;

// What a call in blocks is asked for: a scalar, ranges, or to add its results to a sequence.
enum class Manner : signed char { scalar, rows, append };
// Recursive functions whose bodies are being asked whether they work in blocks.
struct AskedFunction {
  const CoreFunction* function;
  Manner manner;
  const AskedFunction* outer;
};

// What a node may do when it is evaluated for many elements at once.
struct InBlocks {
  int calls;   // how deep calls within calls may be
  bool draws;  // whether it is evaluated for all elements, so that it may draw random numbers
  const AskedFunction* asked = nullptr;
  bool* recursion = nullptr;  // becomes true where a function calls itself, but not at its end

  InBlocks in_call() const { return {calls - 1, draws, asked, recursion}; }
  InBlocks without_draws() const { return {calls, false, asked, recursion}; }
};

class Node {
 public:
  virtual ~Node() = default;
  virtual Value value(Frame& frame) const = 0;
  // The value of a scalar, where it has this type.
  virtual int integer(Frame& frame) const { return value(frame).integer(); }
  virtual double floating(Frame& frame) const { return value(frame).floating(); }
  virtual bool boolean(Frame& frame) const { return value(frame).boolean(); }
  virtual unsigned char character(Frame& frame) const { return value(frame).character(); }
  // Where the value already is; null if it has to be computed.
  virtual const Value* known(Frame&) const { return nullptr; }
  // Through lets, whose values go into slots, and ifs to the node that gives the value.
  virtual const Node& last(Frame&) const { return *this; }
  virtual const CallNode* as_call() const { return nullptr; }
  virtual const PairNode* as_pair() const { return nullptr; }

  // Of a tuple whose components are in slots: where they are.
  virtual const Tuple* as_tuple() const { return nullptr; }

  // ---- for many elements at once (host/blocks.hpp)
  // Whether it can be evaluated without a fault: a variable, or a part of one.
  virtual bool is_uniform() const { return false; }
  // Whether such a one differs from element to element.
  virtual bool varies(const Block&) const { return false; }
  // Whether the functions below may be called: a scalar that is computed from such ones.
  virtual bool works_in_blocks(InBlocks) const { return false; }
  virtual const int* block(Block&, int*) const { no_blocks(); }
  virtual const double* block(Block&, double*) const { no_blocks(); }
  virtual const bool* block(Block&, bool*) const { no_blocks(); }
  virtual const unsigned char* block(Block&, unsigned char*) const { no_blocks(); }
  // The same for a sequence.
  virtual bool rows_in_blocks(InBlocks) const { return false; }
  virtual void rows(Block&, RowColumn&) const { no_blocks(); }
  // Whether values of this representation can be added to a sequence for many elements at once, and
  // how: for those whose flag is set, or for all.
  virtual bool appends_in_blocks(Mono type, InBlocks how) const;
  virtual void append_block(Block& block, Mono type, const bool* flags, Values& values) const;
  // For the result of a function that calls itself at its end (host/loops.hpp). The first says
  // whether it can be evaluated for many elements at once. The second finishes or continues those
  // of a block, which are these elements of the loop.
  virtual bool loops_in_blocks(const Loop& loop, InBlocks how) const;
  virtual void run_loop(Loop& loop, Block& block, const int* elements) const;
  // The slot of a variable; -1 for others.
  virtual int variable() const { return -1; }

 protected:
  [[noreturn]] static void no_blocks();
};
using NodeRef = std::unique_ptr<const Node>;

template <class T>
T get(const Node& node, Frame& frame);
template <>
inline int get<int>(const Node& node, Frame& frame) {
  return node.integer(frame);
}
template <>
inline double get<double>(const Node& node, Frame& frame) {
  return node.floating(frame);
}
template <>
inline bool get<bool>(const Node& node, Frame& frame) {
  return node.boolean(frame);
}
template <>
inline unsigned char get<unsigned char>(const Node& node, Frame& frame) {
  return node.character(frame);
}
template <>
inline Value get<Value>(const Node& node, Frame& frame) {
  return node.value(frame);
}

// Reads a value where it is, or computes it and keeps it.
class Operand {
 public:
  Operand(const Node& node, Frame& frame) : at_(node.known(frame)) {
    if (at_) return;
    kept_ = node.value(frame);
    at_ = &kept_;
  }
  Operand(const Operand&) = delete;
  const Value& operator*() const { return *at_; }
  const Value* operator->() const { return at_; }

 private:
  Value kept_;
  const Value* at_;
};

class PairNode final : public Node {
 public:
  PairNode(NodeRef first, NodeRef second) : first_(std::move(first)), second_(std::move(second)) {}
  Value value(Frame& frame) const override {
    Value first = first_->value(frame);
    return Value(std::move(first), second_->value(frame));
  }
  const PairNode* as_pair() const override { return this; }
  bool appends_in_blocks(Mono type, InBlocks how) const override;
  void append_block(Block& block, Mono type, const bool* flags, Values& values) const override;
  const Node& first() const { return *first_; }
  const Node& second() const { return *second_; }

 private:
  const NodeRef first_, second_;
};

// An apply-to-each. Its elements may be done a part at a time.
class EachNode : public Node {
 public:
  // Adds the results of the elements from `results.size()` on.
  virtual void add_results(Frame& frame, const Value* sequences, Values& results) const = 0;
};

// The parameter of a function, the last of its arguments. A tuple is passed as its components,
// without pairs: they have slots of their own, and the one of the parameter is not used.
struct Parameter {
  int slot = -1;  // that of a form, which has none
  Mono type = nullptr;
  int first = -1;  // the slot of the first component; `slot` itself where it is no tuple
  int count = 0;

  explicit Parameter(const CoreFunction& function);
  bool is_tuple() const { return count > 1; }
};
// How many components a type has: those of pairs of pairs, and one for anything else.
int components_of(Mono type);
Value joined(Mono type, const Value*& components);
// Puts the components of a value into slots.
void spread(const Value& value, Mono type, Value*& out);

// A tuple whose components are in slots of their own, beginning with this one.
struct Tuple {
  Mono type = nullptr;
  int first = -1;
};

struct Code {
  const CoreFunction& function;
  const Parameter parameter;
  NodeRef body;
  // Where each slot of the core function is: a name for a component of a tuple shares its slot.
  std::vector<int> places;
  // The slots of the core function that hold tuples taken apart: the parameter, variables of
  // apply-to-eachs, and names for parts of them.
  std::unordered_map<int, Tuple> tuples;
  int slots = 0;
  std::int64_t steps = 0;
  std::unordered_map<const CoreExpr*, const EachNode*> eachs;
  LockstepCode lockstep{};  // of the body

  // Puts a value of the core function's slot into a frame.
  void put(int slot, const Value& value, Value* slots) const;
  // A value of such a slot.
  Value value(int slot, const Value* slots) const;
};

// Made at the first call; threads that come at the same time get the same one.
const Code& code_of(const CoreFunction& function);
std::unique_ptr<Code> compile(const CoreFunction& function);

// Calls a function whose arguments are in the frame, which is used up. It throws nothing: a failure
// is noted in the machine, and the value means nothing then.
Value call(const Code& code, ValueStack::Frame& slots, Machine& machine);

// What one element or call takes, in steps of evaluation: the nodes on its longest way.
std::int64_t steps_of(const CoreExpr& expr);

// ---- makers of nodes, each in a file of its own

class Compiler {
 public:
  explicit Compiler(Code& code) : code_(code) {}
  NodeRef node(const CoreExpr& expr);
  std::vector<NodeRef> nodes(const CoreExpr& expr);  // of its operands
  const CoreFunction& function() const { return code_.function; }
  const Code& code() const { return code_; }
  // Where the value of a slot goes; -1 where it is there already.
  int place_of(int slot, const CoreExpr& value);
  // Slots for the components of a variable that is a tuple; none for others.
  const Tuple* take_apart(int slot, Mono type);
  // The slot of the flag that says whether a `once` expression has been evaluated.
  int flag_of(int once_slot);
  void add_each(const CoreExpr& expr, const EachNode& node) { code_.eachs[&expr] = &node; }
  // The body of an apply-to-each, which is evaluated again and again.
  NodeRef body_of_each(const CoreExpr& expr);
  // The slots of sequences and pairs that are not needed after an expression, for good.
  std::vector<int> done_after(const CoreExpr& expr) const;

 private:
  NodeRef part(const CoreExpr& expr);
  bool may_drop(int slot, Mono type) const;

  Code& code_;
  std::unordered_map<int, int> flags_;
  int eachs_around_ = 0;
};

NodeRef let_node(const CoreExpr& expr, Compiler& compiler);
NodeRef condition_node(const CoreExpr& expr, Compiler& compiler);
NodeRef once_node(const CoreExpr& expr, Compiler& compiler);
NodeRef time_node(const CoreExpr& expr, Compiler& compiler);
NodeRef function_call(const CoreExpr& expr, Compiler& compiler);
// A primitive on scalars, an element or the length of a sequence; null for others.
NodeRef scalar_primitive(const CoreExpr& expr, Compiler& compiler);
// A reduction, or a range; null for others.
NodeRef fold_primitive(const CoreExpr& expr, Compiler& compiler);
// A primitive that moves the elements of sequences; null for others.
NodeRef moving_primitive(const CoreExpr& expr, Compiler& compiler);
// A primitive on values.
NodeRef general_primitive(const CoreExpr& expr, Compiler& compiler);
NodeRef each(const CoreExpr& expr, Compiler& compiler);
// The elements of an apply-to-each whose flags are t, without the pairs that pack takes; null where
// the primitive is not pack of such an apply-to-each.
NodeRef filtered_each(const CoreExpr& expr, Compiler& compiler);

// The errors of the work happened at this expression.
template <class Work>
decltype(auto) at_place(const CoreExpr& expr, const CoreFunction& function, Machine& machine,
                        const Work& work) {
  try {
    return work();
  } catch (RuntimeError& error) {
    if (!error.place.function) error.place = machine.place_of(function, expr);
    throw;
  }
}

}  // namespace tutti::nesl::host
