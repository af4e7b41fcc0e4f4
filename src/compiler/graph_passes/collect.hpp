// Walks the nodes to be evaluated. First it makes the key under which a plan for the same graph may
// have been stored; only when there is none is the graph copied out for the passes.
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
  std::vector<int> same_scalar;    // by scalar slot: the first slot known to hold the same
  std::vector<int> known_scalars;  // slots of different values that others are compared with
  std::vector<int> references;     // by place: references that come from this graph
  std::vector<int> roots;          // positions of the roots

  // The key of a plan for a machine.
  void add_to_key(const target::Target& target) {
    key.push_back(reinterpret_cast<uintptr_t>(&target));
  }
  void clear();  // keeps the memory for the next graph
};

// What a plan may know of the values of constants.
enum class Constants : uint8_t {
  free,            // nothing: the plan is for all values
  which_are_same,  // which integers are equal, so that `y + 1` written twice is found to be one
                   // value; and which values beyond a border, which every tap of a stencil has
};

// Call with graph_mutex() held. Returns false when a node is being computed by another thread.
TUTTI_EXPORT bool collect(std::span<const detail::NodeRef> roots, Collected& result,
                          Constants constants = Constants::which_are_same);

// Whether a node has a scalar argument: slots are numbered in the order of such nodes.
bool has_scalar(const ir::Node& node);

// The magnitude of a length, on which the cost model decides: reductions of one tile, arrays for
// which launches count more than memory traffic, then factors of eight.
int magnitude_of(int64_t length);

// A graph of vectors and single numbers by its structure and the classes of its sizes: graphs with
// the same key differ in lengths alone, and the same of their lengths are equal. Their plans are
// made from each other (compiler/plan/resize.hpp).
struct SizeClass {
  std::vector<uint64_t> key;     // empty where the graph has arrays of higher rank
  std::vector<int64_t> lengths;  // all that occur above 1, in the order of the nodes
};
SizeClass size_class_of(const Collected& collected, const target::Target& target);

TUTTI_EXPORT Graph copy_graph(const Collected& collected);

}  // namespace tutti::compiler
