// Builds the position of the first greatest or least element from ordinary nodes: the first element
// that equals the result of the reduction. NaN is the extreme of any set that contains it, and -0
// equals +0.
//
// Elements of at most four bytes take one pass: rank and position form one 64-bit integer, of which
// the least is taken. Others are reduced row by row, and the first extreme row is searched.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

// Returns whether an element and one of `positions` positions fit a key.
bool fits_extreme_key(ElementType type, int64_t positions);

// Returns keys: lesser for more extreme elements, and among equal ones for lesser positions (int32,
// or int64 below 2^32).
NodeRef make_extreme_key(Reduction max_or_min, const NodeRef& elements, const NodeRef& positions,
                         const Location& where);
// Returns the position in a key, as int64.
NodeRef make_position_of_key(const NodeRef& key, const Location& where);

// Returns the row-major position along these axes, as int64. There must be elements.
NodeRef make_extreme_position(Reduction max_or_min, const NodeRef& input, std::span<const int> axes,
                              const Location& where);

}  // namespace tutti::ir
