// Export of symbols. The shared library is compiled with hidden visibility. Declarations of a
// public header between TUTTI_BEGIN_EXPORTS and TUTTI_END_EXPORTS are exported; no header is
// included between them.
#pragma once

#define TUTTI_BEGIN_EXPORTS _Pragma("GCC visibility push(default)")
#define TUTTI_END_EXPORTS _Pragma("GCC visibility pop")

// Marks single declarations of src/ that the tutti command, the benchmarks and the tests of this
// project use from outside of the library. They are not part of its interface.
#define TUTTI_EXPORT __attribute__((visibility("default")))
