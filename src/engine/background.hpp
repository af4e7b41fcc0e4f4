// Work that no caller waits for, such as compiling ahead. One thread does it, in order. Work that
// has not started when the process ends is dropped, like work that fails or for which no thread can
// be started. Long work polls background_is_ending().
#pragma once
#include <functional>

#include "tutti/detail/export.hpp"

namespace tutti::engine {

void in_background(std::function<void()> work);
// Returns whether the queue is short enough to add work: programs may request more than gets done.
bool background_has_room();
bool background_is_ending();
// From this call on, exit() waits for the work in progress and drops the rest. Call it after the
// libraries that the work uses are loaded: exit() destroys them later.
void end_background_at_exit();
// Blocks until all requested work is done.
TUTTI_EXPORT void wait_for_background();

}  // namespace tutti::engine
