#include "compiler/graph_passes/cse.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "core/caching/hash.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

// Writes the identity of node i. The positions of written sections are arguments of the plan, so no
// two writes are known to be equal.
void write_identity(const GraphNode& node, int i, std::vector<uint64_t>& id) {
  const auto add = [&](auto... words) { (id.push_back(static_cast<uint64_t>(words)), ...); };
  add(node.kind, node.op, node.reduction, node.type, ir::number_of(node.payload), node.slot,
      node.shape.rank);
  for (int64_t extent : node.shape) add(extent);
  for (int input : node.inputs) add(input);
  if (node.program) add(node.program->id);
  if (node.kind == Kind::write_section) add(i);
  if (node.map) {
    add(node.map->boundary);
    for (const ir::AxisMap& m : node.map->axes) add(m.axis, m.stride, m.offset);
  }
  for (const GraphNode::Selected& s : node.selected) add(s.axis, s.slot);
}

// The nodes so far, by identity. Identities are in one array: a graph may have many nodes.
class Identities {
 public:
  explicit Identities(size_t nodes) { first_.reserve(nodes); }

  // Returns the first node of this identity, which is i if there was none.
  int first_like(const GraphNode& node, int i) {
    const size_t begin = words_.size();
    write_identity(node, i, words_);
    const std::span<const uint64_t> identity(words_.data() + begin, words_.size() - begin);
    const auto [first, last] = first_.equal_range(hash_words(identity));
    for (auto entry = first; entry != last; ++entry)
      if (std::ranges::equal(words_of(entry->second), identity)) {
        words_.resize(begin);
        return entry->second.node;
      }
    first_.emplace(hash_words(identity), Entry{i, begin, identity.size()});
    return i;
  }

 private:
  struct Entry {
    int node;
    size_t begin, count;
  };
  std::span<const uint64_t> words_of(const Entry& entry) const {
    return {words_.data() + entry.begin, entry.count};
  }

  std::vector<uint64_t> words_;
  std::unordered_multimap<uint64_t, Entry> first_;
};

// Returns the node x of operations that undo each other exactly, -(-x), !!x or ~~x, or -1.
int undone(const Graph& graph, const GraphNode& node) {
  if (node.kind != Kind::elementwise) return -1;
  if (node.op != Op::negate && node.op != Op::logical_not && node.op != Op::bit_not) return -1;
  const GraphNode& input = graph.nodes[node.inputs[0]];
  return input.kind == Kind::elementwise && input.op == node.op ? input.inputs[0] : -1;
}

// Returns the value of a choice between equal values or of min(x, x) and the like, or -1.
int without_effect(const GraphNode& node) {
  if (node.kind != Kind::elementwise) return -1;
  if (node.op == Op::choose && node.inputs[1] == node.inputs[2]) return node.inputs[1];
  const bool idempotent = node.op == Op::min || node.op == Op::max || node.op == Op::bit_and ||
                          node.op == Op::bit_or || node.op == Op::logical_and ||
                          node.op == Op::logical_or;
  return idempotent && node.inputs[0] == node.inputs[1] ? node.inputs[0] : -1;
}

}  // namespace

std::vector<int> eliminate_common_subexpressions(Graph& graph) {
  std::vector<int> stands_for(graph.nodes.size());
  Identities seen(graph.nodes.size());
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    GraphNode& node = graph.nodes[i];
    for (int& input : node.inputs) input = stands_for[input];
    int same = undone(graph, node);
    if (same < 0) same = without_effect(node);
    // A rank-0 input is broadcast to all elements: it replaces only nodes of its own shape.
    if (same < 0 || !(graph.nodes[same].shape == node.shape)) same = seen.first_like(node, i);
    stands_for[i] = same;
    graph.nodes[same].number = std::min(graph.nodes[same].number, node.number);
    if (node.keep) graph.nodes[same].keep = true;
  }
  for (int& root : graph.roots) root = stands_for[root];
  return stands_for;
}

}  // namespace tutti::compiler
