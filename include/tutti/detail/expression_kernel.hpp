// The type-erased interface of vector expressions. Every C++ type of an expression has one
// ExpressionKernels, which holds the plans for expressions of this type, so that no plan is looked
// up by its graph. The operands, which differ between expressions of one type, are arguments of the
// plan.
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

// A vector or a number in memory.
struct StoredOperand {
  const BufferRef* buffer;
  ElementType type;
  int64_t length;  // or one_number
};

struct ShiftOperand {
  int64_t by;
  Boundary::Kind boundary;
};

// The operands of an expression, in the order in which they were written.
struct Operands {
  std::span<const StoredOperand> stored;
  std::span<const ScalarValue> numbers;  // host numbers, including the constants of boundaries
  std::span<const ShiftOperand> shifts;
};

// Returns the common length of all vectors, or one_number if there are none. Throws ShapeError.
int64_t common_length(std::span<const StoredOperand> stored, const Location& where);

// Makes nodes of an expression. The operands are requested in their order.
class ExpressionGraph {
 public:
  // `where` is the source line of the expression.
  explicit ExpressionGraph(const Operands& operands, const Location& where = Location())
      : operands_(operands), where_(where) {}

  NodeRef stored();
  NodeRef number();
  NodeRef apply(Op op, std::span<const NodeRef> inputs);
  NodeRef converted(const NodeRef& input, ElementType type);
  NodeRef shifted(const NodeRef& input);                   // by the next shift
  NodeRef repeated(const NodeRef& input, int64_t length);  // a number as a vector
  NodeRef reduced(Reduction reduction, const NodeRef& input);

  // After the build: the node of each stored operand (one for all that share a buffer), and the
  // node that holds each number.
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

  // Computes the elements of an expression, in the memory of the target if there is one and no
  // operand prevents it, otherwise in new memory. A single number is repeated to the length.
  BufferRef compute(const Operands& operands, int64_t length, const BufferRef& target = nullptr,
                    const Location& where = Location());

  // Assigns the elements of an expression to the target, in place if no other vector needs its old
  // elements. `temporary`: the expression and its references to operands end with the assignment.
  // An expression without vectors keeps the length of the target.
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

// Operations of vectors on buffers.
const BufferRef& empty_buffer();
BufferRef buffer_of_number(ScalarValue value);
BufferRef buffer_of(const NodeRef& node);  // evaluates
NodeRef node_of(const BufferRef& buffer, ElementType type, const Extents& shape,
                const Location& where);
BufferRef wrapped(void* memory, size_t bytes);  // memory of the current device
bool is_wrapped(const BufferRef& buffer);
bool overlap(const BufferRef& a,
             const BufferRef& b);  // whether their memory overlaps
BufferRef copy_of(const BufferRef& buffer, ElementType type, int64_t length);
void copy_into(const BufferRef& target, const BufferRef& source, ElementType type, int64_t length);
void read(const BufferRef& buffer, void* destination);  // waits
// Returns the address of the elements on the current device. The buffer stays on that device.
const void* address_for_reading(const BufferRef& buffer);
// Returns an address for the caller to write to. A shared buffer is copied first.
void* address_for_writing(BufferRef& buffer, ElementType type, int64_t length);

}  // namespace tutti::detail
TUTTI_END_EXPORTS
