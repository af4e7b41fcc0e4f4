// Builders of nodes: sources, element-wise operations, gathers, reductions, products.
#include <algorithm>
#include <array>

#include "graph/affine_index.hpp"
#include "graph/element_count.hpp"
#include "graph/node.hpp"
#include "graph/terms.hpp"
#include "graph/type_rules.hpp"

namespace tutti::ir {

int64_t checked_size(const Extents& shape, ElementType type, const char* operation,
                     const Location& where) {
  int64_t size = size_of(type);
  for (int64_t dim : shape) {
    if (dim < 0)
      throw ShapeError(std::string(operation) + ": the shape " + detail::to_string(shape) +
                       " has a negative extent" + detail::at(where));
    if (dim > 0 && size > (int64_t{1} << 47) / dim)
      throw ShapeError(std::string(operation) + ": the shape " + detail::to_string(shape) +
                       " has more elements than memory can be addressed" + detail::at(where));
    size *= dim;
  }
  return shape.size();
}

Extents broadcast_shapes(std::span<const Extents> shapes, const char* operation,
                         const Location& where) {
  Extents result;
  for (const Extents& shape : shapes)
    if (shape.rank > result.rank) result.rank = shape.rank;
  for (int i = 0; i < result.rank; ++i) result[i] = 1;
  for (const Extents& shape : shapes)
    for (int i = 0; i < shape.rank; ++i) {
      int64_t& dim = result[result.rank - shape.rank + i];
      if (dim == 1) {
        dim = shape[i];
      } else if (shape[i] != 1 && shape[i] != dim) {
        std::string given;
        for (const Extents& s : shapes)
          given += (given.empty() ? "" : " and ") + detail::to_string(s);
        throw ShapeError(std::string(operation) + ": shapes " + given +
                         " do not combine: an axis must have the same extent in both, or extent 1" +
                         detail::at(where));
      }
    }
  return result;
}

Location place_of(const Location& where, std::span<const NodeRef> inputs) {
  if (where.line() != 0) return where;
  for (const NodeRef& input : inputs)
    if (input && input->where.line() != 0) return input->where;
  return where;
}

void require_alive(std::span<const NodeRef> inputs, const char* operation, const Location& where) {
  for (const NodeRef& input : inputs)
    if (!input)
      throw Error(std::string(operation) +
                  ": an array was read after it had been moved from; assign it again first" +
                  detail::at(where));
}

NodeRef repeat_to(const NodeRef& input, const Extents& shape, const Location& where) {
  if (input->shape == shape || input->shape.rank == 0) return input;
  AffineMap map;
  map.name = "broadcast";
  const int lead = shape.rank - input->shape.rank;
  for (int i = 0; i < input->shape.rank; ++i)
    map.axes[i] = input->shape[i] == 1 ? AxisMap{-1, 0, 0} : AxisMap{lead + i, 1, 0};
  return make_affine(input, shape, map, where);
}

NodeRef make_leaf(ElementType type, const Extents& shape, BufferRef buffer, const Location& where) {
  auto* node = new Node(Kind::leaf, type, shape, where);
  node->pending_bytes.store(static_cast<int64_t>(buffer->bytes()), std::memory_order_relaxed);
  if (where.line() != 0) buffer->note_origin(where, type, shape);
  node->buffer = std::move(buffer);
  return NodeRef(node);
}

NodeRef make_constant(ScalarValue value, const Extents& shape, const Location& where) {
  checked_size(shape, value.type, "Array", where);
  auto* node = new Node(Kind::constant, value.type, shape, where);
  node->value = value;
  return NodeRef(node);
}

NodeRef make_index(const Extents& shape, int axis, const Location& where, ElementType type) {
  checked_size(shape, type, "index", where);
  if (axis < 0 || axis >= shape.rank)
    throw ShapeError("index: axis " + std::to_string(axis) + " of the shape " +
                     detail::to_string(shape) + detail::at(where));
  if (type == ElementType::i32)
    require_int32(shape[axis] - 1, "index: the last coordinate on axis " + std::to_string(axis),
                  "ask for index<int64_t>()", where);
  auto* node = new Node(Kind::index, type, shape, where);
  node->payload = IndexAxis{axis};
  return NodeRef(node);
}

NodeRef make_elementwise(Op op, std::span<const NodeRef> inputs, const Location& given) {
  require_alive(inputs, op_name(op), given);
  const Location where = place_of(given, inputs);
  std::array<ElementType, 3> types;
  for (size_t i = 0; i < inputs.size(); ++i) types[i] = inputs[i]->type;
  const ElementType type = result_type(op, std::span(types.data(), inputs.size()), where);

  // Usually all shapes agree or are scalars: then no broadcast is needed.
  const Node* widest = inputs[0].get();
  for (const NodeRef& input : inputs)
    if (input->shape.rank > widest->shape.rank) widest = input.get();
  const auto fits = [&](const NodeRef& input) {
    return input->shape.rank == 0 || input->shape == widest->shape;
  };
  if (std::all_of(inputs.begin(), inputs.end(), fits)) {
    auto* node = new Node(Kind::elementwise, type, widest->shape, where);
    node->op = op;
    node->set_inputs(inputs);
    return NodeRef(node);
  }

  std::array<Extents, 3> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) shapes[i] = inputs[i]->shape;
  const Extents shape =
      broadcast_shapes(std::span(shapes.data(), inputs.size()), op_name(op), where);
  std::array<NodeRef, 3> ready;
  for (size_t i = 0; i < inputs.size(); ++i) ready[i] = repeat_to(inputs[i], shape, where);
  auto* node = new Node(Kind::elementwise, type, shape, where);
  node->op = op;
  node->set_inputs(std::span(ready.data(), inputs.size()));
  return NodeRef(node);
}

NodeRef make_cast(const NodeRef& input, ElementType type, const Location& where) {
  require_alive({&input, 1}, "cast", where);
  if (input->type == type) return input;
  // These nodes are int64 only because int32 does not hold their values. Computed nodes have no
  // inputs.
  if (type == ElementType::i32 && input->type == ElementType::i64 && !input->inputs().empty() &&
      (input->kind == Kind::sort_permutation || input->kind == Kind::search_sorted))
    require_int32(input->inputs()[0]->shape[0],
                  std::string(kind_name(input->kind)) + ": the number of elements",
                  "sort the values themselves, or in parts", where);
  if (input->kind == Kind::constant)
    return make_constant(convert(input->value, type), input->shape, where);
  auto* node = new Node(Kind::cast, type, input->shape, place_of(where, {&input, 1}));
  node->set_inputs({&input, 1});
  return NodeRef(node);
}

namespace {

// Applies the boundary rule to a 64-bit index: the result is inside of the axis, or -1 where the
// fill applies. Sums with it cannot overflow 64 bits, and on most axes it fits 32.
NodeRef apply_boundary(const NodeRef& index, int64_t extent, Boundary::Kind boundary,
                       const Location& where) {
  const auto i64 = [&](int64_t value) { return number(value, ElementType::i64, where); };
  NodeRef result;
  switch (boundary) {
    case Boundary::Kind::clamp:
      result = apply(Op::min, apply(Op::max, index, i64(0), where), i64(extent - 1), where);
      break;
    case Boundary::Kind::wrap: {
      const NodeRef rest = apply(Op::remainder, index, i64(extent), where);
      result = apply(Op::choose, apply(Op::less, rest, i64(0), where),
                     apply(Op::add, rest, i64(extent), where), rest, where);
      break;
    }
    case Boundary::Kind::constant: {
      const NodeRef inside = apply(Op::logical_and, apply(Op::less_equal, i64(0), index, where),
                                   apply(Op::less, index, i64(extent), where), where);
      result = apply(Op::choose, inside, index, i64(-1), where);
      break;
    }
  }
  const bool narrow = extent <= std::numeric_limits<int32_t>::max();
  return narrow ? make_cast(result, ElementType::i32, where) : result;
}

void check_indices(const NodeRef& input, std::span<const NodeRef> indices, const Location& where) {
  if (static_cast<int>(indices.size()) != input->shape.rank)
    throw ShapeError("gather: " + std::to_string(indices.size()) +
                     " index arrays for an array of rank " + std::to_string(input->shape.rank) +
                     detail::at(where));
  for (const NodeRef& index : indices) {
    if (!is_index_type(index->type))
      throw TypeError(std::string("gather: indices are int32 or int64, not ") + name(index->type) +
                      detail::at(where));
    // The extents of a program's tables are known only when it runs.
    if (index->type == ElementType::i64 && input->kind == Kind::parameter)
      throw TypeError("gather: in a program indices are int32; use cast<int32_t>()" +
                      detail::at(where));
    if (!(index->shape == indices[0]->shape))
      throw ShapeError("gather: index arrays of shapes " + detail::to_string(indices[0]->shape) +
                       " and " + detail::to_string(index->shape) + detail::at(where));
  }
}

}  // namespace

NodeRef make_gather(const NodeRef& input, std::span<const NodeRef> given_indices,
                    Boundary::Kind boundary, ScalarValue fill, const Location& given) {
  require_alive({&input, 1}, "gather", given);
  require_alive(given_indices, "gather", given);
  const Location where = place_of(given, given_indices);
  check_indices(input, given_indices, where);
  std::array<NodeRef, max_rank> in_range;
  std::copy(given_indices.begin(), given_indices.end(), in_range.begin());
  const std::span<const NodeRef> indices(in_range.data(), given_indices.size());
  if (input->shape.size() == 0 && indices[0]->shape.size() > 0 &&
      boundary != Boundary::Kind::constant)
    throw ShapeError("gather: an empty array of shape " + detail::to_string(input->shape) +
                     " has no element to give; use Boundary::constant" + detail::at(where));
  if (input->shape.size() == 0)
    return make_constant(convert(fill, input->type), indices[0]->shape, where);
  for (size_t axis = 0; axis < indices.size(); ++axis)
    if (indices[axis]->type == ElementType::i64)
      in_range[axis] =
          apply_boundary(indices[axis], input->shape[static_cast<int>(axis)], boundary, where);
  if (auto map = affine_map_of(indices, input->shape, boundary)) {
    map->name = "gather";
    map->fill = convert(fill, input->type);
    return make_affine(input, indices[0]->shape, *map, where);
  }
  auto* node = new Node(Kind::gather, input->type, indices[0]->shape, where);
  node->map = std::make_unique<AffineMap>();
  node->map->boundary = boundary;
  node->map->fill = convert(fill, input->type);
  std::array<NodeRef, max_rank + 1> inputs{input};
  std::copy(indices.begin(), indices.end(), inputs.begin() + 1);
  node->set_inputs(std::span(inputs.data(), indices.size() + 1));
  return NodeRef(node);
}

Reduction checked_reduction(Reduction reduction, ElementType type, const char* operation,
                            const Location& where) {
  if (const auto result = canonical_reduction(reduction, type)) return *result;
  const ReductionInfo& info = info_of(reduction);
  if (info.accumulates)
    throw TypeError(std::string(operation) + ": the " + info.function +
                    " of bool is taken in int32; convert with cast<int>()" + detail::at(where));
  throw TypeError(std::string(operation) + " takes " +
                  (info.on_integers ? "integers or bool" : "bool") + ", not " + name(type) +
                  detail::at(where));
}

NodeRef make_reduce(Reduction reduction, const NodeRef& input, std::span<const int> axes,
                    const Location& given) {
  require_alive({&input, 1}, reduction_name(reduction), given);
  const Location where = place_of(given, {&input, 1});
  uint32_t mask = 0;
  for (int axis : axes) {
    if (axis < 0 || axis >= input->shape.rank || (mask >> axis & 1))
      throw ShapeError(
          std::string(reduction_name(reduction)) + ": axis " + std::to_string(axis) +
          (axis < 0 || axis >= input->shape.rank ? " of the shape " : " twice, of the shape ") +
          detail::to_string(input->shape) + detail::at(where));
    mask |= 1u << axis;
  }
  const Reduction canonical =
      checked_reduction(reduction, input->type, reduction_name(reduction), where);
  if (mask == 0) return input;
  Extents shape;
  int64_t each = 1;  // elements per result
  for (int i = 0; i < input->shape.rank; ++i)
    mask >> i & 1 ? static_cast<void>(each *= input->shape[i]) : shape.push_back(input->shape[i]);
  if (reduction == Reduction::sum && is_counted(*input))
    require_int32(each, "count: the number of flags",
                  "count in 64 bits with sum(cast<int64_t>(flags))", where);

  // half is summed in float.
  if (sums_in_float(reduction, input->type))
    return make_cast(make_reduce(reduction, make_cast(input, ElementType::f32, where), axes, where),
                     ElementType::f16, where);
  auto* node = new Node(Kind::reduce, input->type, shape, where);
  node->reduction = canonical;
  node->payload = ReducedAxes{mask};
  node->set_inputs({&input, 1});
  return NodeRef(node);
}

NodeRef make_inner_product(const NodeRef& a, const NodeRef& b, const Location& given) {
  const NodeRef inputs[] = {a, b};
  require_alive(inputs, "inner_product", given);
  const Location where = place_of(given, inputs);
  const Extents &left = a->shape, &right = b->shape;
  if (left.rank == 0 || right.rank == 0 || left[left.rank - 1] != right[0])
    throw ShapeError(
        "inner_product: shapes " + detail::to_string(left) + " and " + detail::to_string(right) +
        " do not combine: the last axis of the first and the first axis of the second must "
        "have one extent" +
        detail::at(where));
  if (a->type != b->type || a->type == ElementType::b8)
    throw TypeError(std::string("inner_product takes numbers of one type, not ") + name(a->type) +
                    " and " + name(b->type) + detail::at(where));
  if (left.rank + right.rank - 2 > max_rank)
    throw ShapeError("inner_product: the result would have more than " + std::to_string(max_rank) +
                     " axes" + detail::at(where));
  Extents shape;
  for (int i = 0; i + 1 < left.rank; ++i) shape.push_back(left[i]);
  for (int i = 1; i < right.rank; ++i) shape.push_back(right[i]);
  checked_size(shape, a->type, "inner_product", where);
  if (a->type == ElementType::f16)  // products of half numbers are summed in float
    return make_cast(make_inner_product(make_cast(a, ElementType::f32, where),
                                        make_cast(b, ElementType::f32, where), where),
                     ElementType::f16, where);
  auto* node = new Node(Kind::inner_product, a->type, shape, where);
  node->set_inputs(inputs);
  return NodeRef(node);
}

NodeRef make_reshape(const NodeRef& input, const Extents& shape, const Location& where) {
  require_alive({&input, 1}, "reshape", where);
  checked_size(shape, input->type, "reshape", where);
  if (shape.size() != input->shape.size())
    throw ShapeError("reshape: " + detail::to_string(input->shape) + " has " +
                     std::to_string(input->shape.size()) + " elements, " +
                     detail::to_string(shape) + " has " + std::to_string(shape.size()) +
                     detail::at(where));
  if (input->shape == shape) return input;
  if (input->kind == Kind::constant) return make_constant(input->value, shape, where);
  auto* node = new Node(Kind::reshape, input->type, shape, where);
  node->set_inputs({&input, 1});
  return NodeRef(node);
}

}  // namespace tutti::ir
