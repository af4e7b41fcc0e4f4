#include "compiler/lowering/lower.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "compiler/lowering/kernel_writer.hpp"
#include "compiler/lowering/split_axes.hpp"
#include "numerics/reduction_tree.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using NodeKind = ir::Kind;

class Lowering {
 public:
  Lowering(const Graph& graph, const Materialised& memory, const Group& group,
           const std::vector<int>& value_of, const target::Target& target,
           std::vector<size_t> inputs)
      : graph_(graph),
        nodes_(graph.nodes),
        memory_(memory),
        group_(group),
        value_of_(value_of),
        inputs_(std::move(inputs)) {
    write_.merges = std::holds_alternative<target::CpuTuning>(target.tuning);
  }

  Kernel run() {
    const GraphNode& first = nodes_[group_.nodes[0]];
    if (group_.unrolled)
      set_kept_domain(first);
    else if (group_.kind == Group::Kind::reduce)
      set_reduction_domain(first);
    else if (group_.kind == Group::Kind::recurrence)
      set_recurrence_domain(first);
    else if (group_.kind == Group::Kind::primitive)
      set_map_domain(nodes_[first.inputs[inputs_[0]]].shape);
    else
      set_map_domain(first.shape);
    if (first.kind == NodeKind::segmented_reduce) kernel_.form = Form::reduce_segments;
    if (group_.kind == Group::Kind::map) follow_steps();
    if (group_.kind == Group::Kind::recurrence) {
      recurrence();
      return std::move(kernel_);
    }
    for (int i : group_.nodes) {
      if (group_.kind == Group::Kind::map)
        add_output(i, i, value(i, point_));
      else
        for (size_t input : inputs_) {
          const int computed = nodes_[i].inputs[input];
          add_output(i, computed,
                     group_.unrolled ? unrolled_reduction(nodes_[i]) : value(computed, point_));
        }
    }
    specialise_programs();
    return std::move(kernel_);
  }

 private:
  // Adds an output for node i of the group: `computed` itself, or a primitive or reduction of it.
  void add_output(int i, int computed, int instruction) {
    Output output;
    output.instruction = instruction;
    output.value = value_of_[i];
    output.type = nodes_[computed].type;
    output.reduction = nodes_[i].reduction;
    kernel_.outputs.push_back(output);
  }

  // Sets the domain, without axes of extent 1, and the coordinate for each axis of the shape.
  void set_map_domain(const Extents& shape) {
    kernel_.form = Form::map;
    for (int axis = 0; axis < shape.rank; ++axis) point_.push_back(add_axis(shape[axis]));
  }

  // Kept axes come first, then the reduced ones. In the column form one kept axis is innermost.
  void set_reduction_domain(const GraphNode& node) {
    const Extents& shape = nodes_[node.inputs[0]].shape;
    const auto axes = node.get<ir::ReducedAxes>();
    const bool wide = ir::is_wide(shape, axes.mask);
    kernel_.form = wide ? Form::reduce_wide : Form::reduce_column;
    point_.assign(static_cast<size_t>(shape.rank), -1);
    int innermost = -1;
    if (!wide)
      for (int axis = 0; axis < shape.rank; ++axis)
        if (shape[axis] != 1) innermost = axis;
    const auto add = [&](bool reduced) {
      for (int axis = 0; axis < shape.rank; ++axis)
        if (axes.has(axis) == reduced && axis != innermost) point_[axis] = add_axis(shape[axis]);
    };
    add(false);
    kernel_.kept = kernel_.domain.rank;
    add(true);
    if (innermost >= 0) point_[innermost] = add_axis(shape[innermost]);
  }

  // Order: outer axes, the axis of the recurrence, inner axes. The axis of the recurrence is in the
  // domain even if it has one element, and an inner axis for lanes always follows it.
  void set_recurrence_domain(const GraphNode& node) {
    const auto step = node.get<ir::RecurrenceStep>();
    kernel_.form = Form::recurrence;
    kernel_.backward = step.backward;
    for (int axis = 0; axis < node.shape.rank; ++axis) {
      if (axis == step.axis) kernel_.kept = kernel_.domain.rank;
      point_.push_back(add_axis(node.shape[axis]));
      if (axis == step.axis && node.shape[axis] == 1) kernel_.domain.push_back(1);
    }
    if (kernel_.kept + 1 == kernel_.domain.rank) kernel_.domain.push_back(1);
  }

  // Sets the domain of a map over the kept axes.
  void set_kept_domain(const GraphNode& node) {
    kernel_.form = Form::map;
    const Extents& shape = nodes_[node.inputs[0]].shape;
    const auto axes = node.get<ir::ReducedAxes>();
    for (int axis = 0; axis < shape.rank; ++axis)
      point_.push_back(axes.has(axis) ? coordinates_.constant(0) : add_axis(shape[axis]));
  }

  // Combines all elements of one result by the tree of its reduction (numerics/reduction_tree.hpp)
  // in the form that it has for few elements.
  int unrolled_reduction(const GraphNode& node) {
    const int input = node.inputs[0];
    const Extents& shape = nodes_[input].shape;
    const auto axes = node.get<ir::ReducedAxes>();
    int64_t count = 1;
    for (int axis = 0; axis < shape.rank; ++axis) count *= axes.has(axis) ? shape[axis] : 1;
    std::vector<int> elements;
    for (int64_t i = 0; i < count; ++i) {
      Indices at = point_;
      int64_t rest = i;
      for (int axis = shape.rank - 1; axis >= 0; --axis)
        if (axes.has(axis)) {
          at[static_cast<size_t>(axis)] = coordinates_.constant(rest % shape[axis]);
          rest /= shape[axis];
        }
      elements.push_back(value(input, at));
    }
    const auto combine = [&](size_t into, size_t from) {
      elements[into] =
          write_.op(ir::info_of(node.reduction).op, node.type, {elements[into], elements[from]});
    };
    if (ir::is_wide(shape, axes.mask)) {
      for (size_t half = ir::wide_lanes / 2; half > 0; half /= 2)
        for (size_t lane = 0; lane + half < elements.size() && lane < half; ++lane)
          combine(lane, lane + half);
    } else {
      for (size_t k = 1; k < elements.size(); ++k) combine(0, k);
    }
    return elements[0];
  }

  int add_axis(int64_t extent) {
    if (extent == 1) return coordinates_.constant(0);
    const int dim = kernel_.domain.rank;
    kernel_.domain.push_back(extent);
    return coordinates_.axis(dim, extent);
  }

  // ---- instructions

  // Lowers an unrolled loop in program order, so that reroll_loops.hpp can detect its steps.
  // Lowering from the outputs would start at the last step. For the same reason each step has its
  // own loads.
  void follow_steps() {
    if (!graph_.has_unrolled_loop) return;
    std::vector<int> stack(group_.nodes);
    std::set<int> here(stack.begin(), stack.end());  // nodes computed at the point itself
    bool steps = false;
    while (!stack.empty()) {
      const GraphNode& node = nodes_[stack.back()];
      stack.pop_back();
      steps |= node.repeats_step;
      if (node.kind != NodeKind::elementwise && node.kind != NodeKind::cast) continue;
      for (int input : node.inputs)
        if (nodes_[input].shape == node.shape && !memory_.in_memory[input] &&
            here.insert(input).second)
          stack.push_back(input);
    }
    if (!steps) return;
    in_steps_ = true;
    write_.merges = false;
    for (int i : in_program_order(graph_))
      if (here.count(i) && ir::computes_elements(nodes_[i].kind)) value(i, point_);
  }

  // Returns the instruction that computes a node at the given coordinates.
  int value(int i, const Indices& at) {
    const auto key = std::pair(i, at);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
    const int result = compute(i, at);
    if (!in_steps_ || kernel_.code[result].kind != Instruction::Kind::load)
      memo_.emplace(key, result);
    return result;
  }

  // The same; a rank-0 node has one value for all points.
  int value_or_scalar(int i, const Indices& at) {
    return value(i, nodes_[i].shape.rank == 0 ? Indices{} : at);
  }

  int compute(int i, const Indices& at) {
    const GraphNode& node = nodes_[i];
    // A value in memory is loaded, unless this kernel computes it at the same point.
    if (memory_.in_memory[i]) {
      const bool made_here =
          group_.kind == Group::Kind::map &&
          std::find(group_.nodes.begin(), group_.nodes.end(), i) != group_.nodes.end();
      if (!made_here || at != point_)
        return write_.load({true, value_of_[i], node.type, {}}, node.shape, at);
    }
    switch (node.kind) {
      case NodeKind::leaf:
        return write_.load({false, node.slot, node.type, {}, -1, node.gathered_often}, node.shape,
                           at);
      case NodeKind::constant:
        return write_.scalar(node.type, node.slot);
      case NodeKind::index:
        return write_.index_value(at[node.get<ir::IndexAxis>().axis], node.type);
      case NodeKind::elementwise:
        return elementwise(node, at);
      case NodeKind::cast:
        return cast(node, at);
      case NodeKind::affine:
        return affine(node, at);
      case NodeKind::gather:
        return gather(node, at);
      case NodeKind::reshape:
        return reshape(node, at);
      case NodeKind::program:
        return program(node, at);
      default:
        throw InternalError("lower: this node must be in memory");
    }
  }

  int elementwise(const GraphNode& node, const Indices& at) {
    Instruction in;
    in.kind = Instruction::Kind::op;
    in.type = node.type;
    in.op = node.op;
    for (size_t k = 0; k < node.inputs.size(); ++k)
      in.inputs[k] = value_or_scalar(node.inputs[k], at);
    return write_.add(in);
  }

  int cast(const GraphNode& node, const Indices& at) {
    return write_.cast(node.type, value(node.inputs[0], at));
  }

  int affine(const GraphNode& node, const Indices& at) {
    const Extents& from = nodes_[node.inputs[0]].shape;
    Indices moved;
    for (int axis = 0; axis < from.rank; ++axis) {
      const ir::AxisMap& m = node.map->axes[axis];
      moved.push_back(m.axis < 0 ? coordinates_.constant(m.offset)
                                 : coordinates_.affine(at[m.axis], m.stride, m.offset));
    }
    for (const GraphNode::Selected& s : node.selected)
      moved[static_cast<size_t>(s.axis)] = coordinates_.argument(s.slot, from[s.axis]);
    return bounded(node, from, moved);
  }

  int gather(const GraphNode& node, const Indices& at) {
    const Extents& from = nodes_[node.inputs[0]].shape;
    Indices moved;
    for (int axis = 0; axis < from.rank; ++axis) {
      const int input = node.inputs[axis + 1];
      const int index = value(input, at);
      // ir::make_gather has applied the boundary rule to 64-bit indices.
      if (nodes_[input].type == ElementType::i64)
        moved.push_back(coordinates_.computed(
            index, node.map->boundary == Boundary::Kind::constant ? -1 : 0, from[axis] - 1));
      else
        moved.push_back(coordinates_.computed(index, INT32_MIN, INT32_MAX));
    }
    return bounded(node, from, moved);
  }

  int reshape(const GraphNode& node, const Indices& at) {
    const Extents& from = nodes_[node.inputs[0]].shape;
    const auto split = split_axes(from, node.shape);
    if (!split) throw InternalError("lower: this reshape must be in memory");
    Indices joined;
    for (int axis = 0; axis < from.rank; ++axis)
      joined.push_back(joined_index((*split)[axis], node.shape, at));
    return value(node.inputs[0], joined);
  }

  // Returns the coordinate that a range of axes forms together.
  int joined_index(const SplitAxis& axes, const Extents& shape, const Indices& at) {
    std::vector<int> parts;
    int64_t stride = 1, known = 0;
    for (int axis = axes.last - 1; axis >= axes.first; --axis) {
      const IndexExpr& e = coordinates_.at(at[axis]);
      if (e.is_known())
        known += stride * e.offset;
      else if (shape[axis] != 1)
        parts.push_back(coordinates_.affine(at[axis], stride, 0));
      stride *= shape[axis];
    }
    if (parts.empty()) return coordinates_.constant(known);
    parts.back() = coordinates_.affine(parts.back(), 1, known);
    if (parts.size() == 1) return parts[0];
    if (const auto found = joined_.find(parts); found != joined_.end()) return found->second;
    const ElementType type = stride - 1 > INT32_MAX ? ElementType::i64 : ElementType::i32;
    int total = write_.index_value(parts[0], type);
    for (size_t k = 1; k < parts.size(); ++k)
      total = write_.op(Op::add, type, {total, write_.index_value(parts[k], type)});
    return joined_[parts] = coordinates_.computed(total, 0, stride - 1);
  }

  int program(const GraphNode& node, const Indices& at) {
    const int number =
        call(node, node.program, [&](size_t k) { return value_or_scalar(node.inputs[k], at); });
    return write_.output_of_call(number, node.get<ir::ProgramOutput>().number);
  }

  // ---- recurrences

  // Returns the outputs of the step that the group needs: its nodes and the states behind them.
  std::vector<int> needed_states(const GraphNode& node) const {
    std::set<int> needed;
    for (int i : group_.nodes) needed.insert(nodes_[i].get<ir::RecurrenceStep>().output);
    const int states = static_cast<int>(node.program->outputs.size());
    for (bool changed = true; changed;) {
      const auto step = ir::specialise(*node.program, {needed.begin(), needed.end()});
      changed = false;
      ir::for_each_statement(step->body, [&](const ir::Statement& s) {
        for (int input : s.inputs)
          if (input < states) changed |= needed.insert(input).second;
      });
    }
    return {needed.begin(), needed.end()};
  }

  // Outputs are the states, in order. States that are no node of the group have no value yet.
  void recurrence() {
    const GraphNode& node = nodes_[group_.nodes[0]];
    const auto step = node.get<ir::RecurrenceStep>();
    const std::vector<int> needed = needed_states(node);
    Indices first = point_;
    first.erase(first.begin() + step.axis);
    const auto states = node.program->outputs.size();
    const int number = call(node, ir::specialise(*node.program, needed), [&](size_t k) {
      const int input = node.inputs[k];
      if (k >= states) return value_or_scalar(input, point_);
      const int initial = value_or_scalar(input, first);
      const auto state = std::find(needed.begin(), needed.end(), static_cast<int>(k));
      if (state == needed.end()) return initial;
      return write_.previous(static_cast<int>(state - needed.begin()), nodes_[input].type, initial);
    });
    for (size_t o = 0; o < needed.size(); ++o) {
      Output output;
      output.instruction = write_.output_of_call(number, static_cast<int>(o));
      output.type = kernel_.code[static_cast<size_t>(output.instruction)].type;
      for (int i : group_.nodes)
        if (nodes_[i].get<ir::RecurrenceStep>().output == needed[o]) output.value = value_of_[i];
      kernel_.outputs.push_back(output);
    }
  }

  // Returns the number of a program call. Outputs of one call share it.
  template <class Argument>
  int call(const GraphNode& node, const std::shared_ptr<const ir::ScalarProgram>& program,
           const Argument& argument) {
    ProgramCall call{program, {}, {}};
    std::vector<int> tables;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const int input = node.inputs[k];
      if (is_table(node, k)) {
        call.tables.push_back({table_source(input), nodes_[input].shape});
        tables.push_back(call.tables.back().source);
      } else {
        call.arguments.push_back(argument(k));
      }
    }
    const auto [found, fresh] = calls_.emplace(std::tuple(program.get(), call.arguments, tables),
                                               static_cast<int>(kernel_.programs.size()));
    if (fresh) kernel_.programs.push_back(std::move(call));
    return found->second;
  }

  int table_source(int i) {
    const GraphNode& node = nodes_[i];
    const bool leaf = node.kind == NodeKind::leaf;
    Source source{!leaf, leaf ? node.slot : value_of_[i], node.type, {}};
    for (int64_t dim : node.shape)
      if (dim != 1) source.shape.push_back(dim);
    return write_.source_number(source);
  }

  // Removes outputs that the kernel does not use from its programs.
  void specialise_programs() {
    for (size_t c = 0; c < kernel_.programs.size(); ++c) {
      std::vector<int> used;
      for (const Instruction& in : kernel_.code)
        if (in.kind == Instruction::Kind::program && in.slot == static_cast<int>(c) &&
            std::find(used.begin(), used.end(), in.output) == used.end())
          used.push_back(in.output);
      std::sort(used.begin(), used.end());
      ProgramCall& call = kernel_.programs[c];
      if (used.size() == call.program->outputs.size()) continue;
      call.program = ir::specialise(*call.program, used);
      for (Instruction& in : kernel_.code)
        if (in.kind == Instruction::Kind::program && in.slot == static_cast<int>(c))
          in.output =
              static_cast<int>(std::find(used.begin(), used.end(), in.output) - used.begin());
    }
  }

  // Returns the input at coordinates that may be outside, under the boundary rule of the node.
  int bounded(const GraphNode& node, const Extents& from, Indices& moved) {
    int inside = -1;
    for (int axis = 0; axis < from.rank; ++axis) {
      if (coordinates_.is_inside(moved[axis], from[axis])) {
        kernel_.stays_inside.push_back({moved[axis], from[axis]});
        continue;
      }
      if (node.map->boundary == Boundary::Kind::wrap) {
        moved[axis] = coordinates_.wrapped(moved[axis], from[axis]);
        continue;
      }
      if (node.map->boundary == Boundary::Kind::constant)
        inside = write_.both(inside, write_.is_in(moved[axis], from[axis]));
      moved[axis] = coordinates_.clamped(moved[axis], from[axis]);
    }
    const int result = value(node.inputs[0], moved);
    if (inside < 0) return result;
    return write_.op(Op::choose, node.type, {inside, result, write_.scalar(node.type, node.slot)});
  }

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const Materialised& memory_;
  const Group& group_;
  const std::vector<int>& value_of_;
  const std::vector<size_t> inputs_;  // inputs of a primitive that are computed
  Kernel kernel_;
  Coordinates coordinates_{kernel_.indices};
  KernelWriter write_{kernel_, coordinates_};
  Indices point_;  // the coordinates of the point that the kernel computes
  bool in_steps_ = false;
  std::map<std::pair<int, Indices>, int> memo_;
  std::map<std::tuple<const ir::ScalarProgram*, std::vector<int>, std::vector<int>>, int> calls_;
  std::map<std::vector<int>, int> joined_;
};

}  // namespace

Kernel lower(const Graph& graph, const Materialised& memory, const Group& group,
             const std::vector<int>& value_of, const target::Target& target,
             std::vector<size_t> inputs) {
  return Lowering(graph, memory, group, value_of, target, std::move(inputs)).run();
}

}  // namespace tutti::compiler
