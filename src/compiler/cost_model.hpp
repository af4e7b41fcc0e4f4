// The cost of a node without its inputs, in units of one addition of one element
// (cost_constants.hpp), and its number of instructions.
#pragma once
#include "compiler/cost_constants.hpp"
#include "compiler/graph_passes/graph.hpp"
#include "compiler/kernel/kernel.hpp"
#include "program/program.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

struct NodeCost {
  double cost = 0, operations = 0;
};

inline NodeCost cost_alone(const GraphNode& node) {
  switch (node.kind) {
    case ir::Kind::elementwise:
      return {static_cast<double>(ir::op_cost(node.op)), 1 + ir::op_cost(node.op) / 4.0};
    case ir::Kind::cast:
    case ir::Kind::index:
      return {1, 1};
    case ir::Kind::gather:
      return {cost::gathered_load, 4};
    case ir::Kind::program:
    case ir::Kind::recurrence:
      return {node.program->cost, static_cast<double>(node.program->operations)};
    case ir::Kind::affine:
    case ir::Kind::reshape:
      return {cost::boundary, 0.25};
    default:
      return {};
  }
}

inline NodeCost own_cost(const GraphNode& node) {
  NodeCost cost = cost_alone(node);
  if (node.repeats_step) cost.operations = 0;  // the first step's code serves this one too
  return cost;
}

// Returns the cost of storing an element and loading it again.
inline double traffic(const target::CostModel& costs, const GraphNode& node) {
  const int bytes = size_of(node.type);
  const bool cached = bytes * node.shape.size() <= costs.cache_bytes;
  return bytes * (cached ? costs.cached_byte : costs.memory_byte);
}

// Returns the cost of a kernel's operations and programs at one point, without loads and stores.
inline double cost_of_arithmetic(const Kernel& kernel) {
  double cost = 0;
  for (const Instruction& in : kernel.code)
    if (in.kind == Instruction::Kind::op) cost += ir::op_cost(in.op);
  for (const ProgramCall& call : kernel.programs) cost += call.program->cost;
  return cost;
}

}  // namespace tutti::compiler
