// Which symbols the shared library exports. It is compiled with hidden visibility. What a public
// header declares between TUTTI_BEGIN_EXPORTS and TUTTI_END_EXPORTS is exported; no header is
// included between them.
#pragma once

#define TUTTI_BEGIN_EXPORTS _Pragma("GCC visibility push(default)")
#define TUTTI_END_EXPORTS _Pragma("GCC visibility pop")

// On single declarations of src/: those that the tutti command, the benchmarks and the tests of
// this project use across the border of the library. They are no part of its interface.
#define TUTTI_EXPORT __attribute__((visibility("default")))
