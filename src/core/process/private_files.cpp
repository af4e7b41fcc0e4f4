#include "core/process/private_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace tutti::files {
namespace {

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;
constexpr std::string_view temporary_end = ".tmp";

bool is_ours(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & writable_by_others) == 0;
}

std::string words_of(int error) {
  if (error == ELOOP) return "a symbolic link stands in its place";
  if (error == ENOTDIR) return "a part of the path is no folder";
  return std::strerror(error);
}

// Returns why a folder is refused, or an empty string.
std::string problem_of(int folder) {
  struct stat status;
  if (fstat(folder, &status) != 0) return words_of(errno);
  if (status.st_uid != geteuid()) return "the folder belongs to another user";
  if ((status.st_mode & writable_by_others) != 0)
    return "other users can write to the folder (chmod go-w changes that)";
  return {};
}

// Splits "a//b/./c/" without empty parts and dots. A path that ends in a slash would follow links.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin < path.size()) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

std::string joined(const std::string& path, const std::vector<std::string>& parts, size_t count) {
  std::string result;
  if (path.starts_with('/')) result += '/';
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) result += '/';
    result += parts[i];
  }
  if (result.empty()) result += '.';
  return result;
}

Folder refused(const std::string& path, const std::string& why) {
  return {Descriptor(), path + ": " + why};
}

// Existing folders above the first missing one are controlled by the system's owner: links are
// followed there. Below it each folder is made, and must be ours.
Folder make_folders(const std::string& path, const std::vector<std::string>& parts) {
  size_t known = parts.size() - 1;
  Descriptor folder;
  for (;; --known) {
    folder =
        Descriptor(open(joined(path, parts, known).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder) break;
    if (errno != ENOENT || known == 0) return refused(path, words_of(errno));
  }
  for (size_t i = known; i < parts.size(); ++i) {
    if (mkdirat(folder.number(), parts[i].c_str(), 0700) != 0 && errno != EEXIST)
      return refused(path, words_of(errno));
    folder = Descriptor(openat(folder.number(), parts[i].c_str(), folder_flags));
    if (!folder) return refused(path, words_of(errno));
    if (const std::string why = problem_of(folder.number()); !why.empty())
      return refused(path, why);
  }
  return {std::move(folder), {}};
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  Descriptor old(std::exchange(number_, other.release()));
  return *this;
}
Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}
int Descriptor::release() { return std::exchange(number_, -1); }

Folder open_folder(const std::string& path, Missing missing) {
  const std::vector<std::string> parts = parts_of(path);
  if (parts.empty()) return refused(path, "this folder is not for files of Tutti");
  Descriptor folder(open(joined(path, parts, parts.size()).c_str(), folder_flags));
  if (!folder && errno == ENOENT)
    return missing == Missing::is_made ? make_folders(path, parts) : Folder();
  // A link causes ENOTDIR here, because of O_DIRECTORY.
  struct stat status;
  if (!folder && errno == ENOTDIR &&
      lstat(joined(path, parts, parts.size()).c_str(), &status) == 0 && S_ISLNK(status.st_mode))
    return refused(path, words_of(ELOOP));
  if (!folder) return refused(path, words_of(errno));
  if (const std::string why = problem_of(folder.number()); !why.empty()) return refused(path, why);
  return {std::move(folder), {}};
}

std::optional<std::string> read_private(int folder, const std::string& name, size_t most_bytes) {
  // Without O_NONBLOCK a pipe with this name would block for ever.
  const Descriptor file(
      openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file) return std::nullopt;
  struct stat status;
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || !is_ours(status) ||
      status.st_size < 0 || static_cast<uint64_t>(status.st_size) > most_bytes)
    return std::nullopt;
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = read(file.number(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    done += static_cast<size_t>(n);
  }
  return bytes;
}

bool write_new(int folder, const std::string& name, std::string_view bytes) {
  Descriptor file(
      openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return false;
  const bool written = write_all(file.number(), bytes);
  const int problem = errno;
  if (close(file.release()) == 0 && written) return true;
  unlinkat(folder, name.c_str(), 0);
  errno = written ? errno : problem;
  return false;
}

std::string temporary_name() {
  static std::atomic<int> counter{0};
  uint64_t random = 0;
  random_bytes(&random, sizeof random);  // another container may have the same process number
  return std::to_string(getpid()) + "-" + std::to_string(counter++) + "-" + std::to_string(random) +
         std::string(temporary_end);
}
bool is_temporary(std::string_view name) {
  if (!name.ends_with(temporary_end)) return false;
  name.remove_suffix(temporary_end.size());
  return std::count(name.begin(), name.end(), '-') == 2 &&
         name.find_first_not_of("0123456789-") == name.npos;
}

bool random_bytes(void* target, size_t bytes) {
  return getrandom(target, bytes, 0) == static_cast<ssize_t>(bytes);
}

std::vector<FileEntry> list_files(int folder) {
  std::vector<FileEntry> result;
  const int copy = openat(folder, ".", folder_flags);
  if (copy < 0) return result;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(copy), closedir);
  if (!stream) {
    close(copy);
    return result;
  }
  while (const dirent* item = readdir(stream.get())) {
    struct stat status;
    if (fstatat(folder, item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode) || status.st_uid != geteuid())
      continue;
    result.push_back({item->d_name,
                      status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec,
                      status.st_size});
  }
  std::sort(result.begin(), result.end(),
            [](const FileEntry& a, const FileEntry& b) { return a.nanoseconds < b.nanoseconds; });
  return result;
}

void keep_newest(int folder, const std::vector<FileEntry>& oldest_first, size_t most_files,
                 int64_t most_bytes) {
  int64_t bytes = 0;
  size_t files = oldest_first.size();
  for (const FileEntry& entry : oldest_first) bytes += entry.bytes;
  for (const FileEntry& entry : oldest_first) {
    if (files <= most_files && bytes <= most_bytes) return;
    if (unlinkat(folder, entry.name.c_str(), 0) != 0 && errno != ENOENT) continue;
    bytes -= entry.bytes;
    --files;
  }
}

}  // namespace tutti::files
