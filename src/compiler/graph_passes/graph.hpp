// The graph as the passes see it: the nodes of one evaluation, copied, producers before consumers.
// It contains sizes and maps. The values of constants and the contents of buffers are arguments,
// found by their slots.
#pragma once
#include <deque>
#include <vector>

#include "graph/node.hpp"

namespace tutti::compiler {

using detail::Extents;

struct GraphNode {
  ir::Kind kind{};
  Op op{};
  Reduction reduction{};
  ElementType type{};
  Extents shape;
  ir::Payload payload;
  template <class T>
  T get() const {
    return std::get<T>(payload);
  }
  std::vector<int> inputs;
  const ir::AffineMap* map = nullptr;  // affine, gather
  // affine: axes of the input that it reads at one index each, which is a scalar argument.
  struct Selected {
    int axis, slot;
    bool operator==(const Selected&) const = default;
  };
  std::vector<Selected> selected{};
  std::shared_ptr<const ir::ScalarProgram> program;
  int slot = -1;          // leaf: which buffer; constant, affine, gather: which scalar argument
  bool keep = false;      // its elements are needed in memory
  bool in_place = false;  // write_section: its values may be computed in place (section_reads.hpp)
  int place = -1;         // its index when it was collected, if a pass has moved it
  bool gathered_often = false;  // leaf: read at computed indices by several evaluations
  bool repeats_step = false;    // in a step after the first (detect_unrolled_loops.hpp)
  int64_t number = 0;           // its rank in the order in which the program made nodes
  detail::Location where;
};

// Returns whether an input is a table: an array that a program reads at computed indices.
bool is_table(const GraphNode& node, size_t input);

struct Graph {
  std::vector<GraphNode> nodes;
  std::deque<ir::AffineMap> maps;
  std::vector<int> roots;
  bool has_unrolled_loop = false;  // GraphNode::repeats_step is set for some nodes
};

// Returns the node below any number of transformations.
int below_transformations(const Graph& graph, int node);

// Returns the nodes in the order in which the program made them. Inputs still precede their users.
std::vector<int> in_program_order(const Graph& graph);

}  // namespace tutti::compiler
