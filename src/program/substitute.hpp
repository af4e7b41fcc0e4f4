// Substitutes nodes for the parameters of a function.
#pragma once
#include "core/block_pool.hpp"
#include "program/function.hpp"

namespace tutti::ir {

// Returns all nodes of the body that depend on a parameter, producers first, without the
// parameters. With on_loops_too, also those that depend on loops of the function.
enum class Dependent : uint8_t { on_parameters, on_loops_too };
std::vector<Node*> dependent_nodes(const Function& function,
                                   Dependent dependent = Dependent::on_parameters);

// Returns the operation of a node on other inputs.
NodeRef rebuild(const Node& node, std::span<const NodeRef> inputs, const Location& where);

// Returns the results with arguments instead of the parameters. make(node, inputs) returns the
// replacement of a node that depends on them.
template <class Make>
std::vector<NodeRef> substitute(const Function& function, std::span<const NodeRef> arguments,
                                Make make, Dependent dependent = Dependent::on_parameters) {
  SmallMap<const Node*, NodeRef> stands_for;
  for (size_t i = 0; i < arguments.size(); ++i)
    stands_for[function.parameters[i].get()] = arguments[i];
  const auto replaced = [&](const NodeRef& node) {
    const auto found = stands_for.find(node.get());
    return found == stands_for.end() ? node : found->second;
  };
  std::vector<NodeRef> inputs;
  for (Node* node : dependent_nodes(function, dependent)) {
    inputs.clear();
    for (const NodeRef& input : node->inputs()) inputs.push_back(replaced(input));
    stands_for[node] = make(*node, inputs);
  }
  std::vector<NodeRef> results;
  for (const NodeRef& result : function.results) results.push_back(replaced(result));
  return results;
}

}  // namespace tutti::ir
