// For debuggers, which call it by name in the stopped process: editors/gdb/tutti_gdb.py.
#pragma once
#include "tutti/detail/export.hpp"

namespace tutti {

// What a node holds, as text that stays valid until the next call of the thread. Computes nothing,
// moves nothing and waits for nothing.
TUTTI_EXPORT const char* debug_text(const void* node);

}  // namespace tutti
