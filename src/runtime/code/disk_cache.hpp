// Compiled kernels on disk: one file for each kernel, named by a hash of its key, with the whole
// key, the object file and a checksum of both. The checksum is keyed by a secret in the folder that
// only its owner can read, so that no code written by others is ever run. Files are written under a
// temporary name and renamed. Every problem with folder or file counts as a cache miss.
#pragma once
#include <optional>
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti::runtime::disk_cache {

TUTTI_EXPORT std::optional<std::string> find(const std::string& key);
// Whether there is a file for this key. Its contents are checked when they are read.
bool contains(const std::string& key);
TUTTI_EXPORT void store(const std::string& key,
                        const std::string& object);  // never throws; a failure warns once
void remove(const std::string& key);

}  // namespace tutti::runtime::disk_cache
