// Compiled kernels on disk: one file a kernel, named by a hash of its key, holding the whole key,
// the object file and a checksum of both. Files are written beside their place and renamed into it,
// only their owner can read them, and one that is damaged or of another key is as good as none.
#pragma once
#include <optional>
#include <string>

namespace tutti::runtime::disk_cache {

std::optional<std::string> find(const std::string& key);
void store(const std::string& key,
           const std::string& object);  // never throws; a failure warns once
void remove(const std::string& key);

}  // namespace tutti::runtime::disk_cache
