#include "ir/affine_index.hpp"

#include <limits>

namespace tutti::ir {
namespace {

// Index arithmetic of a program is short; what is longer is no multiple of a coordinate.
constexpr int deepest = 8;

bool fits(int64_t n) {
  return n >= std::numeric_limits<int32_t>::min() && n <= std::numeric_limits<int32_t>::max();
}

// The int32 arithmetic must not wrap around, for coordinates do not.
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
  // What has been evaluated has given up its inputs, whatever it was computed by.
  if (node.buffer) return std::nullopt;
  switch (node.kind) {
    case Kind::index:
      if (!(node.shape == shape)) return std::nullopt;
      return AxisMap{static_cast<int>(node.axes), 1, 0};
    case Kind::constant:
      return AxisMap{-1, 1, static_cast<int32_t>(node.value.bits)};
    case Kind::elementwise:
      return combined(node, shape, depth);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<AffineMap> affine_map_of(std::span<const NodeRef> indices) {
  const Extents& shape = indices[0]->shape;
  if (shape.rank == 0 || shape.size() == 0) return std::nullopt;
  AffineMap map;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const auto one = axis_map_of(*indices[axis], shape, 0);
    if (!one || (one->axis >= 0 && one->stride == 0)) return std::nullopt;
    map.axes[axis] = *one;
  }
  return map;
}

}  // namespace tutti::ir
