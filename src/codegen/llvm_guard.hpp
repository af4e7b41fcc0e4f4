// Calls of LLVM from which the process comes back. LLVM ends the process when it finds no memory or
// meets something that it cannot compile, and it was built without exceptions. Here a piece of
// memory is reserved before LLVM is called and given to it when there is no other; if that does not
// do, or LLVM gives up, the call is left by a jump. No destructor runs then: what LLVM had made is
// lost, and must not be used again.
#pragma once
#include <utility>

namespace tutti::codegen {

// Runs work(argument) on a stack that is large enough. Throws OutOfMemory if the reserve cannot be
// had, OutOfMemory or CompileError after a jump; exceptions of the work itself pass. The work must
// hold no lock and be in no initialisation of a static object where it calls LLVM.
void call_llvm(void (*work)(void*), void* argument);

template <class Work>
void with_llvm(Work&& work) {
  call_llvm([](void* argument) { (*static_cast<Work*>(argument))(); }, &work);
}

}  // namespace tutti::codegen
