// Moves elements of split arrays to the ranks that need them. Every rank knows what all ranks need,
// so it sends without being asked, and one message goes between two ranks.
#pragma once
#include "ranks/local_graph.hpp"

namespace tutti::ranks {

// The boxes of leaves as a message to the other ranks, and back.
Bytes message_of(const std::vector<LocalGraph::Leaf>& leaves);
std::vector<Box> boxes_of(const Bytes& message, const std::vector<LocalGraph::Leaf>& leaves);

// Collective. `needs` are the boxes of each rank, in the order of the leaves. Afterwards every leaf
// of the graph is given. What fits the room of a split array goes there; room is made for halos.
void exchange(Session& session, LocalGraph& graph, const std::vector<LocalGraph::Leaf>& leaves,
              const std::vector<std::vector<Box>>& needs);

}  // namespace tutti::ranks
