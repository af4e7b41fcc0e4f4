// The end of threads and of the process. In the shared library no static object is ever destroyed,
// neither ours nor LLVM's. Objects of a thread are destroyed after all destructors of the program
// have run on it. So programs may compute in destructors of static and thread_local objects, and
// threads may compute while the process ends. The objects of a static libtutti belong to the
// program, so there exit() ends background work instead.
#pragma once
#include "tutti/detail/export.hpp"

namespace tutti {

TUTTI_EXPORT bool static_objects_live_on() noexcept;  // true in the shared library

// Makes exit() call `last` before it unloads the libraries that are loaded now.
void at_process_exit(void (*last)(void*)) noexcept;

}  // namespace tutti
