// NVIDIA's assembler, where it is installed.
#pragma once
#include <string>

#include "codegen/nvptx/ptx.hpp"

namespace tutti::testing {

// Whether ptxas takes the text; true as well where there is no ptxas. What kernels use is counted
// for the report at the end of the tests.
bool assembles(const std::string& ptx, const codegen::PtxTarget& target);

}  // namespace tutti::testing
