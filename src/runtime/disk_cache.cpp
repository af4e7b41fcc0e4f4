#include "runtime/disk_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/build_id.hpp"
#include "core/hash.hpp"
#include "core/settings.hpp"
#include "tutti/runtime.hpp"

namespace tutti::runtime::disk_cache {
namespace {

namespace fs = std::filesystem;

struct Header {
  char magic[8] = {'t', 'u', 't', 't', 'i', 'k', '0', '1'};
  uint64_t key_bytes = 0, object_bytes = 0, checksum = 0;
};

constexpr const char* extension = ".kernel";

bool enabled() { return live_settings().disk_cache; }

// Kernels of other versions are never found, nor those of another build, whose code generator may
// have been another.
std::string full_key(const std::string& key) {
  return std::string(version()) + '\n' + build_id() + '\n' + key;
}

uint64_t checksum(const std::string& key, const std::string& object) {
  return hash_bytes(object, hash_bytes(key));
}

fs::path path_of(const std::string& key) {
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(hash_bytes(key)),
                static_cast<unsigned long long>(hash_bytes(key, 0x51ed270b27b4f3cfu)));
  return fs::path(settings().cache_dir) / (std::string(name) + extension);
}

void warn_once(const std::string& what) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    std::fprintf(stderr,
                 "tutti: kernels are not kept on disk: %s (TUTTI_CACHE_DIR names another folder, "
                 "TUTTI_CACHE=0 turns this off)\n",
                 what.c_str());
}

// The whole content in a file of our own making, then renamed: readers see all of it or nothing.
bool write_file(const fs::path& path, const std::string& content) {
  static std::atomic<int> counter{0};
  const std::string temporary =
      path.string() + "." + std::to_string(getpid()) + "." + std::to_string(counter++);
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  size_t written = 0;
  while (written < content.size()) {
    const ssize_t n = write(file, content.data() + written, content.size() - written);
    if (n <= 0) break;
    written += static_cast<size_t>(n);
  }
  const bool complete = close(file) == 0 && written == content.size();
  if (complete && rename(temporary.c_str(), path.c_str()) == 0) return true;
  unlink(temporary.c_str());
  return false;
}

// Keeps the folder within its limit: the entries used longest ago go first.
void keep_within_limit(const fs::path& folder) {
  struct Entry {
    fs::path path;
    fs::file_time_type time;
    int64_t bytes;
  };
  std::vector<Entry> entries;
  int64_t total = 0;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(folder, error)) {
    if (item.path().extension() != extension) continue;
    std::error_code ignored;
    const auto bytes = static_cast<int64_t>(item.file_size(ignored));
    if (ignored) continue;
    entries.push_back({item.path(), item.last_write_time(ignored), bytes});
    total += bytes;
  }
  if (total <= live_settings().cache_bytes) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (total <= live_settings().cache_bytes) break;
    std::error_code ignored;
    if (fs::remove(entry.path, ignored)) total -= entry.bytes;
  }
}

}  // namespace

std::optional<std::string> find(const std::string& short_key) {
  if (!enabled()) return std::nullopt;
  const std::string key = full_key(short_key);
  const fs::path path = path_of(key);
  // A file that somebody else could have written is not run.
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
      (status.st_mode & 022) != 0)
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  Header header;
  const Header expected;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) return std::nullopt;
  const auto bytes = static_cast<uint64_t>(status.st_size);
  if (header.key_bytes != key.size() ||
      bytes != sizeof header + header.key_bytes + header.object_bytes)
    return std::nullopt;
  std::string stored_key(header.key_bytes, '\0'), object(header.object_bytes, '\0');
  if (!file.read(stored_key.data(), static_cast<std::streamsize>(stored_key.size())) ||
      !file.read(object.data(), static_cast<std::streamsize>(object.size())))
    return std::nullopt;
  if (stored_key != key || header.checksum != checksum(key, object)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // used just now
  return object;
}

void store(const std::string& short_key, const std::string& object) {
  if (!enabled()) return;
  const std::string folder = settings().cache_dir;
  if (folder.empty()) return warn_once("no folder is known for them");
  std::error_code error;
  const bool created = fs::create_directories(folder, error);
  if (error) return warn_once(folder + ": " + error.message());
  if (created) fs::permissions(folder, fs::perms::owner_all, error);
  const std::string key = full_key(short_key);
  Header header;
  header.key_bytes = key.size();
  header.object_bytes = object.size();
  header.checksum = checksum(key, object);
  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  content += key;
  content += object;
  if (!write_file(path_of(key), content)) return warn_once(folder + ": " + std::strerror(errno));
  static std::atomic<int> stores{0};
  if (stores++ % 64 == 0) keep_within_limit(folder);
}

void remove(const std::string& key) {
  std::error_code ignored;
  fs::remove(path_of(full_key(key)), ignored);
}

}  // namespace tutti::runtime::disk_cache
