// Builders of the vector primitives; see tutti/detail/graph.hpp for their meaning.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

NodeRef make_scan(Reduction reduction, const NodeRef& input, const NodeRef& offsets, bool exclusive,
                  const Location& where);
NodeRef make_segmented_reduce(Reduction reduction, const NodeRef& input, const NodeRef& offsets,
                              const Location& where);
NodeRef make_scatter(const NodeRef& base, std::span<const NodeRef> indices, const NodeRef& values,
                     Collision collision, const Location& where);
NodeRef make_sort_permutation(const NodeRef& keys, const NodeRef& offsets, bool descending,
                              const Location& where);
NodeRef make_sort_values(const NodeRef& keys, const NodeRef& values, const NodeRef& offsets,
                         bool descending, const Location& where);
NodeRef make_element_segments(const NodeRef& offsets, int64_t elements, const Location& where);
// Offsets of segments of a vector for those who use them as numbers: they are checked on the way.
NodeRef make_checked_offsets(const NodeRef& offsets, const NodeRef& elements, const char* operation,
                             const Location& where);
// The same for any number of elements: the offsets ascend from 0.
NodeRef make_ascending_offsets(const NodeRef& offsets, const Location& where);
// A pack of which it is not known how many elements it finds (PackSize::found).
NodeRef make_pack_all(const NodeRef& flags, const NodeRef& values, const Location& where);
NodeRef make_pack(const NodeRef& flags, const NodeRef& values, int64_t count,
                  const Location& where);
NodeRef make_search_sorted(const NodeRef& sorted, const NodeRef& queries, bool right_side,
                           const Location& where);

}  // namespace tutti::ir
