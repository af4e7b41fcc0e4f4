// .npy files as arrays and back. One process reads and writes whole files. Ranks do it together:
// one looks at the header or makes the file, and each reads or writes its own part of the elements.
// A failure of any rank is the same FileError on all of them.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "api/files/shared_files.hpp"
#include "engine/evaluate.hpp"
#include "ranks/redistribute.hpp"
#include "ranks/split_array.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/files.hpp"

namespace tutti::detail {
namespace {

using ranks::Box;
using ranks::Layout;
using ranks::Session;
using ranks::SplitArray;

// A file descriptor that is closed. Errors name the file.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : path_(path), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) refuse(flags == O_RDONLY ? "cannot be opened" : "cannot be written");
  }
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int64_t size() const {
    struct stat facts;
    if (fstat(descriptor_, &facts) != 0) refuse("cannot be read");
    return facts.st_size;
  }
  void resize(int64_t bytes) const {
    if (ftruncate(descriptor_, bytes) != 0) refuse("cannot be written");
  }
  // Reads the available bytes, at most the length of the target.
  size_t read_at(int64_t offset, std::span<std::byte> target) const {
    size_t done = 0;
    while (done < target.size()) {
      const ssize_t got = pread(descriptor_, target.data() + done, target.size() - done,
                                offset + static_cast<int64_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse("cannot be read");
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    return done;
  }
  void write_at(int64_t offset, std::span<const std::byte> bytes) const {
    size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t put = pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                 offset + static_cast<int64_t>(done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) refuse("cannot be written");
      done += static_cast<size_t>(put);
    }
  }
  // Waits until the written bytes are on the disk. Throws the error of an earlier write.
  void flush() const {
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) refuse("cannot be written");
  }

 private:
  [[noreturn]] void refuse(const char* what) const {
    throw FileError(path_ + ": " + what + ": " + std::strerror(errno));
  }
  const std::string path_;
  const int descriptor_;
};

// Calls f(file offset, first element in the part, elements) for each row of elements of a part that
// lies in one piece in the file.
template <class F>
void for_each_run(const Extents& shape, const Box& part, int64_t begin, size_t each, F f) {
  if (part.size() == 0) return;
  int inner = shape.rank;  // axes from here on are whole
  while (inner > 0 && part[inner - 1].size() == shape[inner - 1]) --inner;
  const int outer = std::max(0, inner - 1);  // a run spans this axis of the part
  int64_t run = 1, rows = 1;
  for (int i = outer; i < shape.rank; ++i) run *= part[i].size();
  for (int i = 0; i < outer; ++i) rows *= part[i].size();
  for (int64_t row = 0; row < rows; ++row) {
    Box first = part;
    int64_t rest = row;
    for (int i = outer; i-- > 0;) {
      first[i].lo += rest % part[i].size();
      rest /= part[i].size();
    }
    const int64_t at = ranks::first_element(ranks::whole(shape), first);
    f(begin + at * static_cast<int64_t>(each), row * run, run);
  }
}

// Convert the header of a file to a message for other ranks, and back.
Bytes packed(const NpyHeader& header) {
  std::vector<int64_t> numbers{static_cast<int64_t>(header.type), header.transposed, header.swapped,
                               header.begin};
  for (const int64_t extent : header.shape) numbers.push_back(extent);
  return ranks::bytes_of(numbers);
}

NpyHeader unpacked(const Bytes& message) {
  const std::vector<int64_t> numbers = ranks::numbers_of(message);
  NpyHeader header{
      static_cast<ElementType>(numbers[0]), {}, numbers[1] != 0, numbers[2] != 0, numbers[3]};
  for (size_t i = 4; i < numbers.size(); ++i) header.shape.push_back(numbers[i]);
  return header;
}

NpyHeader header_of(const std::string& path, const FileLimits& limits) {
  constexpr size_t longest = 1 << 16;
  const Descriptor file(path, O_RDONLY);
  Bytes front(longest);
  front.resize(file.read_at(0, front));
  return parse_npy_header(front, file.size(), path, limits);
}

NodeRef read_whole(const std::string& path, ElementType type, int rank, const FileLimits& limits,
                   const Location& where) {
  const Bytes file = read_file(path, limits);
  return array_of_file(parse_npy(file, path, limits), type, rank, path, where);
}

// This rank's part of the elements.
ir::BufferRef read_part(const std::string& path, const NpyHeader& header, const Box& part) {
  const auto each = static_cast<size_t>(size_of(header.type));
  ir::BufferRef buffer = runtime::allocate(static_cast<size_t>(part.size()) * each);
  if (part.size() == 0) return buffer;
  std::byte* const target = ranks::writable_host_bytes(buffer);
  const Descriptor file(path, O_RDONLY);
  for_each_run(header.shape, part, header.begin, each,
               [&](int64_t offset, int64_t first, int64_t elements) {
                 const std::span<std::byte> row{target + static_cast<size_t>(first) * each,
                                                static_cast<size_t>(elements) * each};
                 if (file.read_at(offset, row) != row.size())
                   throw FileError(path + ": it was cut off while it was read");
               });
  normalise_npy(header, {target, static_cast<size_t>(part.size()) * each});
  return buffer;
}

std::shared_ptr<SplitArray> split_array_of(const NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return ranks::split_array_of(*node);
}

void write_part(const std::string& path, SplitArray& array, int64_t begin) {
  const Box own = array.own();
  const size_t each = array.element_bytes();
  if (own.size() == 0) return;
  const std::byte* held = ranks::host_bytes(array.buffer);
  Bytes copy;
  if (ranks::is_contiguous(array.room, own)) {
    held += static_cast<size_t>(ranks::first_element(array.room, own)) * each;
  } else {
    copy.resize(static_cast<size_t>(own.size()) * each);
    ranks::copy_box(copy.data(), own, held, array.room, own, each);
    held = copy.data();
  }
  const Descriptor file(path, O_WRONLY);
  for_each_run(array.shape, own, begin, each, [&](int64_t offset, int64_t first, int64_t elements) {
    file.write_at(offset,
                  {held + static_cast<size_t>(first) * each, static_cast<size_t>(elements) * each});
  });
  file.flush();
}

// One rank makes the file with its header and its length, all write into it, one renames it.
void write_together(const std::string& path, SplitArray& array, const Location& where) {
  Session& session = array.session;
  const std::string part = path + ".part";
  const Bytes header = format_npy_header(array.type, array.shape);
  const auto begin = static_cast<int64_t>(header.size());
  const bool first = session.rank() == 0;
  try {
    agree_on_file(session, "write " + path, where, [&] {
      if (!first) return Bytes();
      const Descriptor file(part, O_WRONLY | O_CREAT | O_TRUNC);
      file.resize(begin + array.shape.size() * static_cast<int64_t>(array.element_bytes()));
      file.write_at(0, header);
      return Bytes();
    });
    share_file_errors(session, [&] {
      write_part(part, array, begin);
      return Bytes();
    });
    share_file_errors(session, [&] {
      if (first && std::rename(part.c_str(), path.c_str()) != 0)
        throw FileError(path + ": cannot be written: " + std::strerror(errno));
      return Bytes();
    });
  } catch (const FileError&) {
    if (first) std::remove(part.c_str());
    throw;
  }
}

}  // namespace

NodeRef read_npy(const std::string& path, ElementType type, int rank, const FileLimits& limits,
                 const Location& where) {
  Session* const session = shared_session();
  if (!session) return read_whole(path, type, rank, limits, where);
  const std::vector<Bytes> headers = agree_on_file(*session, "read " + path, where, [&] {
    if (session->rank() != 0) return Bytes();
    const NpyHeader header = header_of(path, limits);
    require_file_kind({header.type, header.is_complex}, header.shape, {type, false}, rank, path,
                      where);
    return packed(header);
  });
  const NpyHeader header = unpacked(headers[0]);
  const bool split =
      header.shape.rank > 0 && header.shape.size() >= ranks::split_from() && !header.transposed;
  if (!split) {
    NodeRef result;
    share_file_errors(*session, [&] {
      result = read_whole(path, type, rank, limits, where);
      return Bytes();
    });
    return result;
  }
  const Layout layout = ranks::usual_layout(header.shape, session->size());
  const Box part = layout.part(header.shape, session->rank());
  ir::BufferRef buffer;
  share_file_errors(*session, [&] {
    buffer = read_part(path, header, part);
    return Bytes();
  });
  return ir::make_leaf(type, header.shape,
                       ranks::buffer_of(std::make_shared<SplitArray>(
                           *session, type, header.shape, layout, std::move(buffer), part, where)),
                       where);
}

ComplexNodes read_complex_npy(const std::string& path, ElementType part, int rank,
                              const FileLimits& limits, const Location& where) {
  const auto whole = [&] {
    const Bytes file = read_file(path, limits);
    return complex_array_of_file(parse_npy(file, path, limits), part, rank, path, where);
  };
  Session* const session = shared_session();
  if (!session) return whole();
  ComplexNodes result;
  agree_on_file(*session, "read " + path, where, [&] {
    result = whole();
    return Bytes();
  });
  return result;
}

void write_npy(const std::string& path, const ComplexNodes& nodes) {
  const Extents shape = shape_of(nodes.real, "write_npy");
  write_file(path, format_npy(nodes.real->type, shape, bytes_of(nodes), true));
}

void write_npy(const std::string& path, const NodeRef& node, const Location& where) {
  const PauseCapture numbers_not_symbols;
  const Extents shape = shape_of(node, "write_npy");
  engine::evaluate({&node, 1});
  if (const std::shared_ptr<SplitArray> array = split_array_of(node))
    return write_together(path, *array, where);
  write_file(path, format_npy(node->type, shape, bytes_of(node)));
}

}  // namespace tutti::detail
