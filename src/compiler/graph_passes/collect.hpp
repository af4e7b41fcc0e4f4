// Walks the nodes to be evaluated and writes the key of their plan. Only if no plan is stored under
// that key is the graph copied for the passes.
#pragma once
#include <vector>

#include "compiler/graph_passes/graph.hpp"
#include "target/target.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

struct Collected {
  std::vector<ir::Node*> order;   // producers first
  std::vector<uint64_t> key;      // structure, types, shapes, maps
  std::vector<ir::Node*> leaves;  // by leaf slot
  std::vector<uint64_t> scalars;  // bits, by scalar slot
  std::vector<ElementType> scalar_types;
  std::vector<int> same_scalar;    // by scalar slot: the first slot known to hold the same value
  std::vector<int> known_scalars;  // slots of distinct values, with which new ones are compared
  std::vector<int> references;     // by node: references from nodes of this graph
  std::vector<int> roots;          // indices of the roots in `order`

  // Makes the key one of a plan for this machine.
  void add_to_key(const target::Target& target) {
    key.push_back(reinterpret_cast<uintptr_t>(&target));
  }
  void clear();  // keeps the memory for the next graph
};

// How much a plan may assume about the values of constants.
enum class Constants : uint8_t {
  free,            // nothing: the plan is valid for all values
  which_are_same,  // which integers are equal, so that `y + 1` written twice is one value; and
                   // which boundary values are, because every offset of a stencil has one
};

// Requires graph_mutex(). Returns false if another thread is computing a node.
TUTTI_EXPORT bool collect(std::span<const detail::NodeRef> roots, Collected& result,
                          Constants constants = Constants::which_are_same);

// Returns whether a node has a scalar argument. Slots are numbered in the order of such nodes.
bool has_scalar(const ir::Node& node);

// Returns the magnitude of a length, on which the cost model decides: reductions of one tile,
// arrays for which launches cost more than memory traffic, then factors of eight.
int magnitude_of(int64_t length);

// The structure of a graph of vectors and scalars, with magnitudes instead of lengths. Graphs with
// the same key differ only in lengths, and equal lengths of one are equal in the other. Their plans
// are made from each other (compiler/plan/resize.hpp).
struct SizeClass {
  std::vector<uint64_t> key;     // empty if the graph has arrays of rank 2 or more
  std::vector<int64_t> lengths;  // the distinct lengths above 1, in the order of the nodes
};
SizeClass size_class_of(const Collected& collected, const target::Target& target);

TUTTI_EXPORT Graph copy_graph(const Collected& collected);

}  // namespace tutti::compiler
