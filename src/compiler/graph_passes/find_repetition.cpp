#include "compiler/graph_passes/find_repetition.hpp"

#include <algorithm>

namespace tutti::compiler {

std::optional<Period> find_period(const std::vector<uint64_t>& words, int least_steps) {
  constexpr int least_length = 4;
  const int count = static_cast<int>(words.size()), middle = count / 2;
  std::optional<Period> best;
  for (int length = least_length; length * least_steps <= count; ++length) {
    if (middle + length >= count || words[middle] != words[middle + length]) continue;
    int first = middle, last = middle;  // words of [first, last) recur one step later
    while (first > 0 && words[first - 1] == words[first - 1 + length]) --first;
    while (last + length < count && words[last] == words[last + length]) ++last;
    const Period found{first, length, (last - first) / length + 1};
    if (found.steps < least_steps) continue;
    // A multiple of a period is a period of the same words: prefer the shorter one.
    if (!best || found.length * found.steps > best->length * best->steps + best->length)
      best = found;
  }
  return best;
}

Period begin_where_little_is_alive(const Period& period, const std::vector<int>& last_use) {
  // Counts the values live between two steps in the middle, for each shift of their boundary.
  const int from = period.first + period.steps / 2 * period.length;
  int alive = 0, fewest = 0, best = -1;
  for (int i = period.first; i < from; ++i) alive += last_use[i] >= from;
  std::vector<int> ending(static_cast<size_t>(period.length) + 1, 0);
  const auto ends = [&](int i) {
    if (last_use[i] >= from && last_use[i] < from + period.length) ++ending[last_use[i] - from];
  };
  for (int i = period.first; i < from; ++i) ends(i);
  for (int shift = 0; shift < period.length; ++shift) {
    if (best < 0 || alive < fewest) fewest = alive, best = shift;
    const int i = from + shift;
    alive -= ending[shift];
    if (last_use[i] > i) ++alive, ends(i);
  }
  Period moved = period;
  moved.first += best;
  if (best > 0) --moved.steps;
  return moved;
}

}  // namespace tutti::compiler
