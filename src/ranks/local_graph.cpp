#include "ranks/local_graph.hpp"

#include "tutti/ranks.hpp"

namespace tutti::ranks {

void LocalGraph::want(const Node& node, const Box& box) {
  if (!graph_.is_split(node) || box.size() == 0) return;
  std::optional<Box>& known = boxes_[graph_.place(node)];
  const Box all = known ? hull(*known, box) : box;
  if (node.buffer) {
    Box needed = all;
    for (int i = 0; i < needed.rank; ++i) {
      const bool along = i == graph_.array_of(node)->layout.axis;
      if (needed[i].size() >= node.shape[i] || (!along && !is_within(needed[i], node.shape[i])))
        needed[i] = {0, node.shape[i]};
    }
    known = needed;
    return;
  }
  Box computed = all;
  for (int i = 0; i < computed.rank; ++i)
    if (!is_within(computed[i], node.shape[i]) && computed[i].size() >= node.shape[i])
      computed[i] = {0, node.shape[i]};
  known = computable(node, computed);
}

void LocalGraph::propagate() {
  for (size_t i = graph_.order().size(); i-- > 0;) {
    const Node& node = *graph_.order()[i];
    const std::optional<Box>& box = boxes_[i];
    if (!box || node.buffer) continue;
    for (size_t k = 0; k < node.inputs().size(); ++k) {
      const Node& input = *node.inputs()[k];
      const Box needed = needed_input(node, *box, k);
      want(input, needed);
      const int64_t bytes = input.shape.size() * size_of(input.type);
      if (graph_.is_split(input) && gathers_input(node, k) && needed == whole(input.shape) &&
          input.shape.size() >= split_from())
        gathered_.push_back({&node, bytes});
    }
  }
}

std::vector<LocalGraph::Leaf> LocalGraph::leaves() const {
  std::vector<Leaf> result;
  for (size_t i = 0; i < graph_.order().size(); ++i) {
    const auto& array = graph_.array_of(*graph_.order()[i]);
    if (!array) continue;
    Box nothing;
    nothing.rank = array->shape.rank;
    result.push_back({array, boxes_[i].value_or(nothing), i});
  }
  return result;
}

void LocalGraph::give(const Leaf& leaf, NodeRef held, const Box& box) {
  boxes_[leaf.place] = box;
  local_[leaf.place] = std::move(held);
}

void LocalGraph::build() {
  for (size_t i = 0; i < graph_.order().size(); ++i) {
    const Node& node = *graph_.order()[i];
    if (node.buffer) continue;
    std::vector<NodeRef> inputs;
    if (!graph_.is_split(node)) {
      for (const NodeRef& input : node.inputs()) inputs.push_back(copy_of(input));
      local_[i] = clone(node, node.shape, inputs);
      continue;
    }
    const std::optional<Box>& box = boxes_[i];
    if (!box) continue;
    if (node.kind == ir::Kind::affine) local_[i] = transformed(node, *box);
    if (local_[i]) continue;
    for (size_t k = 0; k < node.inputs().size(); ++k)
      inputs.push_back(part(node.inputs()[k], needed_input(node, *box, k)));
    local_[i] = build_part(node, *box, inputs);
  }
}

NodeRef LocalGraph::transformed(const Node& node, const Box& box) const {
  const NodeRef& input = node.inputs()[0];
  if (!graph_.is_split(*input))
    return transform_held(node, box, copy_of(input), whole(input->shape));
  const size_t place = graph_.place(*input);
  const std::optional<Box>& held = boxes_[place];
  return held ? transform_held(node, box, local_[place], *held) : NodeRef();
}

NodeRef LocalGraph::copy_of(const NodeRef& node) const {
  return node->buffer ? node : local_[graph_.place(*node)];
}

NodeRef LocalGraph::part(const NodeRef& node, const Box& box) const {
  if (!graph_.is_split(*node))
    return take_part(copy_of(node), whole(node->shape), box, node->where);
  if (box.size() == 0) return ir::make_constant({node->type, 0}, box.extents(), node->where);
  const size_t place = graph_.place(*node);
  const std::optional<Box>& held = boxes_[place];
  if (!held) throw InternalError("a part of an array was not requested before it was built");
  return take_part(local_[place], *held, box, node->where);
}

}  // namespace tutti::ranks
