#include "compiler/graph_passes/form_kernels.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "compiler/cost_constants.hpp"
#include "compiler/graph_passes/expanded_size.hpp"

namespace tutti::compiler {
namespace {

using NodeKind = ir::Kind;

// The nodes that the computation of a materialised node involves.
struct Reads {
  std::set<int> nodes;                  // materialised nodes and leaves
  std::set<int> elsewhere;              // those among them that are read at other coordinates too
  std::set<int> computed;               // nodes computed inside of the kernel
  std::set<std::pair<int, int>> loads;  // a node that is read, and its transformation (-1: none)
};

// A set of groups, by their numbers.
class GroupSet {
 public:
  bool has(int group) const {
    const size_t word = static_cast<size_t>(group) / 64;
    return word < words_.size() && (words_[word] >> group % 64 & 1);
  }
  void add(int group) {
    const size_t word = static_cast<size_t>(group) / 64;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= uint64_t{1} << group % 64;
  }
  void remove(int group) {
    if (has(group)) words_[static_cast<size_t>(group) / 64] &= ~(uint64_t{1} << group % 64);
  }
  void add(const GroupSet& more) {
    if (words_.size() < more.words_.size()) words_.resize(more.words_.size());
    for (size_t w = 0; w < more.words_.size(); ++w) words_[w] |= more.words_[w];
  }
  bool is_within(const GroupSet& other) const {
    for (size_t w = 0; w < words_.size(); ++w)
      if (words_[w] & ~(w < other.words_.size() ? other.words_[w] : 0)) return false;
    return true;
  }
  void remove(const GroupSet& others) {
    for (size_t w = 0; w < std::min(words_.size(), others.words_.size()); ++w)
      words_[w] &= ~others.words_[w];
  }
  // Returns the greatest group for which `accepts` holds, or -1.
  template <class F>
  int last_of(const F& accepts) const {
    for (size_t w = words_.size(); w-- > 0;)
      for (uint64_t left = words_[w]; left != 0;) {
        const int bit = 63 - std::countl_zero(left), group = static_cast<int>(w) * 64 + bit;
        if (accepts(group)) return group;
        left ^= uint64_t{1} << bit;
      }
    return -1;
  }

 private:
  std::vector<uint64_t> words_;
};

class Grouping {
 public:
  Grouping(const Graph& graph, const Materialised& memory, const target::Target& target)
      : graph_(graph),
        nodes_(graph.nodes),
        memory_(memory),
        target_(target),
        group_of_(graph.nodes.size(), -1),
        computed_in_(graph.nodes.size()) {
    // All outputs of a program on the same inputs are one call, identified by its first node.
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
    GroupSet depends_on;  // transitively
  };

  void place(int i) {
    Reads reads = reads_of(i);
    // Groups that must have run. The node cannot join a group that one of them depends on: that
    // group would have to run after itself.
    GroupSet direct, indirect;
    for (int node : reads.nodes)
      if (group_of_[node] >= 0) {
        direct.add(group_of_[node]);
        indirect.add(groups_[group_of_[node]].depends_on);
      }
    GroupSet needed = direct;
    needed.add(indirect);
    GroupSet candidates = candidates_of(i, reads);
    candidates.remove(indirect);
    int target = candidates.last_of([&](int group) {
      return can_join(i, group, reads) && joins_before_writes(group, reads, needed);
    });
    if (target < 0) {
      target = static_cast<int>(groups_.size());
      groups_.push_back({Group{kind_of(i), {}}, {}, {}, {}, {}});
    }
    Building& building = groups_[target];
    building.group.nodes.push_back(i);
    building.reads.insert(reads.nodes.begin(), reads.nodes.end());
    building.computed.insert(reads.computed.begin(), reads.computed.end());
    building.loads.insert(reads.loads.begin(), reads.loads.end());
    for (int computed : reads.computed) computed_in_[static_cast<size_t>(computed)].add(target);
    note_size(target);
    indirect.add(direct);
    indirect.remove(target);
    const bool depends_on_more = !indirect.is_within(building.depends_on);
    building.depends_on.add(indirect);
    group_of_[i] = target;
    if (nodes_[i].kind == NodeKind::write_section && nodes_[i].inputs.size() > 1)
      writers_[nodes_[i].inputs[1]].push_back(target);
    // Groups that depend on this one inherit its new dependences.
    if (building.group.nodes.size() > 1 && depends_on_more)
      for (Building& other : groups_)
        if (other.depends_on.has(target)) other.depends_on.add(indirect);
  }

  // The groups that can_join() may accept: those over the same domain that take what reads the same
  // arrays, and those that share a value with the node. Without this, large graphs would compare
  // each node with each group.
  GroupSet candidates_of(int i, const Reads& reads) {
    GroupSet candidates;
    if (const auto found = open_.find(domain_of(i)); found != open_.end())
      candidates = found->second;
    for (int node : reads.nodes)
      if (group_of_[node] >= 0) candidates.add(group_of_[node]);
    for (int node : reads.computed) candidates.add(computed_in_[static_cast<size_t>(node)]);
    candidates.remove(full_);
    return candidates;
  }

  // Notes whether a group accepts further nodes.
  void note_size(int g) {
    const Group& group = groups_[static_cast<size_t>(g)].group;
    const int first = group.nodes[0], outputs = static_cast<int>(group.nodes.size());
    const bool limited = group.kind == Group::Kind::map || group.kind == Group::Kind::reduce;
    const bool has_parts = nodes_[first].kind == NodeKind::fourier_lines;
    if (!limited && !has_parts && group.kind != Group::Kind::recurrence) return;
    GroupSet& open = open_[domain_of(first)];
    open.add(g);
    if (limited && is_image(first) && outputs >= cost::max_outputs_alike) open.remove(g);
    if (limited && outputs >= cost::max_outputs) full_.add(g);
  }

  // Returns what all nodes of a group have in common (has_same_domain).
  std::vector<int64_t> domain_of(int i) const {
    const GraphNode& node = nodes_[static_cast<size_t>(i)];
    const Group::Kind kind = kind_of(i);
    std::vector<int64_t> domain{static_cast<int64_t>(kind)};
    domain.insert(domain.end(), node.shape.begin(), node.shape.end());
    if (kind != Group::Kind::reduce) return domain;
    const Extents& from = nodes_[static_cast<size_t>(node.inputs[0])].shape;
    domain.push_back(ir::number_of(node.payload));
    domain.insert(domain.end(), from.begin(), from.end());
    return domain;
  }

  Group::Kind kind_of(int i) const {
    switch (nodes_[i].kind) {
      case NodeKind::reduce:
        return Group::Kind::reduce;
      case NodeKind::recurrence:
        return Group::Kind::recurrence;
      case NodeKind::inner_product:
        return Group::Kind::product;
      case NodeKind::reshape: {  // of a value that the kernel computes, it is a map like others
        const int input = nodes_[i].inputs[0];
        const bool there = memory_.in_memory[input] || nodes_[input].kind == NodeKind::leaf;
        return there ? Group::Kind::alias : Group::Kind::map;
      }
      default:
        return ir::is_primitive(nodes_[i].kind) ? Group::Kind::primitive : Group::Kind::map;
    }
  }

  // Decides whether the kernel of group g computes node i too.
  bool can_join(int i, int g, const Reads& reads) const {
    const Group& group = groups_[g].group;
    if (kind_of(i) == Group::Kind::recurrence && group.kind == Group::Kind::recurrence)
      return is_sibling(i, group);
    if (nodes_[i].kind == NodeKind::fourier_lines) return is_other_part(i, group);
    if (!has_same_domain(i, group) || reads_member_elsewhere(i, g, reads)) return false;
    const Overlap overlap = overlap_of(g, reads);
    return pays_off(i, group, overlap) && respects_limits(i, group, overlap);
  }

  // Decides whether a node is a map or reduction over the same elements as those of a group.
  bool has_same_domain(int i, const Group& group) const {
    const Group::Kind kind = kind_of(i);
    if (kind != group.kind || (kind != Group::Kind::map && kind != Group::Kind::reduce))
      return false;
    const GraphNode &node = nodes_[i], &member = nodes_[group.nodes[0]];
    if (!(node.shape == member.shape)) return false;
    return kind == Group::Kind::map ||
           (node.payload == member.payload &&
            nodes_[node.inputs[0]].shape == nodes_[member.inputs[0]].shape);
  }

  // Decides whether a node needs elements of the group that are not computed for the same point.
  bool reads_member_elsewhere(int i, int g, const Reads& reads) const {
    const bool reduces = kind_of(i) == Group::Kind::reduce;
    return std::ranges::any_of(reads.nodes, [&](int read) {
      return group_of_[read] == g && (reduces || reads.elsewhere.count(read) > 0);
    });
  }

  // What a node and a group have in common, and the size of a kernel of both.
  struct Overlap {
    bool reads_same = false;     // an array
    bool computes_same = false;  // a value inside of the kernel
    bool uses_member = false;    // the node reads a result of the group
    size_t computed = 0, loads = 0;
  };
  Overlap overlap_of(int g, const Reads& reads) const {
    const Building& candidate = groups_[g];
    Overlap result{.computed = candidate.computed.size(), .loads = candidate.loads.size()};
    for (int read : reads.nodes) {
      result.uses_member |= group_of_[read] == g;
      result.reads_same |= candidate.reads.count(read) > 0;
    }
    for (int computed : reads.computed) {
      const bool shared = candidate.computed.count(computed) > 0;
      result.computes_same |= shared;
      result.computed += !shared;
    }
    for (const auto& load : reads.loads) result.loads += !candidate.loads.count(load);
    return result;
  }

  // Small domains always join: a launch costs more than they do. Images that only read the same
  // arrays join few others, because rows of all results compete for the cache.
  bool pays_off(int i, const Group& group, const Overlap& overlap) const {
    if (overlap.uses_member || overlap.computes_same) return true;
    if (is_image(i) && static_cast<int>(group.nodes.size()) >= cost::max_outputs_alike)
      return false;
    const int domain = kind_of(i) == Group::Kind::reduce ? nodes_[i].inputs[0] : i;
    return overlap.reads_same || nodes_[domain].shape.size() <= cost::small_domain;
  }

  bool respects_limits(int i, const Group& group, const Overlap& overlap) const {
    if (static_cast<int>(group.nodes.size()) >= cost::max_outputs) return false;
    const auto computed = static_cast<double>(overlap.computed);
    const auto loads = static_cast<double>(overlap.loads);
    if (computed > cost::max_operations || loads > cost::max_loads) return false;
    if (memory_.short_reduction[static_cast<size_t>(i)] &&
        !fits_unrolled(i, overlap.computed, overlap.loads))
      return false;
    if (is_image(i) && loads > cost::max_rows && size_with(i, group).rows > cost::max_rows)
      return false;
    return !memory_.tiled[i] || size_with(i, group).operations <= cost::max_shared_operations;
  }

  // Returns whether a node is an image that a machine computes in row blocks.
  bool is_image(int i) const {
    return kind_of(i) == Group::Kind::map && target_.blocks_rows && nodes_[i].shape.rank == 2;
  }

  // Decides whether a node is another state of the recurrence that a group computes.
  bool is_sibling(int i, const Group& group) const {
    const auto step = nodes_[i].get<ir::RecurrenceStep>();
    return std::all_of(group.nodes.begin(), group.nodes.end(), [&](int member) {
      const auto other = nodes_[member].get<ir::RecurrenceStep>();
      return nodes_[i].program == nodes_[member].program &&
             nodes_[i].inputs == nodes_[member].inputs && step.axis == other.axis &&
             step.backward == other.backward && step.output != other.output;
    });
  }

  // Decides whether a node is the other part of the transforms that a group computes.
  bool is_other_part(int i, const Group& group) const {
    const GraphNode &node = nodes_[i], &member = nodes_[group.nodes[0]];
    if (member.kind != NodeKind::fourier_lines || group.nodes.size() != 1) return false;
    auto lines = node.get<ir::FourierLines>();
    lines.imaginary = !lines.imaginary;
    return member.inputs == node.inputs && lines == member.get<ir::FourierLines>();
  }

  // Decides whether group g, with a node that has these reads, can still run before the writes to
  // arrays that it reads. A reader of an array must not share a kernel with a user of the written
  // array.
  bool joins_before_writes(int g, const Reads& reads, const GroupSet& needed) const {
    if (writers_.empty()) return true;
    const Building& candidate = groups_[g];
    const auto comes_after_write = [&](const std::set<int>& read, const GroupSet& after) {
      return std::any_of(read.begin(), read.end(), [&](int array) {
        const auto found = writers_.find(array);
        return found != writers_.end() &&
               std::any_of(found->second.begin(), found->second.end(),
                           [&](int writer) { return after.has(writer); });
      });
    };
    return !comes_after_write(candidate.reads, needed) &&
           !comes_after_write(reads.nodes, candidate.depends_on);
  }

  // Counts the kernel of a group with node i. Stencils are expanded for each of their offsets.
  ExpandedSize size_with(int i, const Group& group) const {
    std::vector<int> roots = group.nodes;
    roots.push_back(i);
    return expanded_size(graph_, memory_.in_memory, roots);
  }

  // Finds everything that the computation of a node reads from memory or computes on the way.
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
    GroupSet done;
    const std::vector<GroupSet> earlier = readers_of_bases();
    const std::vector<size_t> wanted = wanted_order();
    const auto run = [&](int number) {
      const Building& building = groups_[static_cast<size_t>(number)];
      done.add(number);
      ordered.push_back(building.group);
      ordered.back().unrolled = is_unrolled(building);
    };
    while (ordered.size() < groups_.size()) {
      const size_t before = ordered.size();
      int waiting = -1;  // the first that waits only for readers
      for (size_t g : wanted) {
        const int number = static_cast<int>(g);
        if (done.has(number) || !groups_[g].depends_on.is_within(done)) continue;
        if (!earlier[g].is_within(done)) {
          if (waiting < 0) waiting = number;
          continue;
        }
        run(number);
      }
      if (ordered.size() > before) continue;
      if (waiting < 0)
        throw InternalError("group_kernels: kernels depend on each other in a circle");
      run(waiting);
    }
    return ordered;
  }

  // Decides whether a map computes each result of a reduction, an instruction for each element.
  bool is_unrolled(const Building& building) const {
    const int first = building.group.nodes[0];
    return memory_.short_reduction[static_cast<size_t>(first)] &&
           fits_unrolled(first, building.computed.size(), building.loads.size());
  }
  bool fits_unrolled(int reduction, size_t computed, size_t loads) const {
    const GraphNode& node = nodes_[static_cast<size_t>(reduction)];
    const int64_t elements =
        nodes_[static_cast<size_t>(node.inputs[0])].shape.size() / node.shape.size();
    return static_cast<int64_t>(computed + loads) * elements <= cost::max_unrolled_operations;
  }

  // Row blocks keep values in the cache between consecutive kernels. A program uses most values
  // soon after it has made them, so CPUs keep its order.
  std::vector<size_t> wanted_order() const {
    std::vector<size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (!target_.blocks_rows) return order;
    std::vector<uint64_t> first(groups_.size(), UINT64_MAX);
    for (size_t g = 0; g < groups_.size(); ++g)
      for (int node : groups_[g].group.nodes)
        first[g] = std::min<uint64_t>(first[g], nodes_[static_cast<size_t>(node)].number);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return first[a] < first[b]; });
    return order;
  }

  // By group: if it writes a section, the groups that read the array it is written to. If those run
  // first, the section is written in place; otherwise the array must be copied.
  std::vector<GroupSet> readers_of_bases() const {
    std::vector<GroupSet> result(groups_.size());
    if (writers_.empty()) return result;
    for (size_t g = 0; g < groups_.size(); ++g)
      for (int read : groups_[g].reads) {
        const auto found = writers_.find(read);
        if (found == writers_.end()) continue;
        for (int writer : found->second)
          if (writer != static_cast<int>(g) && !groups_[g].depends_on.has(writer))
            result[static_cast<size_t>(writer)].add(static_cast<int>(g));
      }
    return result;
  }

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const Materialised& memory_;
  const target::Target& target_;
  std::vector<int> group_of_;
  std::vector<GroupSet> computed_in_;              // by node: groups whose kernels compute it
  std::map<std::vector<int64_t>, GroupSet> open_;  // by domain: groups that more nodes may join
  GroupSet full_;                                  // groups with the greatest number of outputs
  std::map<int, int> call_of_;                     // by node: the first node of its program call
  std::map<int, std::vector<int>> writers_;        // by node: groups that write a section of it
  std::vector<Building> groups_;
};

}  // namespace

std::vector<Group> group_kernels(const Graph& graph, const Materialised& memory,
                                 const target::Target& target) {
  return Grouping(graph, memory, target).run();
}

}  // namespace tutti::compiler
