// Decides which nodes of a graph keep their elements after an evaluation, and which leaves are free
// to be overwritten by it.
#pragma once
#include <vector>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::engine {

struct BufferFates {
  std::vector<bool> wanted_outside;  // by node: referenced from outside this graph
  std::vector<bool> gets_buffer;     // by node: its elements are in memory afterwards
  std::vector<bool> leaf_is_free;    // by leaf slot: not needed after this evaluation
};

// Requires the graph lock: references are counted.
BufferFates decide_fates(const compiler::Collected& collected, const compiler::Plan& plan);

}  // namespace tutti::engine
