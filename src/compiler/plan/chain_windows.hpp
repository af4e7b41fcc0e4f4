// Places the windows of a chain in the memory of a task. In: a chain with its windows, row blocks
// and tiles. Out: the pitch of all windows and the offset of each. Windows share memory if they are
// never live at the same time; a window that a later position needs again shares with none.
#pragma once
#include <span>

#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

inline constexpr int64_t line_bytes = 64;  // of the caches

// `kernels` are those of the chain, in order; chain.kernels is not read.
void place_windows(ChainStep& chain, std::span<const Kernel* const> kernels);

// Returns the bytes of all windows per column of a tile, before their final placement.
int64_t bytes_of_a_column(ChainStep& chain, std::span<const Kernel* const> kernels);

// The live range of a kernel's windows: the first and the last kernel of a position that need them.
struct WindowLife {
  size_t first = 0, last = 0;
  bool meets(const WindowLife& other) const { return first <= other.last && other.first <= last; }
};

// Returns whether a later position needs rows that kernel k has computed before it.
bool is_carried(const ChainStep& chain, size_t k);

}  // namespace tutti::compiler
