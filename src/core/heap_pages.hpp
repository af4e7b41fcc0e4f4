// Memory that malloc() holds but does not use. Caches drop small objects that lie between others
// that stay, and the compiler needs ever other sizes in between: the heap of a program that runs
// for hours becomes larger than what is in use, page by page.
#pragma once

namespace tutti {

// Gives whole pages that are free back to the system: to be called when a cache has dropped
// something. At most once every ten seconds, since it takes milliseconds.
void release_heap_pages();

}  // namespace tutti
