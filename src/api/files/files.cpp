// Files as bytes, and arrays from bytes.
#include "tutti/files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "api/files/shared_files.hpp"
#include "graph/node.hpp"

namespace tutti {
namespace detail {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw FileError(path + ": " + what);
}

}  // namespace

Bytes read_file(const std::string& path, const FileLimits& limits) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  // Reads in pieces, ignoring the size that the system reports: a pipe has none, a file may grow.
  constexpr size_t piece = size_t{1} << 20;
  constexpr int64_t headers = 1 << 20;  // in addition to the elements
  Bytes result;
  size_t used = 0;
  while (true) {
    if (static_cast<int64_t>(used) > limits.most_bytes + headers)
      refuse(path, "has more than " + std::to_string(limits.most_bytes) +
                       " bytes, the limit of FileLimits");
    result.resize(used + std::max(piece, used / 2));
    const size_t got = std::fread(result.data() + used, 1, result.size() - used, file.get());
    used += got;
    if (std::ferror(file.get()))
      refuse(path, std::string("cannot be read: ") + std::strerror(errno));
    if (used < result.size()) break;
  }
  result.resize(used);
  return result;
}

void write_file(const std::string& path, ByteView contents) {
  // Ranks may write the same file: each its own copy, with the same contents.
  const ranks::Session* const shared = shared_session();
  const std::string part = path + ".part" + (shared ? std::to_string(shared->rank()) : "");
  {
    const File file(std::fopen(part.c_str(), "wb"));
    if (!file) refuse(path, std::string("cannot be written: ") + std::strerror(errno));
    const bool whole =
        std::fwrite(contents.data(), 1, contents.size(), file.get()) == contents.size() &&
        std::fflush(file.get()) == 0;
    if (!whole) {
      const std::string reason = std::strerror(errno);
      std::remove(part.c_str());
      refuse(path, "cannot be written: " + reason);
    }
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(part.c_str());
    refuse(path, "cannot be written: " + reason);
  }
}

Bytes bytes_of(const NodeRef& node) {
  const int64_t elements = shape_of(node, "write").size();
  const PauseCapture numbers_not_symbols;
  evaluate({&node, 1});
  Bytes result(static_cast<size_t>(elements * size_of(node->type)));
  if (!result.empty()) copy_to_host(node, result.data());
  return result;
}

NodeRef array_of_file(const FileArray& file, ElementType type, int rank, const std::string& path,
                      const Location& where) {
  require_file_kind(file.type, file.shape, type, rank, path, where);
  const auto size = static_cast<size_t>(size_of(type));
  const int64_t elements = ir::checked_size(file.shape, type, "read", where);
  if (file.elements.size() != static_cast<size_t>(elements) * size)
    throw FileError(path + ": " + std::to_string(file.elements.size()) + " bytes of elements for " +
                    "the shape " + to_string(file.shape) + " of " + name(type) + at(where));
  NodeRef leaf =
      from_host(type, file.shape, file.elements.data(), file.elements.size() / size, where);
  if (!file.transposed) return leaf;
  std::vector<int64_t> reversed;
  for (int axis = rank; axis-- > 0;) reversed.push_back(axis);
  return transpose(leaf, reversed, where);
}

}  // namespace detail
}  // namespace tutti
