// Views of foreign memory as nodes, and elements of nodes as foreign memory.
// A view with strides is a leaf over the whole block of memory, in the order of addresses, below
// transformations that only compute indices. No element outside of the view is ever read.
#include "tutti/detail/interchange.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "graph/node.hpp"
#include "runtime/device.hpp"
#include "runtime/memory/buffer.hpp"
#include "tutti/detail/expression_kernel.hpp"

namespace tutti::detail {
namespace {

// An axis of the view that moves through memory: extent above 1 and a positive stride.
struct MovingAxis {
  int axis;  // of the view
  int64_t extent, stride;
};

// The view relative to its lowest address, its axes sorted from the longest stride to the shortest.
struct Layout {
  const char* lowest;
  int64_t elements;  // from the lowest address to the highest
  std::vector<MovingAxis> moving;
};

Layout layout_of(const ForeignMemory& memory) {
  Layout layout{static_cast<const char*>(memory.data), 1, {}};
  for (int axis = 0; axis < memory.shape.rank; ++axis) {
    const int64_t extent = memory.shape[axis], stride = memory.strides[axis];
    if (extent == 1 || stride == 0) continue;
    const int64_t length = stride < 0 ? -stride : stride;
    layout.elements += (extent - 1) * length;
    if (stride < 0) layout.lowest += (extent - 1) * stride * size_of(memory.type);
    layout.moving.push_back({axis, extent, length});
  }
  std::stable_sort(layout.moving.begin(), layout.moving.end(),
                   [](const MovingAxis& a, const MovingAxis& b) { return a.stride > b.stride; });
  return layout;
}

// Returns whether the block is a grid: every stride is a multiple of the next, and no row overlaps
// another.
bool is_grid(const std::vector<MovingAxis>& moving) {
  if (moving.size() == max_rank && moving.back().stride > 1) return false;  // too many axes
  for (size_t i = 0; i + 1 < moving.size(); ++i) {
    const MovingAxis& next = moving[i + 1];
    if (moving[i].stride % next.stride != 0 || next.extent * next.stride > moving[i].stride)
      return false;
  }
  return true;
}

// Returns the extents of a grid that holds the moving axes: a step along one of them is a step in
// the grid. The grid may exceed the block, because its last rows need not be complete. Sections
// exclude the missing elements, so nothing beyond the block is read.
Extents grid_of(const std::vector<MovingAxis>& moving) {
  Extents grid;
  for (size_t i = 0; i < moving.size(); ++i)
    grid.push_back(i == 0 ? moving[0].extent : moving[i - 1].stride / moving[i].stride);
  if (moving.back().stride > 1) grid.push_back(moving.back().stride);
  return grid;
}

// Selects the elements of the view from a grid, one axis for each moving axis.
NodeRef elements_of(const NodeRef& grid, const std::vector<MovingAxis>& moving,
                    const Location& where) {
  std::vector<Range> ranges;
  for (const MovingAxis& axis : moving) ranges.push_back({0, axis.extent, 1});
  const bool has_steps = grid->shape.rank > static_cast<int>(moving.size());
  if (has_steps) ranges.push_back({0, 1, 1});
  const NodeRef part = section(grid, ranges, where);
  return has_steps ? drop_dimension(part, part->shape.rank - 1, where) : part;
}

// Permutes the axes of the grid to the order of the view, and reverses those with a negative
// stride.
NodeRef in_view_order(const NodeRef& grid, const Layout& layout, const ForeignMemory& memory,
                      const Location& where) {
  std::vector<int64_t> order;
  for (int axis = 0; axis < memory.shape.rank; ++axis)
    for (size_t i = 0; i < layout.moving.size(); ++i)
      if (layout.moving[i].axis == axis) order.push_back(static_cast<int64_t>(i));
  NodeRef result = grid;
  if (!std::is_sorted(order.begin(), order.end())) result = transpose(result, order, where);
  std::vector<Range> ranges;
  bool reversed = false;
  for (const int64_t i : order) {
    const MovingAxis& moving = layout.moving[static_cast<size_t>(i)];
    const bool back = memory.strides[moving.axis] < 0;
    ranges.push_back(back ? Range{moving.extent - 1, moving.extent, -1}
                          : Range{0, moving.extent, 1});
    reversed = reversed || back;
  }
  if (reversed) result = section(result, ranges, where);
  for (int axis = 0; axis < memory.shape.rank; ++axis)
    if (memory.shape[axis] == 1 || memory.strides[axis] == 0)
      result = add_dimension(result, axis, memory.shape[axis], where);
  return result;
}

// Makes a view with any strides: the index of each element in the block is computed.
NodeRef gathered_view(const NodeRef& block, const Layout& layout, const ForeignMemory& memory,
                      const Location& where) {
  if (layout.elements > std::numeric_limits<int32_t>::max())
    throw ShapeError(
        "view: the strides are no multiples of each other, and the memory has more than 2^31 "
        "elements: copy them" +
        at(where));
  const auto number = [&](int64_t value) {
    return constant(scalar_value(static_cast<int32_t>(value)), Extents(), where);
  };
  const auto apply = [&](Op op, const NodeRef& a, const NodeRef& b) {
    const NodeRef inputs[] = {a, b};
    return elementwise(op, inputs, where);
  };
  const int64_t first =
      (static_cast<const char*>(memory.data) - layout.lowest) / size_of(memory.type);
  NodeRef address = constant(scalar_value(static_cast<int32_t>(first)), memory.shape, where);
  for (const MovingAxis& moving : layout.moving) {
    const NodeRef i = index(memory.shape, moving.axis, where);
    address = apply(Op::add, address, apply(Op::multiply, i, number(memory.strides[moving.axis])));
  }
  return gather(block, {&address, 1}, Boundary::clamp(), 0, where);
}

void check(const ForeignMemory& memory, const Location& where) {
  const int64_t elements = ir::checked_size(memory.shape, memory.type, "view", where);
  if (elements > 0 && !memory.data)
    throw Error("view: the memory of " + std::to_string(elements) + " elements is a null pointer" +
                at(where));
  if (reinterpret_cast<uintptr_t>(memory.data) % static_cast<uintptr_t>(size_of(memory.type)) != 0)
    throw Error(std::string("view: the address is not a multiple of the size of ") +
                name(memory.type) + ": copy the elements" + at(where));
  __int128 extent = 0;
  for (int axis = 0; axis < memory.shape.rank && elements > 0; ++axis) {
    const __int128 length = static_cast<__int128>(memory.shape[axis] - 1) * memory.strides[axis];
    extent += length < 0 ? -length : length;
  }
  if (extent > (int64_t{1} << 46))
    throw ShapeError("view: the strides span more memory than there can be" + at(where));
}

}  // namespace

std::array<int64_t, max_rank> row_major(const Extents& shape) {
  std::array<int64_t, max_rank> strides{};
  int64_t stride = 1;
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

NodeRef view(const ForeignMemory& memory, const Location& where) {
  check(memory, where);
  runtime::Device& device = runtime::find_device(memory.device);
  const auto leaf = [&](const char* data, int64_t elements, const Extents& shape) {
    const size_t bytes = static_cast<size_t>(elements) * static_cast<size_t>(size_of(memory.type));
    return ir::make_leaf(memory.type, shape, device.borrow(data, bytes, memory.owner), where);
  };
  const int64_t elements = memory.shape.size();
  if (elements == 0) return constant({memory.type, 0}, memory.shape, where);
  const Layout layout = layout_of(memory);
  const std::array<int64_t, max_rank> dense = row_major(memory.shape);
  bool is_dense = true;
  for (int axis = 0; axis < memory.shape.rank; ++axis)
    is_dense = is_dense && (memory.shape[axis] == 1 || memory.strides[axis] == dense[axis]);
  if (is_dense) return leaf(layout.lowest, elements, memory.shape);

  Extents line;
  line.push_back(layout.elements);
  if (is_grid(layout.moving) && !layout.moving.empty()) {
    const NodeRef grid = leaf(layout.lowest, layout.elements, grid_of(layout.moving));
    return in_view_order(elements_of(grid, layout.moving, where), layout, memory, where);
  }
  const NodeRef block = leaf(layout.lowest, layout.elements, line);
  if (layout.moving.empty()) {  // one element, repeated
    const NodeRef one = drop_dimension(block, 0, where);
    return broadcast(one, memory.shape, where);
  }
  return gathered_view(block, layout, memory, where);
}

LentMemory lend(const NodeRef& node, const std::string& device) {
  shape_of(node, "lend");
  runtime::Device& target = runtime::find_device(device);
  ir::BufferRef buffer = buffer_of(node);
  const void* data = target.lend(*buffer);
  return {data, node->type, node->shape, std::move(buffer)};
}

std::string device_of(const NodeRef& node) {
  ir::BufferRef buffer;
  {
    std::lock_guard lock(ir::graph_mutex());
    buffer = node->buffer;
  }
  const bool on_host = buffer && runtime::array_of(*buffer).is_on_host();
  return on_host ? "cpu" : runtime::current_device().name();
}

ElementType type_of(const NodeRef& node) { return node->type; }

bool is_evaluated(const NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return node->buffer != nullptr;
}

}  // namespace tutti::detail
