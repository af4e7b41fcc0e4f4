// Builders of transformation nodes; see tutti/transform.hpp for their meaning.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

NodeRef make_shift(const NodeRef& input, std::span<const int64_t> by, Boundary::Kind boundary,
                   ScalarValue fill, const Location& where);
NodeRef make_section(const NodeRef& input, std::span<const Range> ranges, const Location& where);
// Returns a primitive: `base` with `values` in the section given by `ranges`.
NodeRef make_write_section(const NodeRef& base, std::span<const Range> ranges,
                           const NodeRef& values, const Location& where);
// Returns a new array of which these values are a section. Its other elements are unspecified: the
// caller writes all of them with make_write_section() before anything reads them.
NodeRef make_first_section(const Extents& array, std::span<const Range> ranges,
                           const NodeRef& values, const Location& where);
NodeRef make_replicate(const NodeRef& input, const Extents& shape, const Location& where);
NodeRef make_expand(const NodeRef& input, std::span<const Margin> margins, Boundary::Kind boundary,
                    ScalarValue fill, const char* name, const Location& where);
NodeRef make_transpose(const NodeRef& input, std::span<const int64_t> axes, const Location& where);
NodeRef make_drop_dimension(const NodeRef& input, int axis, const Location& where);
NodeRef make_add_dimension(const NodeRef& input, int axis, int64_t extent, const Location& where);
NodeRef make_broadcast(const NodeRef& input, const Extents& shape, const Location& where);

}  // namespace tutti::ir
