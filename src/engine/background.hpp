// Work that no caller waits for, such as compiling ahead: one thread does it, in order.
// What has not begun when the process ends is left out, and so is work that fails or that no thread
// can be had for; long work asks whether it is to end.
#pragma once
#include <functional>

#include "tutti/detail/export.hpp"

namespace tutti::engine {

void in_background(std::function<void()> work);
// Whether little enough waits that more may be added: what a program asks for can be more than one
// thread gets done.
bool background_has_room();
bool background_is_ending();
// From now on exit() waits for the work at hand, and no more is done: libraries that it uses, those
// that are loaded now, are ended by exit() afterwards.
void end_background_at_exit();
// Until everything that was asked for has been done.
TUTTI_EXPORT void wait_for_background();

}  // namespace tutti::engine
