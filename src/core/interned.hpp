// One copy of each text, which lives as long as the process: equal texts have the same address, so
// that they are compared and looked up without reading them. For texts of which there are few.
#pragma once
#include <string>

namespace tutti {

const std::string& interned(std::string text);

}  // namespace tutti
