// Identifies the build of the library.
#pragma once
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti {

// Returns the linker's build ID of the file that contains this code, which changes with every
// change of the code. Empty if the linker wrote none.
TUTTI_EXPORT const std::string& build_id();

}  // namespace tutti
