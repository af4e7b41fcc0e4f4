// Finds what a program repeats: the same sequence, step after step.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tutti::compiler {

// Of a sequence of words those from `first` on are `steps` times the same `length` words.
struct Period {
  int first = 0, length = 0, steps = 0;
  int end() const { return first + length * steps; }
};

// The period that covers the most words, if something is repeated at least so often around the
// middle of the sequence. Where a step begins is not known: the period may begin anywhere in one.
std::optional<Period> find_period(const std::vector<uint64_t>& words, int least_steps);

// The same steps, beginning where the fewest values go from one to the next. `last_use` says for
// each word the last one that needs it.
Period begin_where_little_is_alive(const Period& period, const std::vector<int>& last_use);

}  // namespace tutti::compiler
