// Which build of the library this is.
#pragma once
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti {

// The linker's number of the file that this code is in, which changes with every change of the
// code; empty where the linker gave none.
TUTTI_EXPORT const std::string& build_id();

}  // namespace tutti
