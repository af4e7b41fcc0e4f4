#include "nesl/io/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "nesl/io/shared_program.hpp"

namespace tutti::nesl {
namespace {

int flags_of(Files::Mode mode) {
  switch (mode) {
    case Files::Mode::read:
      return O_RDONLY;
    case Files::Mode::write:
      return O_WRONLY | O_CREAT | O_TRUNC;
    case Files::Mode::append:
      break;
  }
  return O_WRONLY | O_CREAT | O_APPEND;
}

}  // namespace

Files::Files() {
  for (const int stream : {standard_in, standard_out, standard_error})
    open_[stream] = std::make_unique<Stream>(stream, Stream::Ownership::standard);
}

int Files::open(const std::string& name, Mode mode, std::string& error) {
  // A name may hold a null character, which would cut it short.
  const bool whole = name.find('\0') == std::string::npos;
  // Ranks read a file each. One of them writes, and says whether it can.
  const char* const path = mode == Mode::read || is_first() ? name.c_str() : "/dev/null";
  const int descriptor = whole ? ::open(path, flags_of(mode) | O_CLOEXEC, 0666) : -1;
  const int problem = descriptor >= 0 ? 0 : whole ? errno : EINVAL;
  error = from_first("open " + name, [&] {
    return problem == 0 ? std::string()
                        : "ERROR: while trying to open " + name + "\n" + std::strerror(problem);
  });
  if (descriptor >= 0 && error.empty()) return adopt(descriptor);
  if (descriptor >= 0) ::close(descriptor);
  return null_stream;
}

int Files::adopt(int descriptor) {
  open_[next_] = std::make_unique<Stream>(descriptor, Stream::Ownership::ours);
  return next_++;
}

bool Files::close(int stream, std::string& error) {
  Stream* const its = find(stream, error);
  if (!its) return false;
  const bool good = its->close();
  error = its->error();
  if (stream > standard_error) open_.erase(stream);
  return good;
}

Stream* Files::find(int stream, std::string& error) const {
  const auto at = open_.find(stream);
  if (at != open_.end()) return at->second.get();
  error = "this stream is not open";
  return nullptr;
}

}  // namespace tutti::nesl
