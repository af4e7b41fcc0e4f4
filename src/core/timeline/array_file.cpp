#include "core/timeline/array_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/escape.hpp"

namespace tutti::timeline {
namespace {

constexpr std::string_view begin_of_file = "[\n", end_of_file = "\n]\n";

}  // namespace

std::string with_part(const std::string& path, const std::string& part) {
  const size_t slash = path.rfind('/'), dot = path.rfind('.');
  const bool has_suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const size_t at = has_suffix ? dot : path.size();
  return path.substr(0, at) + "." + part + path.substr(at);
}

void report(const std::string& text) { std::fprintf(stderr, "tutti: %s\n", text.c_str()); }

std::string ArrayFile::open(const std::string& path) {
  path_ = path;
  std::string problem = open_locked();
  if (descriptor_ < 0 && problem.empty()) {
    path_ = with_part(path, std::to_string(getpid()));
    problem = open_locked();
    if (descriptor_ >= 0)
      report("another process writes the trace " + escaped(path) + "; this one goes to " +
             escaped(path_));
  }
  if (descriptor_ < 0) return problem.empty() ? "another process writes it" : problem;
  end_ = 0;
  has_events_ = false;
  return write_at_end(begin_of_file) ? "" : std::strerror(errno);
}

bool ArrayFile::append(const std::string& events) {
  const std::string text = (has_events_ ? ",\n" : "") + events;
  if (!write_at_end(text)) return false;
  has_events_ = true;
  return true;
}

std::string ArrayFile::begin_again() {
  const std::string before = with_part(path_, "before"), path = path_;
  std::rename(path.c_str(), before.c_str());
  close();
  return open(path);
}

void ArrayFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

// Without a descriptor and without a problem: another process has locked it.
std::string ArrayFile::open_locked() {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0) return std::strerror(errno);
  struct stat status{};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    return "it is not a regular file";
  }
  if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file);
    return "";
  }
  if (ftruncate(file, 0) != 0) {
    const std::string problem = std::strerror(errno);
    ::close(file);
    return problem;
  }
  descriptor_ = file;
  return "";
}

// Overwrites the end of the array with the text and a new end. On failure the former end is
// restored, which needs no new space.
bool ArrayFile::write_at_end(std::string_view text) {
  std::string all(text);
  all += end_of_file;
  size_t done = 0;
  while (done < all.size()) {
    const ssize_t now = pwrite(descriptor_, all.data() + done, all.size() - done,
                               static_cast<off_t>(end_ + static_cast<int64_t>(done)));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) {
      const int problem = now < 0 ? errno : ENOSPC;
      put_end_back();
      errno = problem;
      return false;
    }
    done += static_cast<size_t>(now);
  }
  end_ += static_cast<int64_t>(text.size());
  return true;
}

void ArrayFile::put_end_back() {
  const ssize_t put =
      pwrite(descriptor_, end_of_file.data(), end_of_file.size(), static_cast<off_t>(end_));
  if (put < 0 ||
      ftruncate(descriptor_, static_cast<off_t>(end_ + static_cast<int64_t>(end_of_file.size()))))
    errno = EIO;
}

}  // namespace tutti::timeline
