// Memory that malloc() holds but does not use. Caches free small objects between others that stay,
// and the compiler allocates varying sizes. So the heap of a program that runs for hours fragments
// and grows beyond the memory in use.
#pragma once

namespace tutti {

// Returns free whole pages to the system. Call it after a cache has evicted entries. Runs at most
// once every ten seconds, because it takes milliseconds.
void release_heap_pages();

}  // namespace tutti
