// Runs a chain of kernels on the CPU, strip by strip, strips in parallel.
#pragma once
#include "passes/plan.hpp"

namespace tutti::runtime {

void run_chain(const passes::ChainStep& chain, std::vector<std::vector<int64_t>> words);

}  // namespace tutti::runtime
