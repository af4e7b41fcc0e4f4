// Proves that a chain reads only elements that it has computed. In: the kernels of a chain and its
// row blocks, tiles and windows, as row_block_chains.cpp has planned them. Out: whether every
// element that one kernel reads of another is available when it is read, and no live window is
// overwritten. The proof uses the index expressions alone, not the reasoning that planned the
// chain.
#pragma once
#include <span>

#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

// `kernels` are those of the chain, in order; chain.kernels is not read.
TUTTI_EXPORT bool reads_only_computed(const ChainStep& chain,
                                      std::span<const Kernel* const> kernels);

}  // namespace tutti::compiler
