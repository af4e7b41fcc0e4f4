// The indices of true flags, used by filters and choices.
#pragma once
#include "nested/nodes.hpp"

namespace tutti::nested {

// Returns the number of true flags up to and including each row.
NodeRef running_count(const NodeRef& flags, const Location& where);
// Returns the rows whose flags are true, `found` of them, in order.
NodeRef indices_of(const NodeRef& flags, int64_t found);

}  // namespace tutti::nested
