#include "graph/affine_index.hpp"

#include <algorithm>
#include <limits>

namespace tutti::ir {
namespace {

// Index arithmetic of programs is short. Deeper expressions are not recognised.
constexpr int deepest = 8;

bool fits(int64_t n) {
  return n >= std::numeric_limits<int32_t>::min() && n <= std::numeric_limits<int32_t>::max();
}

// The int32 arithmetic must not wrap around, because coordinates do not.
std::optional<AxisMap> checked(const AxisMap& map, const Extents& shape) {
  const int64_t last = map.axis < 0 ? 0 : shape[map.axis] - 1;
  const bool small = fits(map.stride) && fits(map.offset);
  if (!small || !fits(map.stride * last + map.offset)) return std::nullopt;
  return map;
}

std::optional<AxisMap> axis_map_of(const Node& node, const Extents& shape, int depth);

std::optional<AxisMap> combined(const Node& node, const Extents& shape, int depth) {
  std::optional<AxisMap> sides[2];
  const auto inputs = node.inputs();
  for (size_t i = 0; i < inputs.size() && i < 2; ++i) {
    sides[i] = axis_map_of(*inputs[i], shape, depth + 1);
    if (!sides[i]) return std::nullopt;
  }
  AxisMap &a = *sides[0], &b = inputs.size() > 1 ? *sides[1] : a;
  switch (node.op) {
    case Op::negate:
      return checked({a.axis, -a.stride, -a.offset}, shape);
    case Op::subtract:
      b = {b.axis, -b.stride, -b.offset};
      [[fallthrough]];
    case Op::add:
      if (a.axis >= 0 && b.axis >= 0 && a.axis != b.axis) return std::nullopt;
      return checked(
          {std::max(a.axis, b.axis), (a.axis < 0 ? 0 : a.stride) + (b.axis < 0 ? 0 : b.stride),
           a.offset + b.offset},
          shape);
    case Op::multiply:
      if (a.axis >= 0 && b.axis >= 0) return std::nullopt;
      if (b.axis >= 0) std::swap(a, b);
      return checked({a.axis, a.stride * b.offset, a.offset * b.offset}, shape);
    default:
      return std::nullopt;
  }
}

std::optional<AxisMap> axis_map_of(const Node& node, const Extents& shape, int depth) {
  if (node.type != ElementType::i32 || depth > deepest) return std::nullopt;
  // An evaluated node has released its inputs, whatever computed it.
  if (node.buffer) return std::nullopt;
  switch (node.kind) {
    case Kind::index:
      if (!(node.shape == shape)) return std::nullopt;
      return AxisMap{node.get<IndexAxis>().axis, 1, 0};
    case Kind::constant:
      return AxisMap{-1, 1, static_cast<int32_t>(node.value.bits)};
    case Kind::elementwise:
      return combined(node, shape, depth);
    default:
      return std::nullopt;
  }
}

// Returns the inputs of a pending int32 operation, or nothing for other nodes.
std::span<const NodeRef> operands(const Node& node, Op op) {
  const bool is = node.kind == Kind::elementwise && node.op == op &&
                  node.type == ElementType::i32 && !node.buffer;
  return is ? node.inputs() : std::span<const NodeRef>();
}

std::optional<int64_t> constant_of(const Node& node) {
  if (node.kind != Kind::constant || node.type != ElementType::i32) return std::nullopt;
  return static_cast<int32_t>(node.value.bits);
}

// Removes max(e, 0) and min(e, extent - 1), which have no effect where coordinates are clamped.
const Node& without_clamps(const Node& node, int64_t extent) {
  for (Op op : {Op::max, Op::min}) {
    const auto inputs = operands(node, op);
    for (size_t i = 0; i < inputs.size(); ++i)
      if (const auto bound = constant_of(*inputs[i]);
          bound && (op == Op::max ? *bound <= 0 : *bound >= extent - 1))
        return without_clamps(*inputs[1 - i], extent);
  }
  return node;  // NOLINT(bugprone-return-const-ref-from-parameter): nodes outlive the call
}

struct Interval {
  int64_t low, high;
};
Interval values_of(const AxisMap& map, const Extents& shape) {
  const int64_t first = map.offset,
                last = map.axis < 0 ? first : map.stride * (shape[map.axis] - 1) + map.offset;
  return {std::min(first, last), std::max(first, last)};
}

// Returns e of e % extent, or null. Under a wrapping rule it equals e if e is never negative.
const Node* without_remainder(const Node& node, int64_t extent) {
  const auto inputs = operands(node, Op::remainder);
  return !inputs.empty() && constant_of(*inputs[1]) == extent ? inputs[0].get() : nullptr;
}

// Returns the same index modulo the extent with the smallest magnitude: i + (n - 1) is i - 1.
int64_t nearest_around(int64_t offset, int64_t extent) {
  const int64_t place = offset % extent;
  return place > extent / 2 ? place - extent : place;
}

}  // namespace

std::optional<AffineMap> affine_map_of(std::span<const NodeRef> indices, const Extents& extents,
                                       Boundary::Kind boundary) {
  const Extents& shape = indices[0]->shape;
  if (shape.rank == 0 || shape.size() == 0) return std::nullopt;
  AffineMap map;
  map.boundary = boundary;
  bool needs_rule = false;  // of the boundary
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const int64_t extent = extents[static_cast<int>(axis)];
    const Node* node = indices[axis].get();
    const Node* wrapped = without_remainder(*node, extent);
    if (wrapped)
      node = wrapped;
    else if (boundary == Boundary::Kind::clamp)
      node = &without_clamps(*node, extent);
    const auto one = axis_map_of(*node, shape, 0);
    if (!one || (one->axis >= 0 && one->stride == 0)) return std::nullopt;
    map.axes[axis] = *one;
    const Interval values = values_of(*one, shape);
    if (wrapped && values.low < 0) return std::nullopt;
    if (wrapped) {
      map.boundary = Boundary::Kind::wrap;
      map.axes[axis].offset = nearest_around(one->offset, extent);
    }
    needs_rule |= !wrapped && (values.low < 0 || values.high >= extent);
  }
  if (map.boundary != boundary && needs_rule) return std::nullopt;
  return map;
}

}  // namespace tutti::ir
