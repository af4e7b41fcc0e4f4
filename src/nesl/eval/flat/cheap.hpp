// Which expressions may be evaluated for instances that do not need them: those that cost less than
// splitting a context, cannot fail and always end.
#pragma once
#include "nesl/core/core.hpp"

namespace tutti::nesl::flat {

// Both branches of such an if are computed everywhere and one is selected: it fuses with what is
// around it, and the host does not wait.
bool is_cheap(const CoreExpr& expr);

}  // namespace tutti::nesl::flat
