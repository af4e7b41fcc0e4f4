#include "ranks/pending_graph.hpp"

#include "core/caching/hash.hpp"
#include "graph/copy_pending.hpp"
#include "program/program.hpp"

namespace tutti::ranks {

PendingGraph::PendingGraph(std::span<const NodeRef> roots) {
  std::lock_guard lock(ir::graph_mutex());
  order_ = ir::pending_order(roots);
  for (size_t i = 0; i < order_.size(); ++i) places_.emplace(order_[i].get(), i);
  split_.resize(order_.size());
  uses_.resize(order_.size());
  arrays_.resize(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) {
    const Node& node = *order_[i];
    if (node.buffer) {
      arrays_[i] = split_array_of(node);
      split_[i] = arrays_[i] != nullptr;
      continue;
    }
    for (const NodeRef& input : node.inputs()) {
      ++uses_[place(*input)];
      if (split_[place(*input)]) split_[i] = true;
    }
  }
}

uint64_t PendingGraph::hash() const {
  std::vector<uint64_t> words;
  const auto add = [&](auto word) { words.push_back(static_cast<uint64_t>(word)); };
  std::lock_guard lock(ir::graph_mutex());
  for (size_t i = 0; i < order_.size(); ++i) {
    const Node& node = *order_[i];
    const bool leaf = node.buffer != nullptr;
    add(leaf ? ir::Kind::leaf : node.kind);
    add(node.type);
    for (int64_t extent : node.shape) add(extent);
    add(split_[i]);
    if (leaf) continue;
    add(node.op);
    add(node.reduction);
    add(ir::number_of(node.payload));
    add(node.value.bits);
    for (const NodeRef& input : node.inputs()) add(place(*input));
    if (node.program) add(hash_bytes(node.program->key));
    if (!node.map) continue;
    add(node.map->boundary);
    add(node.map->fill.bits);
    for (const ir::AxisMap& m : node.map->axes) {
      add(m.axis);
      add(m.stride);
      add(m.offset);
    }
  }
  return hash_words(words);
}

}  // namespace tutti::ranks
