// A function for debuggers, which call it by name in the stopped process:
// editors/gdb/tutti_gdb.py.
#pragma once
#include "tutti/detail/export.hpp"

namespace tutti {

// Describes a node and its elements, as text that is valid until the next call on this thread. It
// computes nothing, copies nothing between devices and does not wait.
TUTTI_EXPORT const char* debug_text(const void* node);

}  // namespace tutti
