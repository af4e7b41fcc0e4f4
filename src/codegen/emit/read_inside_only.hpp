// Loads whose elements beyond the border are never used: a constant boundary is a choice between
// the element at the nearest index, which is loaded, and the constant.
#pragma once
#include <vector>

#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

// By load: whether every use of it is such a choice, by whether the coordinate along the inner axis
// lies inside.
std::vector<bool> loads_read_inside_only(const compiler::Kernel& kernel);

}  // namespace tutti::codegen
