// Builders of the vector primitives, and the rules for those that are read from files. The table
// tutti/detail/kinds.def documents them.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

#define TUTTI_BUILDER(id, parameters, arguments) NodeRef make_##id parameters;
#include "tutti/detail/kinds.def"

// Returns offsets of segments of a vector for use in computations: they are checked first.
NodeRef make_checked_offsets(const NodeRef& offsets, const NodeRef& elements, const char* operation,
                             const Location& where);
// Returns a pack whose number of found elements is not known in advance (PackSize::found).
NodeRef make_pack_all(const NodeRef& flags, const NodeRef& values, const Location& where);

// Returns a part of the transforms of lines that have stages (ir::has_stages).
NodeRef make_fourier_lines(const NodeRef& real, const NodeRef& imag, const FourierLines& lines,
                           const Location& where);

// Throws Error with the rule that a vector primitive breaks.
void verify_primitive(const Node& node);

}  // namespace tutti::ir
