// The elements of its inputs that a node needs for a box of its own elements, kind by kind. They
// determine the halos that ranks exchange.
#pragma once
#include "ranks/box.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// Returns the box that is computed if `box` is needed. Kinds that cannot be computed for every box
// get a larger one; those that cannot be split get all elements.
Box computable(const Node& node, const Box& box);

// Returns the elements of input `k` that a computable box needs; of size 0 if none.
Box needed_input(const Node& node, const Box& box, size_t k);

// Makes the node for the elements of the box, from the needed boxes of its inputs.
NodeRef build_part(const Node& node, const Box& box, std::span<const NodeRef> inputs);

// Makes a transformation for the elements of the box, from memory that holds more of its input than
// it needs. So several of them read one array, as on one rank. Returns null if a boundary rule
// would apply at the border of the held box instead of that of the array.
NodeRef transform_held(const Node& node, const Box& box, const NodeRef& held, const Box& held_box);

// Returns whether an input is needed as a whole because the kind is not distributed, or reads it at
// computed indices. If the input is split, users are warned.
bool gathers_input(const Node& node, size_t k);

// Copies a node, with other inputs.
NodeRef clone(const Node& node, const Extents& shape, std::span<const NodeRef> inputs);

// Returns the elements `part` of an array that holds those of `box`.
NodeRef take_part(const NodeRef& array, const Box& box, const Box& part, const Location& where);

}  // namespace tutti::ranks
