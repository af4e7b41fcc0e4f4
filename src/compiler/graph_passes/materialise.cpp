#include "compiler/graph_passes/materialise.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdio>
#include <set>
#include <tuple>

#include "compiler/cost_constants.hpp"
#include "compiler/cost_model.hpp"
#include "compiler/graph_passes/expanded_size.hpp"
#include "compiler/graph_passes/repeated_code.hpp"
#include "compiler/graph_passes/shared_stencils.hpp"
#include "compiler/graph_passes/split_large_kernels.hpp"
#include "compiler/graph_passes/written_sections.hpp"
#include "compiler/lowering/split_axes.hpp"
#include "core/process/interruption.hpp"
#include "numerics/reductions.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

class Decision {
 public:
  Decision(const Graph& graph, const target::Target& target)
      : graph_(graph),
        nodes_(graph.nodes),
        target_(target),
        repeated_(
            graph, result_.in_memory, operations_, own_cuts_,
            target.shares_stencils ? cost::max_repeated_on_gpus : cost::max_repeated_operations) {
    const size_t n = nodes_.size();
    result_.in_memory.assign(n, false);
    result_.reason.assign(n, "");
    operations_.assign(n, 0);
    at_most_.assign(n, 0);
    for (const GraphNode& node : nodes_) all_operations_ += own_cost(node).operations;
    evaluations_.assign(n, 0);
    joined_ = joined_sections(graph, target);
    kernels_ = kernels_of_nodes(graph, joined_);
    uses_ = {std::vector<int>(n), std::vector<int>(n), std::vector<int>(n)};
    cost_.assign(n, 0);
    loads_.assign(n, 0);
    rows_.assign(n, 0);
    own_cuts_.assign(n, false);
    order_ = in_program_order(graph);
  }

  Materialised run() {
    find_short_reductions();
    count_evaluations();
    stencils_ = find_shared_stencils(graph_, target_, uses_);
    for (size_t i = 0; i < nodes_.size(); ++i)
      own_cuts_[i] = stencils_.shared[i] || (target_.blocks_rows && nodes_[i].shape.rank == 2);
    for (int i : order_) {
      stop_if_interrupted();
      decide(i);
    }
    result_.tiled = std::move(stencils_.shared);
    return std::move(result_);
  }

 private:
  // Finds short reductions, such as those of blocks of 2 x 2 pixels, and the nodes that only they
  // need. Consumers first.
  void find_short_reductions() {
    result_.short_reduction.assign(nodes_.size(), false);
    for_short_.assign(nodes_.size(), true);
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
      const GraphNode& node = nodes_[i];
      if (node.keep) for_short_[i] = false;
      if (node.kind == Kind::reduce)
        result_.short_reduction[i] = is_short_reduction(graph_, node, target_);
      const bool passes_on = node.kind == Kind::elementwise || node.kind == Kind::cast ||
                             node.kind == Kind::affine || node.kind == Kind::reshape;
      if (!result_.short_reduction[i] && !(passes_on && for_short_[i]))
        for (int input : node.inputs) for_short_[input] = false;
    }
  }

  // Counts how often the elements of each node would be computed if only the results were
  // materialised. Consumers first.
  void count_evaluations() {
    std::vector<bool> used_as_is(nodes_.size(), false), reduced(nodes_.size(), false);
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
      const GraphNode& node = nodes_[i];
      if (node.keep) used_as_is[i] = true;
      if (used_as_is[i]) evaluations_[i] += static_cast<double>(node.shape.size());
      if (reduced[i]) evaluations_[i] += static_cast<double>(node.shape.size());
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        const int input = node.inputs[k];
        switch (node.kind) {
          case Kind::reshape:
            if (!joins(i)) {
              reduced[input] = true;
              break;
            }
            evaluations_[input] += evaluations_[i];
            break;
          case Kind::affine:
            ++uses_.affine[input];
            evaluations_[input] += evaluations_[i] * varying_share(node);
            break;
          case Kind::gather:
            if (k == 0) {
              ++uses_.gather[input];
              evaluations_[input] += read_by_gather(i);
              break;
            }
            [[fallthrough]];
          case Kind::program:
            if (is_table(node, k)) {
              reduced[input] = true;
              break;
            }
            [[fallthrough]];
          case Kind::elementwise:
          case Kind::cast:
            used_as_is[input] = true;
            ++uses_.identity[input];
            break;
          case Kind::scatter:
            if (target_.computes_scattered && k > 0) {  // each scatter computes them again
              evaluations_[input] += static_cast<double>(nodes_[input].shape.size());
              break;
            }
            [[fallthrough]];
          default:
            reduced[input] = true;
            break;
        }
      }
    }
  }

  // Returns the number of elements that a gather reads: one for each evaluation, or one for each
  // element if its result is worth storing.
  double read_by_gather(int i) const {
    const double once = static_cast<double>(nodes_[i].shape.size());
    return pays_to_store(i, cost::gathered_load) ? std::min(once, evaluations_[i])
                                                 : evaluations_[i];
  }

  // Decides whether a reshape is index arithmetic of the kernel that reads it. An input in memory
  // is aliased under its new shape instead. CPUs are slow at computed indices; short reductions
  // need none.
  bool joins(int i) const {
    const GraphNode &node = nodes_[i], &input = nodes_[node.inputs[0]];
    return (target_.shares_stencils || for_short_[i]) && !node.keep && is_fused(input) &&
           !input.keep && split_axes(input.shape, node.shape).has_value();
  }

  // Returns the share of points that compute the input. A value that does not depend on the
  // innermost axis is computed once a row, but on a GPU by each thread.
  double varying_share(const GraphNode& node) const {
    const int inner = node.shape.rank - 1;
    if (inner < 0 || target_.shares_stencils) return 1;
    const Extents& from = nodes_[node.inputs[0]].shape;
    for (int axis = 0; axis < from.rank; ++axis)
      if (node.map->axes[axis].axis == inner) return 1;
    return 1.0 / static_cast<double>(std::max<int64_t>(1, node.shape[inner]));
  }

  void decide(int i) {
    const GraphNode& node = nodes_[i];
    if (node.kind == Kind::leaf) {
      set_cost(i, cost::load, 0, 1, 1);
      return;
    }
    if (node.kind == Kind::constant || node.kind == Kind::index) {
      set_cost(i, node.kind == Kind::index ? 1 : 0, 1, 0, 0);
      if (node.keep) put_in_memory(i, "it is a result");
      return;
    }
    if (node.kind == Kind::reduce || node.kind == Kind::inner_product ||
        node.kind == Kind::recurrence || (node.kind == Kind::reshape && !joins(i)) ||
        ir::is_primitive(node.kind)) {
      const size_t fused = ir::computed_inputs(node.kind);
      if (node.kind == Kind::recurrence)
        prepare_recurrence(node);
      else if (node.kind == Kind::scatter && target_.computes_scattered)
        prepare_scatter(node);
      else if (node.kind != Kind::reduce)
        for (size_t k = fused; k < node.inputs.size(); ++k) {
          const int input = node.inputs[k];
          const int matrix =
              node.kind == Kind::inner_product ? transposed_matrix(graph_, input) : -1;
          force(matrix >= 0 ? matrix : input, std::string("input of ") + ir::kind_name(node.kind));
        }
      if (node.kind == Kind::write_section) store_shared_values(i);
      put_in_memory(i, node.keep ? "it is a result" : ending(node.kind) + " ends a kernel");
      return;
    }
    for (size_t k = 0; k < node.inputs.size(); ++k)
      if (is_table(node, k)) force(node.inputs[k], "a program reads it at computed indices");
    respect_limits(i);
    add_up(i);
    if (node.keep) {
      put_in_memory(i, "it is a result");
    } else if (node.kind != Kind::affine && node.kind != Kind::reshape) {
      weigh(i);
    }
  }

  // Cheap values and indices are computed while they are scattered. Expensive ones get a kernel of
  // their own, which is split into tasks by its cost.
  void prepare_scatter(const GraphNode& node) {
    for (size_t k = 0; k < node.inputs.size(); ++k)
      if (k == 0 || cost_[node.inputs[k]] > cost::most_scattered)
        force(node.inputs[k], "input of scatter");
  }

  // Elements are computed while the recurrence runs. First values would be recomputed every step.
  void prepare_recurrence(const GraphNode& node) {
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const int input = node.inputs[k];
      if (is_table(node, k)) force(input, "a program reads it at computed indices");
      if (k < node.program->outputs.size() && nodes_[input].shape.rank > 0)
        force(input, "a recurrence begins with it");
    }
  }

  // The values of a section are computed while they are written. They are stored first if their
  // computation reads the overwritten array, or if other nodes use them: a recurrence along an axis
  // would recompute all earlier sections for each element.
  void store_shared_values(int i) {
    const GraphNode& node = nodes_[i];
    const int values = node.inputs[0];
    if (joined_[i])
      force(written_values(graph_, node), "it is written to a section, and computed beside others");
    if (node.inputs.size() > 1 && !(node.in_place && target_.computes_sections_in_place) &&
        is_computed_from(values, node.inputs[1]))
      force(values, "the array that it is written to is read for it");
    bool shared = uses_.identity[values] + uses_.affine[values] > 0;
    int producer = values;
    while (nodes_[producer].kind == Kind::affine &&
           needs_all_elements(graph_, nodes_[producer], 0)) {
      producer = nodes_[producer].inputs[0];
      shared |= uses_.identity[producer] + uses_.affine[producer] > 1;
    }
    if (shared && ir::computes_elements(nodes_[producer].kind))
      force(producer, "it is written to a section, and used elsewhere");
  }

  // Decides whether a kernel that computes a node loads `array`, which is in memory.
  bool is_computed_from(int node, int array) const {
    std::vector<int> stack{node};
    std::set<int> seen;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      if (at == array) return true;
      if (result_.in_memory[at] || !seen.insert(at).second) continue;
      stack.insert(stack.end(), nodes_[at].inputs.begin(), nodes_[at].inputs.end());
    }
    return false;
  }

  // Weighs recomputation against a round trip through memory.
  void weigh(int i) {
    if (stencils_.shared[i]) {
      if (stencils_.expensive[i])
        put_in_memory(
            i, "used by a stencil, and expensive to compute again at the edges of register tiles");
      return;
    }
    if (repeats_code(i)) {
      put_in_memory(i, "read at several computed indices, each with code of its own");
      return;
    }
    if (!pays_to_store(i, cost_[i])) return;
    char text[120];
    std::snprintf(text, sizeof text,
                  "each element is used %.3g times, and costs more to compute (%.0f) than to load",
                  evaluations_each(i), cost_[i]);
    put_in_memory(i, text);
  }
  // Each gather computes its input at its own indices. Without a bound, the code doubles with every
  // step of a program that follows pointers, however few elements there are.
  bool repeats_code(int i) const {
    const int uses = uses_.gather[i] + std::min(1, uses_.identity[i]);
    return uses_.gather[i] > 0 && uses > 1 && operations_[i] > cost::max_repeated_operations;
  }
  // Returns how often each element would be computed.
  double evaluations_each(int i) const {
    const double size = static_cast<double>(nodes_[i].shape.size());
    return size > 0 ? evaluations_[i] / size + std::max(0, std::popcount(kernels_[i]) - 1) : 1;
  }
  bool pays_to_store(int i, double cost) const {
    const double size = static_cast<double>(nodes_[i].shape.size()), times = evaluations_each(i);
    if (times <= 1) return false;
    const double stored = size * (cost + traffic(target_.costs, nodes_[i])) +
                          times * size * cost::load + target_.costs.launch;
    return stored < times * size * cost;
  }

  // Materialises inputs of a kernel that would exceed its limits. Sums over inputs count shared
  // values several times, and the shares of add_up() count too little of the work of other kernels.
  // The graph is walked for an exact count only when a sum passes a limit.
  void respect_limits(int i) {
    const GraphNode& node = nodes_[i];
    ExpandedSize size;
    double at_most = 0;
    for (int input : node.inputs) {
      at_most += at_most_[input];
      size.operations += operations_[input];
      size.loads += loads_[input];
      size.rows += rows_[input];
    }
    const Limits limits = limits_of(i);
    bool unsure = std::min(at_most, all_operations_) > limits.operations;
    while (unsure || exceeds(size, limits)) {
      unsure = false;
      size = expanded_size(graph_, result_.in_memory, std::span(&i, 1));
      exact_ = {i, size};
      if (!exceeds(size, limits)) return;
      const bool walks_rows = target_.blocks_rows && size.rows > limits.rows;
      if (!(stencils_.shared[i] || walks_rows ? cut_stencil(i, limits)
                                              : finish_large_inputs(i, size)))
        return;
    }
  }

  static bool exceeds(const ExpandedSize& size, const Limits& limits) {
    return size.operations > limits.operations || size.loads > limits.loads ||
           size.rows > limits.rows;
  }

  // Images have a limit on rows where row blocks keep the stored values in the cache.
  Limits limits_of(int i) const {
    if (stencils_.shared[i]) return {cost::max_shared_operations, cost::max_shared_loads, DBL_MAX};
    const bool image = target_.blocks_rows && nodes_[i].shape.rank == 2;
    return {cost::max_operations, cost::max_loads, image ? cost::max_rows : DBL_MAX};
  }

  // Returns whether anything was stored.
  bool cut_stencil(int i, const Limits& limits) {
    const std::vector<int> stored = cheapest_frontier(graph_, result_.in_memory, i, limits);
    for (int node : stored) put_in_memory(node, "the kernel of the stencil would be too large");
    if (stored.empty()) return false;
    for (int at : order_) {  // recount the users
      if (at == i) return true;
      if (is_fused(nodes_[at]) && !result_.in_memory[at]) add_up(at);
    }
    return true;
  }

  // Materialises the large inputs together: one kernel computes their shared values once.
  bool finish_large_inputs(int i, const ExpandedSize& size) {
    bool cut = false;
    for (int input : nodes_[i].inputs) {
      const int producer = below_transformations(graph_, input);
      if (result_.in_memory[producer] || !ir::computes_elements(nodes_[producer].kind)) continue;
      const ExpandedSize below = expanded_size(graph_, result_.in_memory, std::span(&producer, 1));
      if (below.operations < size.operations / 8 && below.loads < size.loads / 8) continue;
      put_in_memory(producer, "the kernel would be too large");
      cut = true;
    }
    for (int input : nodes_[i].inputs) add_up_transformations(input);
    return cut;
  }

  void add_up_transformations(int i) {
    if (nodes_[i].kind != Kind::affine || result_.in_memory[i]) return;
    add_up_transformations(nodes_[i].inputs[0]);
    add_up(i);
  }

  void add_up(int i) {
    const GraphNode& node = nodes_[i];
    auto [cost, operations] = own_cost(node);
    double at_most = operations, loads = 0, rows = 0;
    for (int input : node.inputs) {
      at_most += at_most_[input];
      // A value with several users in one kernel is computed once there.
      const double share = 1.0 / std::max(1, node.kind == Kind::affine ? 1 : uses_.identity[input]);
      cost += cost_[input] * share;
      operations += operations_[input] * share;
      loads += loads_[input] * share;
      rows += rows_[input];  // an upper bound; counted exactly beyond the limit
    }
    if (exact_.node == i)
      std::tie(operations, loads, rows) =
          std::tuple(exact_.size.operations, exact_.size.loads, exact_.size.rows);
    set_cost(i, cost, operations, loads, rows);
    at_most_[i] = exact_.node == i ? operations : at_most;
  }

  // Materialises an input. A leaf is in memory already; a constant is stored.
  void force(int i, const std::string& why) {
    if (nodes_[i].kind != Kind::leaf) put_in_memory(i, why);
  }

  void put_in_memory(int i, std::string why) {
    const bool was_computed = !result_.in_memory[i];
    if (was_computed) result_.reason[i] = std::move(why);
    result_.in_memory[i] = true;
    set_cost(i, cost::load, 0, 1, 1);
    if (was_computed) store_repeated(i);
  }

  // Materialises long code that the kernel of a node would repeat. Images and tiles have rules of
  // their own (cut_stencil).
  void store_repeated(int root) {
    if (own_cuts_[root]) return;
    for (int i = repeated_.find_in_kernel_of(root); i >= 0; i = repeated_.find_in_kernel_of(root)) {
      const std::set<int> others = repeated_.kernels_with(i);
      put_in_memory(i, "several kernels would compute it again");
      for (int other : others) store_repeated(other);  // which load it from now on
    }
  }

  void set_cost(int i, double cost, double operations, double loads, double rows) {
    cost_[i] = cost;
    operations_[i] = at_most_[i] = operations;
    loads_[i] = loads;
    rows_[i] = rows;
  }

  static std::string ending(Kind kind) {
    return (kind == Kind::reduce ? "a " : "") + std::string(ir::kind_name(kind));
  }

  struct Exact {
    int node = -1;
    ExpandedSize size;
  };

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const target::Target& target_;
  std::vector<int> order_;
  Materialised result_;
  Exact exact_;  // the last exact count
  // By node, as an input of others: evaluations, cost of an element, instructions, loads, rows.
  std::vector<double> evaluations_, cost_, operations_, loads_, rows_;
  std::vector<double> at_most_;  // instructions, with shared ones counted each time
  double all_operations_ = 0;    // of the whole graph
  std::vector<uint64_t> kernels_;
  std::vector<bool> joined_;  // sections: see written_sections.hpp
  Uses uses_;
  SharedStencils stencils_;
  std::vector<bool> own_cuts_;   // nodes of images and register tiles
  std::vector<bool> for_short_;  // nodes that only short reductions need
  RepeatedCode repeated_;
};

}  // namespace

int transposed_matrix(const Graph& graph, int i) {
  const GraphNode& node = graph.nodes[i];
  if (node.kind != Kind::affine || node.keep || node.shape.rank != 2) return -1;
  const Extents& from = graph.nodes[node.inputs[0]].shape;
  if (from.rank != 2 || from[0] != node.shape[1] || from[1] != node.shape[0]) return -1;
  for (int axis = 0; axis < 2; ++axis) {
    const ir::AxisMap& m = node.map->axes[axis];
    if (m.axis != 1 - axis || m.stride != 1 || m.offset != 0) return -1;
  }
  return node.inputs[0];
}

bool is_short_reduction(const Graph& graph, const GraphNode& node, const target::Target& target) {
  if (!target.writes_out_reductions) return false;
  const GraphNode& input = graph.nodes[node.inputs[0]];
  const auto axes = node.get<ir::ReducedAxes>();
  int64_t reduced = 1, kept = 1, between = 1;  // `between`: stride of results
  for (int axis = input.shape.rank - 1; axis >= 0; --axis) {
    const int64_t extent = input.shape[axis];
    if (axes.has(axis)) reduced *= extent;
    if (!axes.has(axis) && extent != 1 && kept == 1) kept = extent, between = reduced;
  }
  return reduced > 1 && reduced <= cost::max_unrolled && between <= cost::max_step &&
         kept >= cost::least_side_by_side && node.shape.size() > 0 && node.type == input.type &&
         !ir::sums_in_float(node.reduction, node.type);
}

Materialised decide_materialisation(const Graph& graph, const target::Target& target) {
  return Decision(graph, target).run();
}

void drop_unused(const Graph& graph, Materialised& memory) {
  std::vector<bool> used(graph.nodes.size(), false);
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    if (graph.nodes[i].keep) used[i] = true;
    if (!used[i]) {
      memory.in_memory[i] = false;
      continue;
    }
    for (int input : graph.nodes[i].inputs) used[static_cast<size_t>(input)] = true;
  }
}

}  // namespace tutti::compiler
