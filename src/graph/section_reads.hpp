// What the values of a written section read of the array that they are written to. In: the values,
// the array, the map from coordinates of the values to coordinates of the array. Out: whether the
// section may be computed in place.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

enum class SectionReads : uint8_t {
  nothing,  // no element of the array
  own,      // each value reads its own element of the array, or elements outside of the section
  others,   // or it is not known
};

// Looks at a few dozen operations at most. What is stored before the section is written does not
// count: a reduction, for example. Requires the graph lock.
SectionReads section_reads(const Node& values, const Node& array, const AffineMap& section);

// Returns whether the result would be `own` if the section were the one among those that the values
// read that has their shape.
bool reads_one_section(const Node& values, const Node& array);

}  // namespace tutti::ir
