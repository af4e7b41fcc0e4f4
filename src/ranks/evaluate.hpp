// Evaluations that the ranks share. Rounds: jobs whose inputs no other job must compute first run
// together; their results become leaves. The last round computes the results that were asked for.
#pragma once
#include "engine/distribution.hpp"
#include "ranks/session.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// Collective, unless nothing in the graph is split or large. Then every rank calls `alone` with
// copies of the nodes, which computes them. In both cases the nodes get their elements, and none
// that they are computed from: which of these a plan happens to store may differ from rank to rank.
void evaluate(Session& session, std::span<const NodeRef> nodes,
              const engine::Distribution::Alone& alone);

// The elements of a computed node, split as the layout says. Collective.
NodeRef split_along(Session& session, const NodeRef& node, const Layout& layout,
                    const Location& where);

// Gathers the split leaves below the nodes. Collective.
void make_whole(std::span<const NodeRef> nodes);

}  // namespace tutti::ranks
