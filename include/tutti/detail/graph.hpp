// The type-erased interface of the graph, which the templates of the front ends call.
// Every function checks shapes and types, throws immediately when they do not fit, and returns a
// new node. Nothing is computed.
#pragma once
#include <cstddef>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "tutti/detail/export.hpp"
#include "tutti/shape.hpp"
#include "tutti/types.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::ir {
class Node;
}

namespace tutti {

// Every element-wise operation, from the table. Those that Precision::fast chooses come last.
enum class Op : uint8_t {
#define TUTTI_OP(id, arity, rule, cost, doc) id,
#include "tutti/detail/ops.def"
#undef TUTTI_OP
#define TUTTI_FAST_OP(id, exact, arity, cost, doc) id,
#include "tutti/detail/fast_ops.def"
#undef TUTTI_FAST_OP
};

// Every reduction, from the table.
enum class Reduction : uint8_t {
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  id,
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
};

// How several values scattered to one index are combined, in the order in which they are listed.
// They are added to the element of the base, or the least or greatest of all is taken, or one of
// the values. `any` takes the last.
enum class Collision : uint8_t { any, sum, min, max, first, last };

namespace detail {

// The element type of a reduction's result, by its rule in the table.
enum class ReductionResult : uint8_t { same, flag, accumulated };
template <ReductionResult rule, class T>
using ReducedType =
    std::conditional_t<rule == ReductionResult::flag, bool,
                       std::conditional_t<rule == ReductionResult::accumulated, Accumulated<T>, T>>;

void retain(ir::Node* node);
void release(ir::Node* node);

// A counted reference to a graph node; null after a move.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(ir::Node* adopted) : node_(adopted) {}
  NodeRef(const NodeRef& other) : node_(other.node_) {
    if (node_) retain(node_);
  }
  NodeRef(NodeRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodeRef& operator=(NodeRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NodeRef() {
    if (node_) release(node_);
  }
  ir::Node* get() const { return node_; }
  ir::Node* operator->() const { return node_; }
  ir::Node& operator*() const { return *node_; }
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const NodeRef& other) const { return node_ == other.node_; }

 private:
  ir::Node* node_ = nullptr;
};

using Location = std::source_location;

// Sources.
NodeRef from_host(ElementType type, const Extents& shape, const void* data, size_t elements,
                  const Location& where);
NodeRef constant(ScalarValue value, const Extents& shape, const Location& where);
// Coordinates along an axis, in int32 or int64.
NodeRef index(const Extents& shape, int axis, const Location& where,
              ElementType type = ElementType::i32);

// Element-wise, with broadcasting.
NodeRef elementwise(Op op, std::span<const NodeRef> inputs, const Location& where);
NodeRef cast(const NodeRef& input, ElementType type, const Location& where);

// Transformations.
NodeRef shift(const NodeRef& input, std::span<const int64_t> by, const Boundary& boundary,
              int component, const Location& where);
NodeRef section(const NodeRef& input, std::span<const Range> ranges, const Location& where);
NodeRef replicate(const NodeRef& input, const Extents& shape, const Location& where);
NodeRef expand(const NodeRef& input, std::span<const Margin> margins, const Boundary& boundary,
               int component, const char* name, const Location& where);
NodeRef transpose(const NodeRef& input, std::span<const int64_t> axes, const Location& where);
NodeRef drop_dimension(const NodeRef& input, int axis, const Location& where);
NodeRef add_dimension(const NodeRef& input, int axis, int64_t extent, const Location& where);
NodeRef broadcast(const NodeRef& input, const Extents& shape, const Location& where);
NodeRef reshape(const NodeRef& input, const Extents& shape, const Location& where);

// Everything else.
NodeRef gather(const NodeRef& input, std::span<const NodeRef> indices, const Boundary& boundary,
               int component, const Location& where);
NodeRef reduce(Reduction reduction, const NodeRef& input, std::span<const int> axes,
               const Location& where);
NodeRef inner_product(const NodeRef& a, const NodeRef& b, const Location& where);

// Vector primitives; the table describes them.
#define TUTTI_BUILDER(id, parameters, arguments) NodeRef id parameters;
#include "tutti/detail/kinds.def"
// Decides whether an assignment to a section is cheaper as an element-wise choice between the new
// and the old element, which fuses with the computation of the base.
bool is_better_chosen(const NodeRef& base, const NodeRef& values, int64_t section_elements);

// Properties and elements.
const Extents& shape_of(const NodeRef& node, const char* operation);
void evaluate(std::span<const NodeRef> nodes);
void move_to(std::span<const NodeRef> nodes, const std::string& device);  // evaluates first
void copy_to_host(const NodeRef& node, void* destination);                // evaluates first

}  // namespace detail
}  // namespace tutti
TUTTI_END_EXPORTS
