// Short names for the nodes of lifted operations. Counts, numbers and positions of rows are int32,
// the index type of gathers. A node of rank 0 represents the same value in all rows.
#pragma once
#include <optional>

#include "graph/node.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nested {

inline bool is_uniform(const NodeRef& node) { return node->shape.rank == 0; }
detail::Extents rows_shape(int64_t rows);

NodeRef number(int64_t value);                             // int32, of rank 0
std::optional<int32_t> known_number(const NodeRef& node);  // of a constant int32
NodeRef flag(bool value);                                  // of rank 0
NodeRef numbered(int64_t rows);                            // 0, 1, 2, ...
NodeRef to_int32(const NodeRef& node, const Location& where);

NodeRef apply(Op op, const NodeRef& a, const NodeRef& b, const Location& where = Location());
NodeRef apply(Op op, const NodeRef& a, const Location& where = Location());
NodeRef choose(const NodeRef& condition, const NodeRef& yes, const NodeRef& no,
               const Location& where = Location());

NodeRef add(const NodeRef& a, const NodeRef& b);
NodeRef subtract(const NodeRef& a, const NodeRef& b);

// Returns the rows of a vector at the given indices: one of rank 0, or one for each row of the
// result. Indices outside read the nearest row, so nothing can fail before an error is reported.
NodeRef pick(const NodeRef& rows, const NodeRef& indices, const Location& where = Location());
// Does the same, with 0 where the index is outside.
NodeRef pick_or_zero(const NodeRef& rows, const NodeRef& indices);
NodeRef part_of(const NodeRef& rows, int64_t begin, int64_t count);
NodeRef spread(const NodeRef& node, int64_t rows);  // one value for each row, even if all are equal
// Returns the rows of a, then those of b.
NodeRef append(const NodeRef& a, int64_t a_rows, const NodeRef& b, int64_t b_rows);

}  // namespace tutti::nested
