// Where the windows of a chain lie in the memory of a task. In: a chain with its windows, row
// blocks and tiles. Out: the pitch of all windows and the offset of each. Windows share memory if
// they are never needed at the same time; what a later position needs again shares with none.
#pragma once
#include <span>

#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

// `kernels` are those of the chain, in order; chain.kernels is not looked at.
void place_windows(ChainStep& chain, std::span<const Kernel* const> kernels);

// What the windows take for each column of a tile; where they lie is not known yet.
int64_t bytes_of_a_column(ChainStep& chain, std::span<const Kernel* const> kernels);

// The first and the last kernel of a position that need the windows of one kernel.
struct WindowLife {
  size_t first = 0, last = 0;
  bool meets(const WindowLife& other) const { return first <= other.last && other.first <= last; }
};

// Whether a later position needs rows that kernel k has computed before it.
bool is_carried(const ChainStep& chain, size_t k);

}  // namespace tutti::compiler
