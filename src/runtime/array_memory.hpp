// What arrays take of memory, on the host and on devices together: counted for statistics(), and
// kept within TUTTI_MAX_BYTES.
#pragma once
#include <cstddef>

namespace tutti::runtime {

// Throws OutOfMemory if so many bytes more would exceed the limit.
void require_room(size_t bytes);
void count_taken(size_t bytes);
void count_given_back(size_t bytes);

}  // namespace tutti::runtime
