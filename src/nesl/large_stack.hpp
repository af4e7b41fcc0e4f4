// Programs recurse deeply: they run on a thread with a stack of its own size.
#pragma once
#include <cstddef>
#include <functional>

namespace tutti::nesl {

// Address space, not memory: pages are taken as the stack grows.
constexpr std::size_t evaluation_stack_bytes = std::size_t{1} << 30;

// Runs the work on such a thread and waits for it; exceptions come through.
void with_large_stack(const std::function<void()>& work,
                      std::size_t bytes = evaluation_stack_bytes);

}  // namespace tutti::nesl
