// The graph as the passes see it: what an evaluation has to compute, copied out of the nodes, in an
// order in which producers come before consumers. Sizes and maps are in it; the values of constants
// and the contents of buffers are not: they are arguments, found by their slots.
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
  int slot = -1;       // leaf: which buffer; constant, affine, gather: which scalar argument
  bool keep = false;   // its elements are wanted in memory
  bool often = false;  // leaf: gathered from again and again, as tuples are
  bool again = false;  // a step of an unrolled loop after the first (detect_unrolled_loops.hpp)
  int64_t number = 0;  // in the order in which the program made nodes
  detail::Location where;
};

// Whether a node is a program and an input of it an array that it reads at computed indices.
bool is_table(const GraphNode& node, size_t input);

struct Graph {
  std::vector<GraphNode> nodes;
  std::deque<ir::AffineMap> maps;
  std::vector<int> roots;
};

// What a node moves, if it is a transformation, however many there are.
int below_transformations(const Graph& graph, int node);

// The nodes in the order in which the program made them; inputs come first here as well.
std::vector<int> in_program_order(const Graph& graph);

}  // namespace tutti::compiler
