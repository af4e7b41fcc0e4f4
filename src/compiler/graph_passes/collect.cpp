#include "compiler/graph_passes/collect.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "compiler/cost_constants.hpp"
#include "graph/section_reads.hpp"
#include "graph/traversal.hpp"
#include "numerics/reduction_tree.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;
using ir::Node;

// Returns whether a node is a gather from a table at least 8 times smaller than the result.
// Recomputing it costs no more than loading a stored copy.
bool gathers_from_small_table(const Node& node) {
  constexpr int64_t times_smaller = 8;
  if (ir::is_leaf(node) || node.kind != Kind::gather) return false;
  for (const detail::NodeRef& input : node.inputs())
    if (!ir::is_leaf(*input)) return false;
  return times_smaller * node.inputs()[0]->shape.size() <= node.shape.size();
}
// Returns whether a node is a few operations on coordinates and constants. (A loop that counts has
// a different graph, with different kernels, for each iteration up to the limit.)
bool is_coordinate_arithmetic(const Node& node) {
  constexpr int few_operations = 4;
  return node.pending_bytes == 0 && node.pending_operations <= few_operations && !node.program;
}
// Decides whether a node that an earlier kernel computed without storing it is stored this time. So
// a value is computed at most twice, and a loop over a growing graph does not restart from its
// beginning at each evaluation.
bool keeps(const Node& node) {
  return node.computed_before && ir::computes_elements(node.kind) &&
         !gathers_from_small_table(node) && !is_coordinate_arithmetic(node);
}

// Returns whether the values of a written section may be computed in place. Another base than these
// may become a common subexpression of the values, which read it at other elements.
bool reads_own_elements(const Node& node) {
  if (ir::is_leaf(node) || node.kind != Kind::write_section || node.inputs().size() < 2)
    return false;
  const Node& base = *node.inputs()[1];
  return (ir::is_leaf(base) || base.kind == Kind::write_section) &&
         ir::section_reads(*node.inputs()[0], base, *node.map) == ir::SectionReads::own;
}

bool has_fill(const Node& node) {
  return node.map && node.map->boundary == Boundary::Kind::constant;
}

bool gathered_often(const Node& leaf) { return leaf.buffer && leaf.buffer->is_gathered_often(); }

constexpr uint64_t selected_axis = 1 << 8;  // in keys

// Returns whether a transformation reads one index of an axis of its input, such as a row of a
// matrix. The index is an argument of the plan. Vectors are excluded: resizing their plans
// (plan/resize.hpp) needs the indices.
bool selects(const Node& node, int axis) {
  const detail::Extents& from = node.inputs()[0]->shape;
  const ir::AxisMap& m = node.map->axes[static_cast<size_t>(axis)];
  return from.rank > 1 && from[axis] > 1 && m.offset >= 0 && m.offset < from[axis] &&
         (m.axis < 0 || node.shape[m.axis] == 1);
}

// Writes everything of a node that a plan depends on. write_extent encodes an extent.
template <class F>
void write_key(const Node& node, bool leaf, std::vector<uint64_t>& key, F write_extent) {
  key.push_back(
      static_cast<uint64_t>(leaf ? Kind::leaf : node.kind) | static_cast<uint64_t>(node.op) << 8 |
      static_cast<uint64_t>(node.reduction) << 16 | static_cast<uint64_t>(node.type) << 24 |
      static_cast<uint64_t>(node.shape.rank) << 32 | static_cast<uint64_t>(keeps(node)) << 40 |
      static_cast<uint64_t>(reads_own_elements(node)) << 41);
  for (int64_t extent : node.shape) key.push_back(write_extent(extent));
  if (!leaf && node.payload.index() != 0) key.push_back(ir::number_of(node.payload));
  if (leaf && gathered_often(node)) key.push_back(~uint64_t{0});
  if (leaf || node.kind == Kind::constant) return;
  for (const detail::NodeRef& input : node.inputs())
    key.push_back(static_cast<uint64_t>(input->place));
  if (node.program) key.push_back(static_cast<uint64_t>(node.program->id));
  if (!node.map) return;
  key.push_back(static_cast<uint64_t>(node.map->boundary));
  if (node.kind == Kind::affine)
    for (int i = 0; i < node.inputs()[0]->shape.rank; ++i) {
      const ir::AxisMap& m = node.map->axes[static_cast<size_t>(i)];
      if (selects(node, i)) {
        key.push_back(static_cast<uint64_t>(m.axis + 1) | selected_axis);
        continue;
      }
      key.push_back(static_cast<uint64_t>(m.axis + 1));
      key.push_back(static_cast<uint64_t>(m.stride));
      key.push_back(static_cast<uint64_t>(m.offset));
    }
}

void add_scalar(const ScalarValue& value, int same, Collected& c) {
  c.scalars.push_back(value.bits);
  c.scalar_types.push_back(value.type);
  c.same_scalar.push_back(same);
}

// Adds a scalar whose value plans may compare: its key is the first slot with the same value. At
// most `most` distinct values are compared.
void add_known_scalar(const ScalarValue& value, Collected& c) {
  constexpr size_t most = 64;
  auto slot = static_cast<int>(c.scalars.size());
  const auto holds_same = [&](int known) {
    const auto i = static_cast<size_t>(known);
    return c.scalars[i] == value.bits && c.scalar_types[i] == value.type;
  };
  const auto found = std::find_if(c.known_scalars.begin(), c.known_scalars.end(), holds_same);
  if (found != c.known_scalars.end())
    slot = *found;
  else if (c.known_scalars.size() < most)
    c.known_scalars.push_back(slot);
  c.key.push_back(static_cast<uint64_t>(slot));
  add_scalar(value, slot, c);
}

void describe(const Node& node, bool leaf, Constants constants, Collected& c) {
  write_key(node, leaf, c.key, [](int64_t extent) { return static_cast<uint64_t>(extent); });
  if (leaf) {
    c.leaves.push_back(const_cast<Node*>(&node));
    return;
  }
  for (const detail::NodeRef& input : node.inputs())
    ++c.references[static_cast<size_t>(input->place)];
  const bool fill = has_fill(node);
  const auto add = [&](const ScalarValue& value, bool may_be_known) {
    if (constants == Constants::which_are_same && may_be_known)
      add_known_scalar(value, c);
    else
      add_scalar(value, static_cast<int>(c.scalars.size()), c);
  };
  if (fill) add(node.map->fill, true);
  if (node.kind == Kind::constant) add(node.value, is_integer(node.type));
  if (node.kind == Kind::affine)
    for (int i = 0; i < node.inputs()[0]->shape.rank; ++i)
      if (selects(node, i))
        add({ElementType::i64,
             static_cast<uint64_t>(node.map->axes[static_cast<size_t>(i)].offset)},
            true);
}

// Copies a map without the indices that are arguments.
void copy_map(const Node& node, Graph& graph, GraphNode& copy, const Collected& collected,
              size_t& scalars) {
  ir::AffineMap& map = graph.maps.emplace_back(*node.map);
  copy.map = &map;
  if (node.kind != Kind::affine) return;
  for (int i = 0; i < node.inputs()[0]->shape.rank; ++i)
    if (selects(node, i)) {
      map.axes[static_cast<size_t>(i)].stride = 1;
      map.axes[static_cast<size_t>(i)].offset = 0;
      copy.selected.push_back({i, collected.same_scalar[scalars++]});
    }
}

}  // namespace

bool is_table(const GraphNode& node, size_t input) {
  return node.program && input >= static_cast<size_t>(node.program->inputs);
}

int below_transformations(const Graph& graph, int node) {
  while (graph.nodes[node].kind == Kind::affine) node = graph.nodes[node].inputs[0];
  return node;
}

std::vector<int> in_program_order(const Graph& graph) {
  std::vector<int> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(graph.nodes[a].number, a) < std::pair(graph.nodes[b].number, b);
  });
  return order;
}

void Collected::clear() {
  order.clear();
  key.clear();
  leaves.clear();
  scalars.clear();
  scalar_types.clear();
  same_scalar.clear();
  known_scalars.clear();
  references.clear();
  roots.clear();
}

bool collect(std::span<const detail::NodeRef> roots, Collected& c, Constants constants) {
  const uint64_t number = ir::next_traversal();
  SmallVector<Node*> stack;
  stack.reserve(64);
  c.order.reserve(128);  // a level of a nested program has about a hundred nodes
  c.references.reserve(128);
  c.key.reserve(1024);
  for (const detail::NodeRef& root : roots) {
    stack.push_back(root.get());
    while (!stack.empty()) {
      Node* node = stack.back();
      if (node->visit == number) {
        stack.pop_back();
        continue;
      }
      if (node->claimed) return false;
      bool ready = true;
      for (const detail::NodeRef& input : node->inputs())
        if (input->visit != number) {
          stack.push_back(input.get());
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      node->visit = number;
      node->place = static_cast<int>(c.order.size());
      c.order.push_back(node);
      c.references.push_back(0);
      describe(*node, ir::is_leaf(*node), constants, c);
    }
    c.roots.push_back(root->place);
    c.key.push_back(~static_cast<uint64_t>(root->place));
  }
  return true;
}

int magnitude_of(int64_t length) {
  if (length <= ir::wide_tile) return 0;
  return 1 + std::bit_width(static_cast<uint64_t>(length / cost::small_domain)) / 3;
}

SizeClass size_class_of(const Collected& collected, const target::Target& target) {
  SizeClass result;
  for (const Node* node : collected.order)
    if (node->shape.rank > 1) return {};
  // Encodes which of the distinct lengths an extent is, and its magnitude.
  const auto write_extent = [&](int64_t extent) -> uint64_t {
    if (extent <= 1) return static_cast<uint64_t>(extent);
    std::vector<int64_t>& lengths = result.lengths;
    const auto found = std::find(lengths.begin(), lengths.end(), extent);
    const auto number = static_cast<uint64_t>(found - lengths.begin());
    if (found == lengths.end()) lengths.push_back(extent);
    return (number + 2) << 8 | static_cast<uint64_t>(magnitude_of(extent));
  };
  for (const Node* node : collected.order)
    write_key(*node, ir::is_leaf(*node), result.key, write_extent);
  for (int root : collected.roots) result.key.push_back(~static_cast<uint64_t>(root));
  for (int slot : collected.same_scalar) result.key.push_back(static_cast<uint64_t>(slot));
  result.key.push_back(reinterpret_cast<uintptr_t>(&target));
  return result;
}

bool has_scalar(const Node& node) {
  return !ir::is_leaf(node) && (node.kind == Kind::constant || has_fill(node));
}

Graph copy_graph(const Collected& collected) {
  Graph graph;
  int leaves = 0;
  size_t scalars = 0;
  for (const Node* node : collected.order) {
    GraphNode& copy = graph.nodes.emplace_back();
    const bool leaf = ir::is_leaf(*node);
    copy.kind = leaf ? Kind::leaf : node->kind;
    copy.op = node->op;
    copy.reduction = node->reduction;
    copy.type = node->type;
    copy.shape = node->shape;
    copy.payload = node->payload;
    copy.where = node->where;
    copy.number = node->number;
    if (leaf) {
      copy.gathered_often = gathered_often(*node);
      copy.slot = leaves++;
      continue;
    }
    copy.keep = keeps(*node);
    copy.in_place = reads_own_elements(*node);
    for (const detail::NodeRef& input : node->inputs()) copy.inputs.push_back(input->place);
    copy.program = node->program;
    if (has_scalar(*node)) copy.slot = collected.same_scalar[scalars++];
    // The position of a written section is an argument that the passes do not see.
    if (node->map && node->kind != Kind::write_section)
      copy_map(*node, graph, copy, collected, scalars);
  }
  graph.roots = collected.roots;
  for (int root : graph.roots) graph.nodes[static_cast<size_t>(root)].keep = true;
  return graph;
}

}  // namespace tutti::compiler
