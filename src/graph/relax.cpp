#include "graph/relax.hpp"

#include <array>
#include <optional>

#include "numerics/fast_ops.hpp"

namespace tutti::ir {
namespace {

using Factors = std::array<NodeRef, 2>;

// Returns the factors of a product that is not computed yet.
std::optional<Factors> factors_of(const NodeRef& node) {
  if (!node || node->kind != Kind::elementwise || node->op != Op::multiply ||
      !is_floating(node->type))
    return std::nullopt;
  std::lock_guard lock(graph_mutex());
  if (node->buffer) return std::nullopt;
  return Factors{node->inputs()[0], node->inputs()[1]};
}

NodeRef make_fma(const NodeRef& a, const NodeRef& b, const NodeRef& c, const Location& where) {
  const NodeRef inputs[] = {a, b, c};
  return make_elementwise(Op::fma, inputs, where);
}

NodeRef negated(const NodeRef& node, const Location& where) {
  return make_elementwise(Op::negate, {&node, 1}, where);
}

// Returns the fma of a sum or difference, or null if there is no product to contract.
NodeRef contracted(Op op, std::span<const NodeRef> inputs, const Location& where) {
  if ((op != Op::add && op != Op::subtract) || !inputs[0] || !inputs[1] ||
      inputs[0]->type != inputs[1]->type)
    return {};
  const auto &a = inputs[0], &b = inputs[1];
  if (const auto product = factors_of(a))
    return make_fma((*product)[0], (*product)[1], op == Op::add ? b : negated(b, where), where);
  if (const auto product = factors_of(b)) {
    const NodeRef& factor = (*product)[0];
    return make_fma(op == Op::add ? factor : negated(factor, where), (*product)[1], a, where);
  }
  return {};
}

}  // namespace

NodeRef make_relaxed(Op op, Precision precision, std::span<const NodeRef> inputs,
                     const Location& where) {
  if (precision != Precision::exact)
    if (NodeRef node = contracted(op, inputs, where)) return node;
  if (precision == Precision::fast)
    if (const std::optional<Op> fast = fast_of(op);
        fast && inputs[0] && is_floating(inputs[0]->type))
      op = *fast;
  return make_elementwise(op, inputs, where);
}

}  // namespace tutti::ir
