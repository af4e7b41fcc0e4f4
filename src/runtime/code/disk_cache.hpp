// Compiled kernels on disk: one file a kernel, named by a hash of its key, holding the whole key,
// the object file and a checksum of both. The checksum is keyed: the folder has a secret of its own
// that only its owner can read, so that nothing written by others is ever run. Files are written
// under a temporary name and renamed. Whatever is wrong with folder or file counts as a cache miss.
#pragma once
#include <optional>
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti::runtime::disk_cache {

TUTTI_EXPORT std::optional<std::string> find(const std::string& key);
// Whether there is a file for this key. What it holds is checked when it is read.
bool contains(const std::string& key);
TUTTI_EXPORT void store(const std::string& key,
                        const std::string& object);  // never throws; a failure warns once
void remove(const std::string& key);

}  // namespace tutti::runtime::disk_cache
