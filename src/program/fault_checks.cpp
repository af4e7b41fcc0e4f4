#include "program/fault_checks.hpp"

#include <optional>
#include <unordered_map>

#include "core/settings/checks.hpp"
#include "graph/copy_pending.hpp"
#include "graph/element_count.hpp"
#include "program/fault_output.hpp"
#include "program/overflow_rule.hpp"

namespace tutti::ir {
namespace {

// Builds nodes of flags; a builder for overflow_rule.hpp.
class FlagBuilder {
 public:
  using Term = NodeRef;
  explicit FlagBuilder(const Location& where) : where_(where) {}
  NodeRef apply(Op op, ElementType, std::initializer_list<NodeRef> operands) const {
    return make_elementwise(op, std::span(operands.begin(), operands.size()), where_);
  }
  NodeRef cast(const NodeRef& x, ElementType type) const { return make_cast(x, type, where_); }
  NodeRef number(ScalarValue value) const { return make_constant(value, {}, where_); }

  NodeRef either(const NodeRef& a, const NodeRef& b) const {
    return !a ? b : !b ? a : apply(Op::logical_or, ElementType::b8, {a, b});
  }
  NodeRef both(const NodeRef& a, const NodeRef& b) const {
    return apply(Op::logical_and, ElementType::b8, {a, b});
  }
  NodeRef outside(const NodeRef& index, int64_t extent) const {
    const auto last = static_cast<double>(extent - 1);
    return either(apply(Op::less, ElementType::b8, {index, bound(index, 0)}),
                  apply(Op::greater, ElementType::b8, {index, bound(index, last)}));
  }

 private:
  NodeRef bound(const NodeRef& index, double value) const {
    return number(convert(scalar_value(value), index->type));
  }
  const Location where_;
};

// Determines where the elements of each node are needed. Follows conditionals, element-wise
// operations and programs. Nodes that move elements need all of their input.
class Needs {
 public:
  explicit Needs(std::span<const NodeRef> roots, std::span<const NodeRef> order) {
    for (const NodeRef& root : roots) needs_[root.get()].everywhere = true;
    for (size_t i = order.size(); i-- > 0;)
      if (!order[i]->buffer) pass_on(*order[i]);
  }
  // Returns flags, or null if the elements are needed everywhere.
  NodeRef of(const Node& node) {
    return needs_[&node].everywhere ? NodeRef() : needs_[&node].where;
  }

 private:
  struct Need {
    bool everywhere = false;
    NodeRef where;
  };

  void pass_on(const Node& node) {
    const Need need = needs_[&node];
    for (size_t k = 0; k < node.inputs().size(); ++k) {
      const Node& input = *node.inputs()[k];
      const std::optional<NodeRef> where = through(node, k, need);
      Need& of_input = needs_[&input];
      if (!where) of_input.everywhere = true;
      if (of_input.everywhere)
        of_input.where = {};
      else
        of_input.where = FlagBuilder(node.where).either(of_input.where, *where);
    }
  }

  // Returns where one user needs an input, or nothing if everywhere.
  static std::optional<NodeRef> through(const Node& node, size_t k, const Need& need) {
    const NodeRef& input = node.inputs()[k];
    const bool by_element =
        node.kind == Kind::elementwise || node.kind == Kind::cast ||
        (node.kind == Kind::program && static_cast<int>(k) < node.program->inputs);
    if (!by_element || !(input->shape == node.shape)) return std::nullopt;
    const FlagBuilder b(node.where);
    const bool chosen = node.kind == Kind::elementwise && node.op == Op::choose && k > 0;
    if (!chosen) return need.everywhere ? std::nullopt : std::optional(need.where);
    const NodeRef& condition = node.inputs()[0];
    const NodeRef holds =
        k == 1 ? condition : b.apply(Op::logical_not, ElementType::b8, {condition});
    return need.everywhere ? holds : b.both(holds, need.where);
  }

  std::unordered_map<const Node*, Need> needs_;
};

class Checks {
 public:
  Checks(std::span<const NodeRef> roots, int faults) : faults_(faults) {
    const std::vector<NodeRef> order = pending_order(roots);
    if (faults & (Faults::overflow | Faults::bounds)) {
      Needs needs(roots, order);
      for (const NodeRef& node : order)
        if (!node->buffer && node->shape.size() > 0) check(node, needs);
    }
    for (const NodeRef& root : roots)
      if (!root->buffer && root->shape.size() > 0) check_result(root);
  }
  std::vector<FaultCheck> take() { return std::move(checks_); }

 private:
  void check(const NodeRef& node, Needs& needs) {
    if (node->kind == Kind::program) return check_program(node, needs);
    if (faults_ & Faults::overflow) add(Faults::overflow, node, overflow_of(*node, node), needs);
    if (faults_ & Faults::bounds) add(Faults::bounds, node, outside_of(*node), needs);
  }

  void add(int fault, const NodeRef& node, NodeRef bad, Needs& needs) {
    if (!bad) return;
    if (const NodeRef needed = needs.of(*node)) bad = FlagBuilder(node->where).both(bad, needed);
    checks_.push_back({fault, node, std::move(bad)});
  }

  void check_program(const NodeRef& node, Needs& needs) {
    for (const int fault : {Faults::overflow, Faults::bounds}) {
      if (!(faults_ & fault)) continue;
      const NodeRef statement = make_fault_output(*node, fault);
      if (!statement) continue;
      const FlagBuilder b(node->where);
      add(fault, node,
          b.apply(Op::not_equal, ElementType::b8, {statement, b.number(scalar_value(int32_t{0}))}),
          needs);
      checks_.back().statement = statement;
    }
  }

  static NodeRef overflow_of(const Node& node, const NodeRef& result) {
    FlagBuilder b(node.where);
    if (node.kind == Kind::elementwise) {
      if (divides_by_usual_constant(node)) return {};
      OverflowRule rule(b, node.inputs().back()->type);
      return rule.of_operation(node.op, node.inputs(), result).value_or(NodeRef());
    }
    if (node.kind == Kind::cast) {
      OverflowRule rule(b, node.inputs()[0]->type);
      return rule.of_cast(node.inputs()[0], node.type).value_or(NodeRef());
    }
    const bool combines = node.kind == Kind::reduce || is_combining_primitive(node.kind);
    const bool adds =
        node.kind == Kind::inner_product ||
        (combines && (node.reduction == Reduction::sum || node.reduction == Reduction::product));
    if (!adds || !is_integer(node.type) || !is_signed(node.type)) return {};
    if (node.kind == Kind::reduce && is_counted(*node.inputs()[0])) return {};
    return sum_overflow(node);
  }

  // Division by a constant other than 0 and -1 never faults.
  static bool divides_by_usual_constant(const Node& node) {
    if (node.op != Op::divide && node.op != Op::remainder) return false;
    const Node& divisor = *node.inputs()[1];
    if (divisor.kind != Kind::constant || !is_integer(divisor.type)) return false;
    const auto value = static_cast<int64_t>(convert(divisor.value, ElementType::i64).bits);
    return value != 0 && value != -1;
  }

  // Computes the same sum or product in double to detect where it leaves the range. This is exact
  // for up to 32 bits, and for 64 bits up to the rounding of double.
  static NodeRef sum_overflow(const Node& node) {
    FlagBuilder b(node.where);
    const size_t summed = node.kind == Kind::inner_product ? 2 : 1;
    std::vector<NodeRef> inputs(node.inputs().begin(), node.inputs().end());
    for (size_t k = 0; k < summed; ++k) inputs[k] = b.cast(inputs[k], ElementType::f64);
    const NodeRef exact = copy_node(node, ElementType::f64, node.shape, inputs);
    return OverflowRule(b, ElementType::f64).of_cast(exact, node.type).value_or(NodeRef());
  }

  static NodeRef outside_of(const Node& node) {
    const FlagBuilder b(node.where);
    NodeRef bad;
    if (node.kind == Kind::gather && node.map->boundary == Boundary::Kind::clamp) {
      const Extents& from = node.inputs()[0]->shape;
      for (int axis = 0; axis < from.rank; ++axis)
        bad = b.either(bad, b.outside(node.inputs()[static_cast<size_t>(axis) + 1], from[axis]));
    }
    // A gather whose indices depend only on the coordinates of its elements.
    if (node.kind == Kind::affine && node.map->boundary == Boundary::Kind::clamp &&
        node.map->name == std::string_view("gather"))
      for (int axis = 0; axis < node.inputs()[0]->shape.rank; ++axis)
        bad = b.either(bad, outside_on_axis(node, axis));
    return bad;
  }

  static NodeRef outside_on_axis(const Node& node, int axis) {
    const AxisMap& map = node.map->axes[static_cast<size_t>(axis)];
    const int64_t extent = node.inputs()[0]->shape[axis];
    const int64_t first = map.offset;
    const int64_t last = map.axis < 0 ? first : first + map.stride * (node.shape[map.axis] - 1);
    if (std::min(first, last) >= 0 && std::max(first, last) < extent) return {};
    FlagBuilder b(node.where);
    if (map.axis < 0) return make_constant(scalar_value(true), node.shape, node.where);
    const auto number = [&](int64_t value) { return b.number(scalar_value(value)); };
    const NodeRef index = b.cast(make_index(node.shape, map.axis, node.where), ElementType::i64);
    const NodeRef scaled = b.apply(Op::multiply, ElementType::i64, {index, number(map.stride)});
    return b.outside(b.apply(Op::add, ElementType::i64, {scaled, number(map.offset)}), extent);
  }

  void check_result(const NodeRef& root) {
    if (!is_floating(root->type)) return;
    const FlagBuilder b(root->where);
    if (faults_ & Faults::nan)
      checks_.push_back({Faults::nan, root, b.apply(Op::is_nan, ElementType::b8, {root})});
    if (faults_ & Faults::inf)
      checks_.push_back({Faults::inf, root, b.apply(Op::is_inf, ElementType::b8, {root})});
  }

  const int faults_;
  std::vector<FaultCheck> checks_;
};

}  // namespace

std::vector<FaultCheck> fault_checks(std::span<const NodeRef> roots, int faults) {
  return Checks(roots, faults).take();
}

}  // namespace tutti::ir
