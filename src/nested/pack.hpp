// The indices of true flags: the step that filters and choices share.
#pragma once
#include "nested/nodes.hpp"

namespace tutti::nested {

// How many flags hold up to each row, this one included.
NodeRef running_count(const NodeRef& flags, const Location& where);
// The rows whose flags hold, `found` of them, in order.
NodeRef places_of(const NodeRef& flags, int64_t found);

}  // namespace tutti::nested
