// Calls of LLVM that return even if LLVM fails. LLVM ends the process when it runs out of memory or
// cannot compile something, and it was built without exceptions. So memory is reserved before LLVM
// is called, and released to it when there is no other. If that does not suffice, or LLVM gives up,
// the call is left by a jump. No destructor runs then: objects that LLVM has made leak and must not
// be used.
#pragma once
#include <utility>

namespace tutti::codegen {

// Runs work(argument) on a stack that is large enough. Throws OutOfMemory if the reserve cannot be
// allocated, and OutOfMemory or CompileError after a jump; exceptions of the work pass through.
// While the work calls LLVM it must hold no lock and initialise no static object.
void call_llvm(void (*work)(void*), void* argument);

template <class Work>
void with_llvm(Work&& work) {
  call_llvm([](void* argument) { (*static_cast<Work*>(argument))(); }, &work);
}

}  // namespace tutti::codegen
