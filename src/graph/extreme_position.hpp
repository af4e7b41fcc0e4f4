// The position of the first greatest or least element, as ordinary nodes. NaN is the extreme of
// whatever it is in, and -0 equals +0: the first element that equals what the reduction gives.
//
// Elements of at most four bytes take one pass: rank and position are one integer of 64 bits, whose
// least is wanted. Others are reduced row by row, and the first extreme row is searched.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

// Whether an element and one of `positions` positions fit a key.
bool fits_extreme_key(ElementType type, int64_t positions);

// The lesser, the more extreme is the element; of equal ones, the one with the lesser position
// (int32, or int64 below 2^32).
NodeRef make_extreme_key(Reduction max_or_min, const NodeRef& elements, const NodeRef& positions,
                         const Location& where);
// The position that a key was made of, as int64.
NodeRef make_position_of_key(const NodeRef& key, const Location& where);

// By row-major position among the elements along these axes, as int64. There must be elements.
NodeRef make_extreme_position(Reduction max_or_min, const NodeRef& input, std::span<const int> axes,
                              const Location& where);

}  // namespace tutti::ir
