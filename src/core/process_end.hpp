// The end of threads and of the process. In the shared library no static object is ever destroyed,
// neither ours nor LLVM's, and objects of a thread are destroyed after all destructors of the
// program have run on it. So programs may compute in destructors of static and of thread_local
// objects, and threads may go on computing while the process ends. A static libtutti cannot arrange
// that, since its objects belong to the program: there, work in the background is ended by exit().
#pragma once
#include "tutti/detail/export.hpp"

namespace tutti {

TUTTI_EXPORT bool static_objects_live_on() noexcept;  // true in the shared library

// Has exit() call it, before it ends the libraries that were loaded until now.
void at_process_exit(void (*last)(void*)) noexcept;

}  // namespace tutti
