// The type-erased face of the graph: what the thin templates of the front ends call.
// Every function checks shapes and types, throws at once when they do not fit, and returns a new
// node; nothing is computed here.
#pragma once
#include <cstddef>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "tutti/shape.hpp"
#include "tutti/types.hpp"

namespace tutti::ir {
class Node;
}

namespace tutti {

// Every element-wise operation, from the table.
enum class Op : uint8_t {
#define TUTTI_OP(id, arity, rule, cost, doc) id,
#include "tutti/detail/ops.def"
#undef TUTTI_OP
};

// Every reduction, from the table.
enum class Reduction : uint8_t {
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) id,
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
};

// How several values scattered to one index are combined, in the order in which they are listed:
// added to what is there, the least or greatest of all, or one of them. `any` is the last.
enum class Collision : uint8_t { any, sum, min, max, first, last };

namespace detail {

// The element type of a reduction's result, by its rule in the table.
enum class ReductionResult : uint8_t { same, flag, accumulated };
template <ReductionResult rule, class T>
using ReducedType = std::conditional_t<
    rule == ReductionResult::flag, bool,
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
NodeRef index(const Extents& shape, int axis, const Location& where);

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

// Vector primitives. `offsets` (int32 or int64, ascending, segments + 1 of them, from 0 to the
// number of elements) cut a vector into segments; a null reference: one segment. What they hold is
// checked when the node is computed.

// Prefix combinations along the last axis, each row by itself; or within each segment of a vector.
NodeRef scan(Reduction reduction, const NodeRef& input, const NodeRef& offsets, bool exclusive,
             const Location& where);
// One result for each segment, with the bits that reduce() gives for its elements alone.
NodeRef segmented_reduce(Reduction reduction, const NodeRef& input, const NodeRef& offsets,
                         const Location& where);
// `base` with `values` at the indices (int32 or int64, one array for each axis of base, shaped like
// values). Values whose index is outside of base are dropped.
NodeRef scatter(const NodeRef& base, std::span<const NodeRef> indices, const NodeRef& values,
                Collision collision, const Location& where);
// `base` with `values` in a section of it. Costs the section where nothing else needs the base, and
// a copy of it otherwise; the plan holds for all sections of the shape.
NodeRef write_section(const NodeRef& base, std::span<const Range> ranges, const NodeRef& values,
                      const Location& where);
// Whether an assignment to a section is better a choice between the new and the old element, which
// fuses with what computes the base.
bool is_better_chosen(const NodeRef& base, const NodeRef& values, int64_t section_elements);
// Where the elements of the sorted vector come from: int32, int64 from 2^31 elements on. Stable;
// NaNs are last in both directions; -0 equals +0. Each segment is sorted by itself, and its
// elements are numbered in the whole vector.
NodeRef sort_permutation(const NodeRef& keys, const NodeRef& offsets, bool descending,
                         const Location& where);
// values (any type, as many as keys) in the order of their sorted keys; keys in their own order
// when the values are the keys. Equal to gathering by sort_permutation(), and faster.
NodeRef sort_values(const NodeRef& keys, const NodeRef& values, const NodeRef& offsets,
                    bool descending, const Location& where);
// The segment (int32) that each of n elements lies in.
NodeRef element_segments(const NodeRef& offsets, int64_t elements, const Location& where);
// The first `count` of the values whose flags are true, in their order; zeros where there are
// fewer.
NodeRef pack(const NodeRef& flags, const NodeRef& values, int64_t count, const Location& where);
// How many elements of a sorted vector come before each query, in the order of sort_permutation();
// with right_side, how many come before or equal it. int32, int64 from 2^31 elements on.
NodeRef search_sorted(const NodeRef& sorted, const NodeRef& queries, bool right_side,
                      const Location& where);

// Facts and values.
const Extents& shape_of(const NodeRef& node, const char* operation);
void evaluate(std::span<const NodeRef> nodes);
void move_to(std::span<const NodeRef> nodes, const std::string& device);  // evaluates first
void copy_to_host(const NodeRef& node, void* destination);                // evaluates first

}  // namespace detail
}  // namespace tutti
