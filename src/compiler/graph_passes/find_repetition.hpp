// Finds a repeated sequence of words: the steps of an unrolled loop.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tutti::compiler {

// From word `first` on, a sequence repeats the same `length` words `steps` times.
struct Period {
  int first = 0, length = 0, steps = 0;
  int end() const { return first + length * steps; }
};

// Returns the period that covers the most words, if one repeats at least `least_steps` times around
// the middle of the sequence. It may begin anywhere within a step of the program.
std::optional<Period> find_period(const std::vector<uint64_t>& words, int least_steps);

// Returns the same steps, beginning where the fewest values are live from one step to the next.
// `last_use` holds for each word the last one that needs it.
Period begin_where_little_is_alive(const Period& period, const std::vector<int>& last_use);

}  // namespace tutti::compiler
