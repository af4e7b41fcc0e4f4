// Which elements of its inputs a node needs for a box of its own elements, kind by kind. From this
// follow the halos that ranks exchange.
#pragma once
#include "ranks/box.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// The box that is computed where `box` is needed: at least that. Kinds that cannot be computed for
// any box get a larger one; those that cannot be cut get all elements.
Box computable(const Node& node, const Box& box);

// The elements of input `k` that a computable box needs; of size 0 if none.
Box needed_input(const Node& node, const Box& box, size_t k);

// The node for the elements of the box, from the needed boxes of its inputs.
NodeRef build_part(const Node& node, const Box& box, std::span<const NodeRef> inputs);

// A transformation for the elements of the box, from memory that holds more of its input than it
// needs. So several of them read one array, as they do on one rank. Null where a boundary rule
// would meet the border of what is held, not of the array.
NodeRef transform_held(const Node& node, const Box& box, const NodeRef& held, const Box& held_box);

// Whether an input is needed as a whole because the kind is not distributed, or reads it at
// computed indices: worth a warning if it is split.
bool gathers_input(const Node& node, size_t k);

// The same node over other inputs.
NodeRef clone(const Node& node, const Extents& shape, std::span<const NodeRef> inputs);

// The elements `part` of an array that holds those of `box`.
NodeRef take_part(const NodeRef& array, const Box& box, const Box& part, const Location& where);

}  // namespace tutti::ranks
