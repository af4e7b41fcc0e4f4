// Evaluations that the ranks share, in rounds. The jobs of a round run together; no input of theirs
// depends on another job. Their results become leaves. The last round computes the requested nodes.
#pragma once
#include "engine/distribution.hpp"
#include "ranks/session.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// Evaluates nodes. Collective, unless nothing in the graph is split or large; then every rank calls
// `alone` with copies of the nodes. In both cases only these nodes get their elements: which other
// nodes a plan stores may differ from rank to rank.
void evaluate(Session& session, std::span<const NodeRef> nodes,
              const engine::Distribution::Alone& alone);

// Returns the elements of a computed node, split according to the layout. Collective.
NodeRef split_along(Session& session, const NodeRef& node, const Layout& layout,
                    const Location& where);

// Gathers the split leaves below the nodes. Collective.
void make_whole(std::span<const NodeRef> nodes);

}  // namespace tutti::ranks
