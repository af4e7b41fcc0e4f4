// The type-erased face of vector expressions. Every C++ type of an expression has one
// ExpressionKernels: it holds the plans that compute expressions of this type, so that none is
// looked up by its graph. What differs between two expressions of one type, its operands, are
// arguments of the plan.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::ir {
class Buffer;
}

namespace tutti::detail {

using BufferRef = std::shared_ptr<ir::Buffer>;

constexpr int64_t one_number = -1;  // instead of a length

// A vector or a number that was computed before.
struct StoredOperand {
  const BufferRef* buffer;
  ElementType type;
  int64_t length;  // or one_number
};

struct ShiftOperand {
  int64_t by;
  Boundary::Kind boundary;
};

// What an expression is made of, in the order in which it was written.
struct Operands {
  std::span<const StoredOperand> stored;
  std::span<const ScalarValue> numbers;  // of the host; the constants of boundaries are among them
  std::span<const ShiftOperand> shifts;
};

// The length that all vectors have; one_number when there is none. Throws ShapeError.
int64_t common_length(std::span<const StoredOperand> stored, const Location& where);

// Writes an expression down as nodes; asked for its operands in their order.
class ExpressionGraph {
 public:
  // `where`: the line of the expression.
  explicit ExpressionGraph(const Operands& operands, const Location& where = Location())
      : operands_(operands), where_(where) {}

  NodeRef stored();
  NodeRef number();
  NodeRef apply(Op op, std::span<const NodeRef> inputs);
  NodeRef converted(const NodeRef& input, ElementType type);
  NodeRef shifted(const NodeRef& input);                   // by the next shift
  NodeRef repeated(const NodeRef& input, int64_t length);  // a number as a vector
  NodeRef reduced(Reduction reduction, const NodeRef& input);

  // Afterwards: the node of each stored operand (one for all that share a buffer), and the node
  // that each number went into.
  std::span<const NodeRef> stored_nodes() const { return stored_; }
  std::span<ir::Node* const> number_nodes() const { return numbers_; }

 private:
  const Operands& operands_;
  const Location where_;
  std::vector<NodeRef> stored_;
  std::vector<ir::Node*> numbers_;
  size_t next_shift_ = 0;
};

class ExpressionKernels {
 public:
  using Build = NodeRef (*)(ExpressionGraph&);
  explicit ExpressionKernels(Build build);

  // The elements of an expression, in the memory of the target if there is one and no operand is in
  // the way, else in new memory. A single number is repeated to the length.
  BufferRef compute(const Operands& operands, int64_t length, const BufferRef& target = nullptr,
                    const Location& where = Location());

  // Gives the target the elements of an expression, in its own memory when no other vector needs
  // what is there. `temporary`: the expression and its references to operands end with the
  // assignment. An expression without vectors keeps the target's length.
  void assign(const Operands& operands, bool temporary, ElementType type, BufferRef& target,
              int64_t& length, const Location& where);

 private:
  struct Stored;
  Build build_;
  std::shared_ptr<Stored> plans_;
};

template <class E>
ExpressionKernels& kernels_of() {
  static ExpressionKernels& kernels = *new ExpressionKernels(&E::build);  // outlives every vector
  return kernels;
}

// Buffers, as vectors use them.
const BufferRef& empty_buffer();
BufferRef buffer_of_number(ScalarValue value);
BufferRef buffer_of(const NodeRef& node);  // evaluates
NodeRef node_of(const BufferRef& buffer, ElementType type, const Extents& shape,
                const Location& where);
BufferRef wrapped(void* memory, size_t bytes);  // memory of the current device
bool is_wrapped(const BufferRef& buffer);
bool overlap(const BufferRef& a,
             const BufferRef& b);  // two buffers whose memory is partly the same
BufferRef copy_of(const BufferRef& buffer, ElementType type, int64_t length);
void copy_into(const BufferRef& target, const BufferRef& source, ElementType type, int64_t length);
void read(const BufferRef& buffer, void* destination);  // waits
// Where the kernels of the current device find the elements. The buffer stays on that device.
const void* address_for_reading(const BufferRef& buffer);
// The same for the caller to write to: the buffer is made its only owner's first.
void* address_for_writing(BufferRef& buffer, ElementType type, int64_t length);

}  // namespace tutti::detail
TUTTI_END_EXPORTS
