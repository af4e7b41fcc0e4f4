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

Bytes bytes_of(const ComplexNodes& nodes) {
  const PauseCapture numbers_not_symbols;
  const NodeRef both[] = {nodes.real, nodes.imag};
  evaluate(both);
  const Bytes real = bytes_of(nodes.real), imag = bytes_of(nodes.imag);
  const auto size = static_cast<size_t>(size_of(nodes.real->type));
  Bytes result(real.size() + imag.size());
  for (size_t at = 0; at < real.size(); at += size) {
    std::memcpy(result.data() + 2 * at, real.data() + at, size);
    std::memcpy(result.data() + 2 * at + size, imag.data() + at, size);
  }
  return result;
}

namespace {

// Checks the type, the rank and the length, and returns the bytes of an element.
size_t checked_element_bytes(const FileArray& file, const FileElements& asked, int rank,
                             const std::string& path, const Location& where) {
  require_file_kind({file.type, file.is_complex}, file.shape, asked, rank, path, where);
  const auto size = static_cast<size_t>(size_of(asked.type)) * (asked.is_complex ? 2 : 1);
  const int64_t elements = ir::checked_size(file.shape, asked.type, "read", where);
  if (file.elements.size() % size != 0 ||
      file.elements.size() / size != static_cast<size_t>(elements))
    throw FileError(path + ": " + std::to_string(file.elements.size()) + " bytes of elements for " +
                    "the shape " + to_string(file.shape) + " of " + name_of(asked) + at(where));
  return size;
}

// Makes a leaf of elements in the order of the file.
NodeRef leaf_of_file(const FileArray& file, const void* elements, const Location& where) {
  const auto count = static_cast<size_t>(file.shape.size());
  NodeRef leaf = from_host(file.type, file.shape, elements, count, where);
  if (!file.transposed) return leaf;
  std::vector<int64_t> reversed;
  for (int axis = file.shape.rank; axis-- > 0;) reversed.push_back(axis);
  return transpose(leaf, reversed, where);
}

}  // namespace

NodeRef array_of_file(const FileArray& file, ElementType type, int rank, const std::string& path,
                      const Location& where) {
  checked_element_bytes(file, {type, false}, rank, path, where);
  return leaf_of_file(file, file.elements.data(), where);
}

ComplexNodes complex_array_of_file(const FileArray& file, ElementType part, int rank,
                                   const std::string& path, const Location& where) {
  const size_t size = checked_element_bytes(file, {part, true}, rank, path, where) / 2;
  const auto nodes_of_part = [&](size_t which) {
    Bytes elements(file.elements.size() / 2);
    for (size_t at = 0; at < elements.size(); at += size)
      std::memcpy(elements.data() + at, file.elements.data() + 2 * at + which * size, size);
    return leaf_of_file(file, elements.data(), where);
  };
  return {nodes_of_part(0), nodes_of_part(1)};
}

}  // namespace detail
}  // namespace tutti
