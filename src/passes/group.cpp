#include "passes/group.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "passes/cost.hpp"
#include "passes/written_out.hpp"

namespace tutti::passes {
namespace {

using NodeKind = ir::Kind;

// What a node in memory reads from memory: other nodes, and whether at its own coordinates only.
struct Reads {
  std::set<int> nodes;                  // materialised nodes and leaves
  std::set<int> elsewhere;              // those among them that are read at other coordinates too
  std::set<int> computed;               // what is computed on the way
  std::set<std::pair<int, int>> loads;  // which is read, by which transformation (-1: as it is)
};

class Grouping {
 public:
  Grouping(const Graph& graph, const Materialised& memory)
      : graph_(graph), nodes_(graph.nodes), memory_(memory), group_of_(graph.nodes.size(), -1) {
    // All outputs of a program for the same inputs are one call, known by the first.
    std::map<std::pair<const ir::ScalarProgram*, std::vector<int>>, int> calls;
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
      if (nodes_[i].program)
        call_of_[i] =
            calls.emplace(std::pair(nodes_[i].program.get(), nodes_[i].inputs), i).first->second;
  }

  std::vector<Group> run() {
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
      if (memory_.in_memory[i]) place(i);
    return in_order();
  }

 private:
  struct Building {
    Group group;
    std::set<int> reads;     // nodes
    std::set<int> computed;  // nodes inside of its kernel
    std::set<std::pair<int, int>> loads;
    std::set<int> depends_on;  // groups, transitively
  };

  void place(int i) {
    Reads reads = reads_of(i);
    std::set<int> needed;  // groups that must have run, transitively
    for (int node : reads.nodes)
      if (group_of_[node] >= 0) {
        needed.insert(group_of_[node]);
        const auto& more = groups_[group_of_[node]].depends_on;
        needed.insert(more.begin(), more.end());
      }
    int target = -1;
    for (int g = static_cast<int>(groups_.size()) - 1; g >= 0 && target < 0; --g)
      if (can_join(i, g, reads, needed)) target = g;
    if (target < 0) {
      target = static_cast<int>(groups_.size());
      groups_.push_back({Group{kind_of(i), {}}, {}, {}, {}, {}});
    }
    Building& building = groups_[target];
    building.group.nodes.push_back(i);
    building.reads.insert(reads.nodes.begin(), reads.nodes.end());
    building.computed.insert(reads.computed.begin(), reads.computed.end());
    building.loads.insert(reads.loads.begin(), reads.loads.end());
    needed.erase(target);
    building.depends_on.insert(needed.begin(), needed.end());
    group_of_[i] = target;
    // Whoever depends on the group now depends on what it needs.
    for (Building& other : groups_)
      if (other.depends_on.count(target)) other.depends_on.insert(needed.begin(), needed.end());
  }

  Group::Kind kind_of(int i) const {
    switch (nodes_[i].kind) {
      case NodeKind::reduce:
        return Group::Kind::reduce;
      case NodeKind::inner_product:
        return Group::Kind::product;
      case NodeKind::reshape: {  // of what is computed on the way it is a kernel like others
        const int input = nodes_[i].inputs[0];
        const bool there = memory_.in_memory[input] || nodes_[input].kind == NodeKind::leaf;
        return there ? Group::Kind::alias : Group::Kind::map;
      }
      default:
        return ir::is_primitive(nodes_[i].kind) ? Group::Kind::primitive : Group::Kind::map;
    }
  }

  bool can_join(int i, int g, const Reads& reads, const std::set<int>& needed) const {
    const Building& candidate = groups_[g];
    const Group::Kind kind = kind_of(i);
    if (kind != candidate.group.kind || (kind != Group::Kind::map && kind != Group::Kind::reduce))
      return false;
    if (static_cast<int>(candidate.group.nodes.size()) >= cost::max_outputs) return false;
    const GraphNode &node = nodes_[i], &member = nodes_[candidate.group.nodes[0]];
    if (!(node.shape == member.shape)) return false;
    if (kind == Group::Kind::reduce &&
        (node.axes != member.axes ||
         !(nodes_[node.inputs[0]].shape == nodes_[member.inputs[0]].shape)))
      return false;
    // Nothing that runs after the group may be needed before it.
    for (int group : needed)
      if (group != g && groups_[group].depends_on.count(g)) return false;
    bool shares = false, uses_member = false;
    for (int node_read : reads.nodes) {
      if (group_of_[node_read] == g) {
        if (kind == Group::Kind::reduce || reads.elsewhere.count(node_read)) return false;
        uses_member = true;
      }
      shares |= candidate.reads.count(node_read) > 0;
    }
    size_t computed = candidate.computed.size();
    for (int node_computed : reads.computed) {
      const bool shared = candidate.computed.count(node_computed) > 0;
      shares |= shared;
      computed += !shared;
    }
    size_t loads = candidate.loads.size();
    for (const auto& load : reads.loads) loads += !candidate.loads.count(load);
    if (static_cast<double>(computed) > cost::max_operations ||
        static_cast<double>(loads) > cost::max_loads)
      return false;
    const Extents& domain = kind == Group::Kind::reduce ? nodes_[node.inputs[0]].shape : node.shape;
    if (!shares && !uses_member && domain.size() > cost::small_domain) return false;
    return !memory_.tiled[i] || fits_together(i, candidate.group);
  }

  // Stencils are written out for every position of their taps.
  bool fits_together(int i, const Group& group) const {
    std::vector<int> roots = group.nodes;
    roots.push_back(i);
    return written_out(graph_, memory_.in_memory, roots).operations <= cost::max_shared_operations;
  }

  // Everything in memory that the computation of a node touches, down to its producers.
  Reads reads_of(int root) const {
    Reads reads;
    std::set<std::pair<int, bool>> seen;
    std::vector<std::pair<int, bool>> stack;
    const NodeKind kind = nodes_[root].kind;
    const bool own = kind == NodeKind::elementwise || kind == NodeKind::cast ||
                     kind == NodeKind::gather || kind == NodeKind::program;
    if (nodes_[root].program) reads.computed.insert(call_of_.at(root));
    push_inputs(root, own, stack);
    while (!stack.empty()) {
      const auto [i, here] = stack.back();
      stack.pop_back();
      if (!seen.insert({i, here}).second) continue;
      const bool in_memory = memory_.in_memory[i] || nodes_[i].kind == NodeKind::leaf;
      if (in_memory) {
        reads.nodes.insert(i);
        if (!here) reads.elsewhere.insert(i);
      } else {
        for (int input : nodes_[i].inputs)
          if (memory_.in_memory[input] || nodes_[input].kind == NodeKind::leaf)
            reads.loads.insert(
                {input, nodes_[i].kind == NodeKind::affine || nodes_[i].kind == NodeKind::gather
                            ? i
                            : -1});
        if (nodes_[i].kind == NodeKind::elementwise || nodes_[i].kind == NodeKind::gather)
          reads.computed.insert(i);
        if (nodes_[i].program) reads.computed.insert(call_of_.at(i));
        push_inputs(i, here, stack);
      }
    }
    return reads;
  }

  void push_inputs(int i, bool here, std::vector<std::pair<int, bool>>& stack) const {
    const GraphNode& node = nodes_[i];
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const bool moved = node.kind == NodeKind::affine ||
                         (node.kind == NodeKind::gather && k == 0) || is_table(node, k);
      const bool same_shape = nodes_[node.inputs[k]].shape == node.shape;  // not a rank-0 operand
      stack.push_back({node.inputs[k], here && !moved && same_shape});
    }
  }

  std::vector<Group> in_order() {
    std::vector<Group> ordered;
    std::vector<bool> done(groups_.size(), false);
    while (ordered.size() < groups_.size()) {
      const size_t before = ordered.size();
      for (size_t g = 0; g < groups_.size(); ++g) {
        const auto& needs = groups_[g].depends_on;
        if (done[g] ||
            !std::all_of(needs.begin(), needs.end(), [&](int need) { return done[need]; }))
          continue;
        done[g] = true;
        ordered.push_back(groups_[g].group);
      }
      if (ordered.size() == before)
        throw InternalError("group_kernels: kernels depend on each other in a circle");
    }
    return ordered;
  }

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const Materialised& memory_;
  std::vector<int> group_of_;
  std::map<int, int> call_of_;  // by node
  std::vector<Building> groups_;
};

}  // namespace

std::vector<Group> group_kernels(const Graph& graph, const Materialised& memory) {
  return Grouping(graph, memory).run();
}

}  // namespace tutti::passes
