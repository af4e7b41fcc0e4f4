#include "compiler/lowering/lower.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "compiler/lowering/reshape.hpp"
#include "numerics/reduction_tree.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using NodeKind = ir::Kind;
using Indices = std::vector<int>;  // one IndexExpr for each axis of a node

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
        merges_(std::holds_alternative<target::CpuTuning>(target.tuning)),
        inputs_(std::move(inputs)) {}

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
        add_output(i, i, value(i, coordinates_));
      else
        for (size_t input : inputs_) {
          const int computed = nodes_[i].inputs[input];
          add_output(
              i, computed,
              group_.unrolled ? unrolled_reduction(nodes_[i]) : value(computed, coordinates_));
        }
    }
    specialise_programs();
    return std::move(kernel_);
  }

 private:
  // An output for node i of the group, which is `computed` or a primitive or reduction of it.
  void add_output(int i, int computed, int instruction) {
    Output output;
    output.instruction = instruction;
    output.value = value_of_[i];
    output.type = nodes_[computed].type;
    output.reduction = nodes_[i].reduction;
    kernel_.outputs.push_back(output);
  }

  // The domain without axes of extent 1, and for each axis of the shape its coordinate.
  void set_map_domain(const Extents& shape) {
    kernel_.form = Form::map;
    for (int axis = 0; axis < shape.rank; ++axis) coordinates_.push_back(add_axis(shape[axis]));
  }

  // Kept axes first, then the reduced ones; in the column form one kept axis is innermost.
  void set_reduction_domain(const GraphNode& node) {
    const Extents& shape = nodes_[node.inputs[0]].shape;
    const auto axes = node.get<ir::ReducedAxes>();
    const bool wide = ir::is_wide(shape, axes.mask);
    kernel_.form = wide ? Form::reduce_wide : Form::reduce_column;
    coordinates_.assign(static_cast<size_t>(shape.rank), -1);
    int innermost = -1;
    if (!wide)
      for (int axis = 0; axis < shape.rank; ++axis)
        if (shape[axis] != 1) innermost = axis;
    const auto add = [&](bool reduced) {
      for (int axis = 0; axis < shape.rank; ++axis)
        if (axes.has(axis) == reduced && axis != innermost)
          coordinates_[axis] = add_axis(shape[axis]);
    };
    add(false);
    kernel_.kept = kernel_.domain.rank;
    add(true);
    if (innermost >= 0) coordinates_[innermost] = add_axis(shape[innermost]);
  }

  // The axes before that of the recurrence, it, and the others. It is an axis of the domain also
  // if it has one element, and there is an inner axis behind it for lanes.
  void set_recurrence_domain(const GraphNode& node) {
    const auto step = node.get<ir::RecurrenceStep>();
    kernel_.form = Form::recurrence;
    kernel_.backward = step.backward;
    for (int axis = 0; axis < node.shape.rank; ++axis) {
      if (axis == step.axis) kernel_.kept = kernel_.domain.rank;
      coordinates_.push_back(add_axis(node.shape[axis]));
      if (axis == step.axis && node.shape[axis] == 1) kernel_.domain.push_back(1);
    }
    if (kernel_.kept + 1 == kernel_.domain.rank) kernel_.domain.push_back(1);
  }

  // A map over the kept axes.
  void set_kept_domain(const GraphNode& node) {
    kernel_.form = Form::map;
    const Extents& shape = nodes_[node.inputs[0]].shape;
    const auto axes = node.get<ir::ReducedAxes>();
    for (int axis = 0; axis < shape.rank; ++axis)
      coordinates_.push_back(axes.has(axis) ? constant_index(0) : add_axis(shape[axis]));
  }

  // All elements of one result, combined by the tree of its reduction (numerics/reduction_tree.hpp)
  // as it is for few elements.
  int unrolled_reduction(const GraphNode& node) {
    const int input = node.inputs[0];
    const Extents& shape = nodes_[input].shape;
    const auto axes = node.get<ir::ReducedAxes>();
    int64_t count = 1;
    for (int axis = 0; axis < shape.rank; ++axis) count *= axes.has(axis) ? shape[axis] : 1;
    std::vector<int> elements;
    for (int64_t i = 0; i < count; ++i) {
      Indices at = coordinates_;
      int64_t rest = i;
      for (int axis = shape.rank - 1; axis >= 0; --axis)
        if (axes.has(axis)) {
          at[static_cast<size_t>(axis)] = constant_index(rest % shape[axis]);
          rest /= shape[axis];
        }
      elements.push_back(value(input, at));
    }
    const auto combine = [&](size_t into, size_t from) {
      Instruction in;
      in.kind = Instruction::Kind::op;
      in.type = node.type;
      in.op = ir::info_of(node.reduction).op;
      in.inputs[0] = elements[into];
      in.inputs[1] = elements[from];
      elements[into] = add(in);
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
    if (extent == 1) return constant_index(0);
    IndexExpr e;
    e.kind = IndexExpr::Kind::dim;
    e.dim = kernel_.domain.rank;
    e.low = 0;
    e.high = extent - 1;
    kernel_.domain.push_back(extent);
    return add(e);
  }

  // ---- coordinates

  int add(const IndexExpr& e) {
    const auto key = std::tuple(e.kind, e.source, e.dim, e.scale, e.offset, e.extent, e.slot);
    const auto [place, fresh] = index_memo_.emplace(key, static_cast<int>(kernel_.indices.size()));
    if (fresh) kernel_.indices.push_back(e);
    return place->second;
  }

  int constant_index(int64_t value) {
    IndexExpr e;
    e.kind = IndexExpr::Kind::constant;
    e.offset = e.low = e.high = value;
    return add(e);
  }

  // An index of an axis of this extent that is an argument.
  int argument_index(int slot, int64_t extent) {
    IndexExpr e;
    e.kind = IndexExpr::Kind::constant;
    e.slot = slot;
    e.high = extent - 1;
    // The extent distinguishes it from the same number on another axis, whose range is another.
    e.extent = extent;
    return add(e);
  }

  int affine_index(int source, int64_t scale, int64_t offset) {
    const IndexExpr from = kernel_.indices[source];
    if (scale == 0) return constant_index(offset);
    if (scale == 1 && offset == 0) return source;
    if (from.is_known()) return constant_index(scale * from.offset + offset);
    if (from.kind == IndexExpr::Kind::affine)
      return affine_index(from.source, scale * from.scale, scale * from.offset + offset);
    IndexExpr e;
    e.kind = IndexExpr::Kind::affine;
    e.source = source;
    e.dim = from.dim;
    e.scale = scale;
    e.offset = offset;
    e.low = std::min(scale * from.low, scale * from.high) + offset;
    e.high = std::max(scale * from.low, scale * from.high) + offset;
    return add(e);
  }

  bool is_inside(int index, int64_t extent) const {
    return kernel_.indices[index].low >= 0 && kernel_.indices[index].high < extent;
  }

  // Wrapping twice with one extent is wrapping once by both distances. Not if the sum could leave
  // 32 bits, in which gathered indices are computed: data may be any number.
  int around_once(int index, int64_t extent) {
    const IndexExpr e = kernel_.indices[index];
    if (e.kind != IndexExpr::Kind::affine) return index;
    const IndexExpr from = kernel_.indices[e.source];
    if (from.kind == IndexExpr::Kind::wrap && from.extent == extent &&
        stays_narrow(from.source, e.scale, e.offset))
      return around_once(affine_index(from.source, e.scale, e.offset), extent);
    if (std::abs(e.offset) <= extent) return index;
    // Short of nothing: that would be right for this extent alone.
    const int64_t rest = e.offset % extent;
    return affine_index(e.source, e.scale, rest ? rest : extent);
  }

  bool stays_narrow(int source, int64_t scale, int64_t offset) const {
    const IndexExpr& from = kernel_.indices[source];
    const auto fits = [&](int64_t x) {
      const __int128 value = static_cast<__int128>(scale) * x + offset;
      return value >= INT32_MIN && value <= INT32_MAX;
    };
    return fits(from.low) && fits(from.high);
  }

  int bounded_index(IndexExpr::Kind rule, int source, int64_t extent) {
    if (rule == IndexExpr::Kind::wrap) source = around_once(source, extent);
    if (is_inside(source, extent)) return source;
    const IndexExpr from = kernel_.indices[source];
    const auto clamp = [&](int64_t x) { return std::clamp<int64_t>(x, 0, extent - 1); };
    if (from.is_known())
      return constant_index(rule == IndexExpr::Kind::clamp
                                ? clamp(from.offset)
                                : (from.offset % extent + extent) % extent);
    IndexExpr e;
    e.kind = rule;
    e.source = source;
    e.dim = from.dim;
    e.extent = extent;
    e.low = rule == IndexExpr::Kind::clamp ? clamp(from.low) : 0;
    e.high = rule == IndexExpr::Kind::clamp ? clamp(from.high) : extent - 1;
    return add(e);
  }

  // ---- instructions

  // An unrolled loop is computed step by step, as the program wrote it, so that it can
  // be found again (reroll_loops.hpp): left to itself, the last step would begin. For the same
  // reason each step loads what it needs, even if another has.
  void follow_steps() {
    if (std::none_of(nodes_.begin(), nodes_.end(), [](const GraphNode& n) { return n.again; }))
      return;
    std::vector<int> stack(group_.nodes);
    std::set<int> here(stack.begin(), stack.end());  // what is computed at the point itself
    bool steps = false;
    while (!stack.empty()) {
      const GraphNode& node = nodes_[stack.back()];
      stack.pop_back();
      steps |= node.again;
      if (node.kind != NodeKind::elementwise && node.kind != NodeKind::cast) continue;
      for (int input : node.inputs)
        if (nodes_[input].shape == node.shape && !memory_.in_memory[input] &&
            here.insert(input).second)
          stack.push_back(input);
    }
    if (!steps) return;
    in_steps_ = true;
    for (int i : in_program_order(graph_))
      if (here.count(i) && ir::computes_elements(nodes_[i].kind)) value(i, coordinates_);
  }

  // On a CPU operations that compute the same are one: a node is lowered once for each set of
  // coordinates, and much of it does not depend on all of them. So indices from them are equal as
  // well. (A GPU's compiler does the same later.)
  int add(const Instruction& in) {
    const auto number = static_cast<int>(kernel_.code.size());
    const bool pure = in.kind == Instruction::Kind::op || in.kind == Instruction::Kind::cast;
    if (merges_ && pure && !in_steps_) {
      const auto key =
          std::tuple(in.kind, in.type, in.op, in.inputs[0], in.inputs[1], in.inputs[2]);
      const auto [found, fresh] = operations_.emplace(key, number);
      if (!fresh) return found->second;
    }
    kernel_.code.push_back(in);
    return number;
  }

  // The instruction that computes a node at the given coordinates.
  int value(int i, const Indices& at) {
    const auto key = std::pair(i, at);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
    const int result = compute(i, at);
    if (!in_steps_ || kernel_.code[result].kind != Instruction::Kind::load)
      memo_.emplace(key, result);
    return result;
  }

  int compute(int i, const Indices& at) {
    const GraphNode& node = nodes_[i];
    // A value in memory is loaded, unless this kernel makes it and it is wanted right here.
    if (memory_.in_memory[i]) {
      const bool made_here =
          group_.kind == Group::Kind::map &&
          std::find(group_.nodes.begin(), group_.nodes.end(), i) != group_.nodes.end();
      if (!made_here || at != coordinates_)
        return load({true, value_of_[i], node.type, {}}, node.shape, at);
    }
    switch (node.kind) {
      case NodeKind::leaf:
        return load({false, node.slot, node.type, {}, -1, node.often}, node.shape, at);
      case NodeKind::constant:
        return scalar(node.type, node.slot);
      case NodeKind::index:
        return index_value(at[node.get<ir::IndexAxis>().axis], node.type);
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

  int scalar(ElementType type, int slot) {
    if (const auto found = scalars_.find(slot); found != scalars_.end()) return found->second;
    Instruction in;
    in.kind = Instruction::Kind::constant;
    in.type = type;
    in.slot = slot;
    return scalars_[slot] = add(in);
  }

  // A coordinate as a number of type int32 or int64.
  int index_value(int index, ElementType type) {
    const IndexExpr& e = kernel_.indices[index];
    const bool computed = e.kind == IndexExpr::Kind::gathered;
    if (computed && kernel_.code[static_cast<size_t>(e.source)].type == type) return e.source;
    const auto [found, is_new] = index_values_.try_emplace({index, type}, -1);
    if (!is_new) return found->second;
    Instruction in;
    in.kind = computed ? Instruction::Kind::cast : Instruction::Kind::index;
    in.type = type;
    if (computed)
      in.inputs[0] = e.source;
    else
      in.slot = index;
    return found->second = add(in);
  }

  int elementwise(const GraphNode& node, const Indices& at) {
    Instruction in;
    in.kind = Instruction::Kind::op;
    in.type = node.type;
    in.op = node.op;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const int input = node.inputs[k];
      in.inputs[k] = value(input, nodes_[input].shape.rank == 0 ? Indices{} : at);
    }
    return add(in);
  }

  int cast(const GraphNode& node, const Indices& at) {
    Instruction in;
    in.kind = Instruction::Kind::cast;
    in.type = node.type;
    in.inputs[0] = value(node.inputs[0], at);
    return add(in);
  }

  int affine(const GraphNode& node, const Indices& at) {
    const Extents& from = nodes_[node.inputs[0]].shape;
    Indices moved;
    for (int axis = 0; axis < from.rank; ++axis) {
      const ir::AxisMap& m = node.map->axes[axis];
      moved.push_back(m.axis < 0 ? constant_index(m.offset)
                                 : affine_index(at[m.axis], m.stride, m.offset));
    }
    for (const GraphNode::Selected& s : node.selected)
      moved[static_cast<size_t>(s.axis)] = argument_index(s.slot, from[s.axis]);
    return bounded(node, from, moved);
  }

  int gather(const GraphNode& node, const Indices& at) {
    const Extents& from = nodes_[node.inputs[0]].shape;
    Indices moved;
    for (int axis = 0; axis < from.rank; ++axis) {
      const int input = node.inputs[axis + 1];
      const int index = value(input, at);
      // A 64-bit index has the boundary rule behind it (ir::make_gather).
      if (nodes_[input].type == ElementType::i64)
        moved.push_back(computed_index(
            index, node.map->boundary == Boundary::Kind::constant ? -1 : 0, from[axis] - 1));
      else
        moved.push_back(computed_index(index, INT32_MIN, INT32_MAX));
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

  // The coordinate that a range of axes stands for together.
  int joined_index(const SplitAxis& axes, const Extents& shape, const Indices& at) {
    std::vector<int> parts;
    int64_t stride = 1, known = 0;
    for (int axis = axes.last - 1; axis >= axes.first; --axis) {
      const IndexExpr& e = kernel_.indices[static_cast<size_t>(at[axis])];
      if (e.is_known())
        known += stride * e.offset;
      else if (shape[axis] != 1)
        parts.push_back(affine_index(at[axis], stride, 0));
      stride *= shape[axis];
    }
    if (parts.empty()) return constant_index(known);
    parts.back() = affine_index(parts.back(), 1, known);
    if (parts.size() == 1) return parts[0];
    if (const auto found = joined_.find(parts); found != joined_.end()) return found->second;
    const ElementType type = stride - 1 > INT32_MAX ? ElementType::i64 : ElementType::i32;
    int total = index_value(parts[0], type);
    for (size_t k = 1; k < parts.size(); ++k) {
      Instruction in;
      in.kind = Instruction::Kind::op;
      in.type = type;
      in.op = Op::add;
      in.inputs[0] = total;
      in.inputs[1] = index_value(parts[k], type);
      total = add(in);
    }
    return joined_[parts] = computed_index(total, 0, stride - 1);
  }

  int computed_index(int instruction, int64_t low, int64_t high) {
    IndexExpr e;
    e.kind = IndexExpr::Kind::gathered;
    e.source = instruction;
    e.dim = IndexExpr::from_data;
    e.low = low;
    e.high = high;
    return add(e);
  }

  int program(const GraphNode& node, const Indices& at) {
    const int number = call(node, node.program, [&](size_t k) {
      const int input = node.inputs[k];
      return value(input, nodes_[input].shape.rank == 0 ? Indices{} : at);
    });
    return output_of(number, node.get<ir::ProgramOutput>().number);
  }

  int output_of(int number, int output) {
    const ir::ScalarProgram& program = *kernel_.programs[static_cast<size_t>(number)].program;
    Instruction in;
    in.kind = Instruction::Kind::program;
    in.type = program.slots[static_cast<size_t>(program.outputs[static_cast<size_t>(output)])];
    in.slot = number;
    in.output = output;
    return add(in);
  }

  // ---- recurrences

  // The outputs of the step that the group needs: its nodes, and the states that they depend on.
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

  // Outputs are the states, in order. Those that no node of the group is have no value yet.
  void recurrence() {
    const GraphNode& node = nodes_[group_.nodes[0]];
    const auto step = node.get<ir::RecurrenceStep>();
    const std::vector<int> needed = needed_states(node);
    Indices first = coordinates_;
    first.erase(first.begin() + step.axis);
    const auto states = node.program->outputs.size();
    const int number = call(node, ir::specialise(*node.program, needed), [&](size_t k) {
      const int input = node.inputs[k];
      const bool single = nodes_[input].shape.rank == 0;
      if (k >= states) return value(input, single ? Indices{} : coordinates_);
      const int initial = value(input, single ? Indices{} : first);
      const auto state = std::find(needed.begin(), needed.end(), static_cast<int>(k));
      if (state == needed.end()) return initial;
      Instruction in;
      in.kind = Instruction::Kind::previous;
      in.type = nodes_[input].type;
      in.slot = static_cast<int>(state - needed.begin());
      in.inputs[0] = initial;
      return add(in);
    });
    for (size_t o = 0; o < needed.size(); ++o) {
      Output output;
      output.instruction = output_of(number, static_cast<int>(o));
      output.type = kernel_.code[static_cast<size_t>(output.instruction)].type;
      for (int i : group_.nodes)
        if (nodes_[i].get<ir::RecurrenceStep>().output == needed[o]) output.value = value_of_[i];
      kernel_.outputs.push_back(output);
    }
  }

  // Outputs of one call share it. Gives its number.
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
    return source_number(source);
  }

  // Programs compute only what the kernel uses.
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

  // The input at coordinates that may lie outside, under the boundary rule of the node.
  int bounded(const GraphNode& node, const Extents& from, Indices& moved) {
    int inside = -1;
    for (int axis = 0; axis < from.rank; ++axis) {
      if (is_inside(moved[axis], from[axis])) {
        kernel_.stays_inside.push_back({moved[axis], from[axis]});
        continue;
      }
      if (node.map->boundary == Boundary::Kind::wrap) {
        moved[axis] = bounded_index(IndexExpr::Kind::wrap, moved[axis], from[axis]);
        continue;
      }
      if (node.map->boundary == Boundary::Kind::constant)
        inside = both(inside, is_in(moved[axis], from[axis]));
      moved[axis] = bounded_index(IndexExpr::Kind::clamp, moved[axis], from[axis]);
    }
    const int result = value(node.inputs[0], moved);
    if (inside < 0) return result;
    Instruction in;
    in.kind = Instruction::Kind::op;
    in.type = node.type;
    in.op = Op::choose;
    in.inputs[0] = inside;
    in.inputs[1] = result;
    in.inputs[2] = scalar(node.type, node.slot);
    return add(in);
  }

  int is_in(int index, int64_t extent) {
    const auto key = std::pair(index, extent);
    if (const auto found = inside_memo_.find(key); found != inside_memo_.end())
      return found->second;
    Instruction in;
    in.kind = Instruction::Kind::inside;
    in.type = ElementType::b8;
    in.slot = index;
    in.extent = extent;
    return inside_memo_[key] = add(in);
  }

  int both(int a, int b) {
    if (a < 0) return b;
    Instruction in;
    in.kind = Instruction::Kind::op;
    in.type = ElementType::b8;
    in.op = Op::logical_and;
    in.inputs[0] = a;
    in.inputs[1] = b;
    return add(in);
  }

  int load(Source source, const Extents& shape, const Indices& at) {
    Load load;
    for (int axis = 0; axis < shape.rank; ++axis)
      if (shape[axis] != 1) {
        load.axes.push_back({at[axis], source.shape.rank});
        source.shape.push_back(shape[axis]);
      }
    load.source = source_number(source);
    Instruction in;
    in.kind = Instruction::Kind::load;
    in.type = source.type;
    in.slot = static_cast<int>(kernel_.loads.size());
    kernel_.loads.push_back(load);
    return add(in);
  }

  int source_number(const Source& source) {
    const auto found = std::find(kernel_.sources.begin(), kernel_.sources.end(), source);
    const auto number = static_cast<int>(found - kernel_.sources.begin());
    if (found == kernel_.sources.end()) kernel_.sources.push_back(source);
    return number;
  }

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const Materialised& memory_;
  const Group& group_;
  const std::vector<int>& value_of_;
  const bool merges_;
  const std::vector<size_t> inputs_;  // of a primitive
  Kernel kernel_;
  Indices coordinates_;
  bool in_steps_ = false;
  std::map<std::pair<int, Indices>, int> memo_;
  std::map<std::tuple<IndexExpr::Kind, int, int, int64_t, int64_t, int64_t, int>, int> index_memo_;
  std::map<std::tuple<const ir::ScalarProgram*, std::vector<int>, std::vector<int>>, int> calls_;
  std::map<std::tuple<Instruction::Kind, ElementType, Op, int, int, int>, int> operations_;
  std::map<int, int> scalars_;
  std::map<std::pair<int, ElementType>, int> index_values_;
  std::map<std::vector<int>, int> joined_;
  std::map<std::pair<int, int64_t>, int> inside_memo_;
};

}  // namespace

Kernel lower(const Graph& graph, const Materialised& memory, const Group& group,
             const std::vector<int>& value_of, const target::Target& target,
             std::vector<size_t> inputs) {
  return Lowering(graph, memory, group, value_of, target, std::move(inputs)).run();
}

}  // namespace tutti::compiler
