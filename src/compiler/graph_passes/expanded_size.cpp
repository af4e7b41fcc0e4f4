#include "compiler/graph_passes/expanded_size.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "compiler/cost_model.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;
using Place = std::vector<ir::AxisMap>;  // coordinates in terms of those of the kernel's point

class Count {
 public:
  Count(const Graph& graph, const std::vector<bool>& in_memory)
      : nodes_(graph.nodes), in_memory_(in_memory) {}

  ExpandedSize run(std::span<const int> roots) {
    constexpr double far_too_many = 16 * cost::max_operations;
    for (int root : roots) expand(root, own_place(nodes_[root].shape));
    while (!stack_.empty() && total_.operations < far_too_many) {
      const auto [node, place] = stack_.back();
      stack_.pop_back();
      if (in_memory_[node] || nodes_[node].kind == Kind::leaf)
        count_load(node, place);
      else
        expand(node, place);
    }
    total_.rows = static_cast<double>(rows_.size());
    return total_;
  }

 private:
  void expand(int i, int place) {
    const GraphNode& node = nodes_[i];
    total_.operations += own_cost(node).operations;
    for (size_t k = 0; k < node.inputs.size(); ++k) want(node.inputs[k], place_of(i, k, place));
  }

  void count_load(int node, int place) {
    total_.loads += 1;
    Place row = places_[static_cast<size_t>(place)];
    if (!row.empty()) row.back().offset = 0;
    rows_.insert(pair_of(node, number(row)));
  }

  static uint64_t pair_of(int a, int b) {
    return static_cast<uint64_t>(a) << 32 | static_cast<uint32_t>(b);
  }

  void want(int node, int place) {
    if (seen_.insert(pair_of(node, place)).second) stack_.push_back({node, place});
  }

  // Returns the place at which node i, computed at `place`, reads input k.
  int place_of(int i, size_t k, int place) {
    const GraphNode& node = nodes_[i];
    if (nodes_[node.inputs[k]].shape.rank == 0) return number({});
    const bool elsewhere = (node.kind == Kind::gather && k == 0) || node.kind == Kind::reshape;
    if (!elsewhere && node.kind != Kind::affine) return place;
    const auto [found, fresh] = moved_.emplace(pair_of(i, place), 0);
    if (fresh)
      found->second = elsewhere ? number({{-2 - i, 1, place}})  // differs from every other place
                                : moved_place(node, place);
    return found->second;
  }

  int moved_place(const GraphNode& node, int place) {
    const Extents& from = nodes_[node.inputs[0]].shape;
    const Place at = places_[static_cast<size_t>(place)];
    Place moved;
    for (int axis = 0; axis < from.rank; ++axis) {
      const ir::AxisMap& m = node.map->axes[axis];
      const auto selected = std::find_if(node.selected.begin(), node.selected.end(),
                                         [&](const auto& s) { return s.axis == axis; });
      if (selected != node.selected.end()) {  // an index that differs from those of other slots
        moved.push_back({-1, 0, -1 - int64_t{selected->slot}});
        continue;
      }
      if (m.axis < 0)
        moved.push_back({-1, 0, m.offset});
      else if (static_cast<size_t>(m.axis) < at.size())
        moved.push_back({at[m.axis].axis, m.stride * at[m.axis].stride,
                         m.stride * at[m.axis].offset + m.offset});
      else  // a transformation of a computed place
        moved.push_back({at[0].axis - axis, m.stride, at[0].offset + m.offset});
    }
    return number(moved);
  }

  int own_place(const Extents& shape) {
    Place place;
    for (int axis = 0; axis < shape.rank; ++axis) place.push_back({axis, 1, 0});
    return number(place);
  }

  int number(const Place& place) {
    std::vector<int64_t> key;
    for (const ir::AxisMap& m : place) key.insert(key.end(), {m.axis, m.stride, m.offset});
    const auto [found, fresh] = numbers_.emplace(std::move(key), static_cast<int>(places_.size()));
    if (fresh) places_.push_back(place);
    return found->second;
  }

  const std::vector<GraphNode>& nodes_;
  const std::vector<bool>& in_memory_;
  std::vector<std::pair<int, int>> stack_;    // nodes and numbers of places
  std::unordered_set<uint64_t> seen_, rows_;  // pairs of nodes and numbers of places
  std::unordered_map<uint64_t, int> moved_;   // by node and place
  std::map<std::vector<int64_t>, int> numbers_;
  std::vector<Place> places_;
  ExpandedSize total_;
};

}  // namespace

ExpandedSize expanded_size(const Graph& graph, const std::vector<bool>& in_memory,
                           std::span<const int> roots) {
  return Count(graph, in_memory).run(roots);
}

}  // namespace tutti::compiler
