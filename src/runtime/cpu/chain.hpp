// Runs a chain of kernels on the CPU, row block by row block, row blocks in parallel.
#pragma once
#include "runtime/device.hpp"

namespace tutti::runtime {

void run_chain(const compiler::ChainStep& chain, const std::vector<Words>& words);

}  // namespace tutti::runtime
