// Evaluations that the ranks share. Rounds: jobs whose inputs no other job must compute first run
// together; their results become leaves. The last round computes the results that were asked for.
#pragma once
#include "ranks/session.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// Collective. False if nothing in the graph is split or large: then every rank computes by itself.
bool evaluate(Session& session, std::span<const NodeRef> nodes);

// The elements of a computed node, split as the layout says. Collective.
NodeRef split_along(Session& session, const NodeRef& node, const Layout& layout,
                    const Location& where);

// Gathers the split leaves below the nodes. Collective.
void make_whole(std::span<const NodeRef> nodes);

}  // namespace tutti::ranks
