#include "nesl/files.hpp"

#include <cerrno>
#include <cstring>

namespace tutti::nesl {

Files::~Files() {
  for (const auto& [stream, file] : open_) std::fclose(file);
}

int Files::open(const std::string& name, const char* mode, std::string& error) {
  std::FILE* file = std::fopen(name.c_str(), mode);
  if (!file) {
    error = name + ": " + std::strerror(errno);
    return null_stream;
  }
  return adopt(file);
}

int Files::adopt(std::FILE* file) {
  open_[next_] = file;
  return next_++;
}

bool Files::close(int stream, std::string& error) {
  const auto at = open_.find(stream);
  if (at == open_.end()) {
    error = "this stream is not open";
    return false;
  }
  const bool good = std::fclose(at->second) == 0;
  if (!good) error = std::strerror(errno);
  open_.erase(at);
  return good;
}

std::FILE* Files::find(int stream, std::string& error) const {
  if (stream == standard_in) return stdin;
  if (stream == standard_out) return stdout;
  if (stream == standard_error) return stderr;
  const auto at = open_.find(stream);
  if (at != open_.end()) return at->second;
  error = "this stream is not open";
  return nullptr;
}

}  // namespace tutti::nesl
