#include "runtime/code/disk_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "core/caching/hash.hpp"
#include "core/caching/siphash.hpp"
#include "core/escape.hpp"
#include "core/process/build_id.hpp"
#include "core/process/private_files.hpp"
#include "core/settings/settings.hpp"
#include "tutti/runtime.hpp"

namespace tutti::runtime::disk_cache {
namespace {

struct Header {
  char magic[8] = {'t', 'u', 't', 't', 'i', 'k', '0', '2'};
  uint64_t key_bytes = 0, object_bytes = 0, checksum = 0;
};

constexpr const char* extension = ".kernel";
constexpr const char* secret_name = "secret";
constexpr size_t most_object_bytes = size_t{1} << 30;

bool enabled() { return live_settings().disk_cache; }

// Kernels of other versions and of other builds, whose code generator may differ, are never found.
std::string full_key(const std::string& key) {
  return std::string(version()) + '\n' + build_id() + '\n' + key;
}

uint64_t checksum(const SecretKey& secret, const std::string& name, std::string_view key,
                  std::string_view object) {
  const uint64_t sizes[] = {name.size(), key.size(), object.size()};
  return SipHash(secret)
      .add({reinterpret_cast<const char*>(sizes), sizeof sizes})
      .add(name)
      .add(key)
      .add(object)
      .result();
}

std::string name_of(const std::string& key) {
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(hash_bytes(key)),
                static_cast<unsigned long long>(hash_bytes(key, 0x51ed270b27b4f3cfu)));
  return std::string(name) + extension;
}

void warn_once(const std::string& what) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    std::fprintf(stderr,
                 "tutti: kernels are not kept on disk: %s (TUTTI_CACHE_DIR names another folder, "
                 "TUTTI_CACHE=0 turns this off)\n",
                 escaped(what).c_str());
}

// Opens the folder, if only its owner can write to it.
files::Descriptor open_cache(files::Missing missing) {
  const std::string path = settings().cache_dir;
  if (path.empty()) {
    if (missing == files::Missing::is_made) warn_once("no folder is known for them");
    return files::Descriptor();
  }
  files::Folder folder = files::open_folder(path, missing);
  if (!folder.problem.empty()) warn_once(folder.problem);
  return std::move(folder.descriptor);
}

std::optional<SecretKey> read_secret(int folder) {
  const auto bytes = files::read_private(folder, secret_name, sizeof(SecretKey));
  if (!bytes || bytes->size() != sizeof(SecretKey)) return std::nullopt;
  SecretKey secret;
  std::memcpy(secret.data(), bytes->data(), sizeof secret);
  return secret;
}

// Makes a secret. If several processes make one at the same time, one succeeds, and all use its
// secret. The file appears under its name only when it is complete.
std::optional<SecretKey> make_secret(int folder) {
  SecretKey secret;
  if (!files::random_bytes(secret.data(), sizeof secret)) return std::nullopt;
  const std::string temporary = files::temporary_name();
  if (!files::write_new(folder, temporary,
                        {reinterpret_cast<const char*>(secret.data()), sizeof secret}))
    return std::nullopt;
  const bool linked = linkat(folder, temporary.c_str(), folder, secret_name, 0) == 0;
  // The existing secret is damaged or was writable for others; or the file system has no links.
  if (!linked && !read_secret(folder)) renameat(folder, temporary.c_str(), folder, secret_name);
  const int problem = errno;
  unlinkat(folder, temporary.c_str(), 0);
  errno = problem;
  return read_secret(folder);
}

// Returns whether name_of() makes names of this form.
bool is_kernel(std::string_view name) {
  return name.size() == 32 + std::strlen(extension) && name.ends_with(extension) &&
         name.find_first_not_of("0123456789abcdef") == 32;
}

// Temporary files: of this version, and of versions that named them after the kernel.
bool is_unfinished(std::string_view name) {
  constexpr size_t kernel_name = 39;
  return files::is_temporary(name) || (name.size() > kernel_name && name[kernel_name] == '.' &&
                                       is_kernel(name.substr(0, kernel_name)));
}

// Removes temporary files of killed processes, and limits the size of the folder: the least
// recently used entries are removed first. Foreign files stay, because the folder may be any.
void tidy(int folder) {
  using namespace std::chrono;
  constexpr int64_t writing_takes_less = 600'000'000'000;  // nanoseconds
  const int64_t now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
  std::vector<files::FileEntry> kernels;
  int64_t room = live_settings().cache_bytes;
  for (files::FileEntry& entry : files::list_files(folder)) {
    if (is_kernel(entry.name))
      kernels.push_back(std::move(entry));
    else if (is_unfinished(entry.name) && now - entry.nanoseconds > writing_takes_less)
      unlinkat(folder, entry.name.c_str(), 0);
    else if (is_unfinished(entry.name))
      room -= entry.bytes;
  }
  files::keep_newest(folder, kernels, std::numeric_limits<size_t>::max(),
                     std::max<int64_t>(0, room));
}

bool write_entry(int folder, const std::string& name, const std::string& content) {
  const std::string temporary = files::temporary_name();
  if (!files::write_new(folder, temporary, content)) return false;
  if (renameat(folder, temporary.c_str(), folder, name.c_str()) == 0) return true;
  const int problem = errno;
  unlinkat(folder, temporary.c_str(), 0);
  errno = problem;
  return false;
}

void store_in(int folder, const std::string& key, const std::string& object) {
  std::optional<SecretKey> secret = read_secret(folder);
  if (!secret) secret = make_secret(folder);
  if (!secret) return warn_once(settings().cache_dir + ": " + std::strerror(errno));
  const std::string name = name_of(key);
  Header header;
  header.key_bytes = key.size();
  header.object_bytes = object.size();
  header.checksum = checksum(*secret, name, key, object);
  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  content += key;
  content += object;
  if (!write_entry(folder, name, content))
    return warn_once(settings().cache_dir + ": " + std::strerror(errno));
  static std::atomic<int> stores{0};
  if (stores++ % 64 == 0) tidy(folder);
}

}  // namespace

std::optional<std::string> find(const std::string& short_key) {
  if (!enabled()) return std::nullopt;
  const files::Descriptor folder = open_cache(files::Missing::stays);
  if (!folder) return std::nullopt;
  const std::optional<SecretKey> secret = read_secret(folder.number());
  if (!secret) return std::nullopt;
  const std::string key = full_key(short_key), name = name_of(key);
  const auto content = files::read_private(folder.number(), name, most_object_bytes);
  Header header;
  const Header expected;
  if (!content || content->size() < sizeof header) return std::nullopt;
  std::memcpy(&header, content->data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) return std::nullopt;
  const std::string_view rest = std::string_view(*content).substr(sizeof header);
  if (header.key_bytes != key.size() || rest.size() < key.size() ||
      header.object_bytes != rest.size() - key.size() || !rest.starts_with(key))
    return std::nullopt;
  const std::string_view object = rest.substr(key.size());
  if (header.checksum != checksum(*secret, name, key, object)) return std::nullopt;
  utimensat(folder.number(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);  // used just now
  return std::string(object);
}

bool contains(const std::string& key) {
  if (!enabled()) return false;
  const files::Descriptor folder = open_cache(files::Missing::stays);
  return folder &&
         faccessat(folder.number(), name_of(full_key(key)).c_str(), R_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void store(const std::string& short_key, const std::string& object) {
  if (!enabled()) return;
  try {
    const files::Descriptor folder = open_cache(files::Missing::is_made);
    if (folder) store_in(folder.number(), full_key(short_key), object);
  } catch (const std::bad_alloc&) {  // the kernel is compiled; only its copy on disk is missing
    warn_once("not enough memory");
  }
}

void remove(const std::string& key) {
  if (const files::Descriptor folder = open_cache(files::Missing::stays))
    unlinkat(folder.number(), name_of(full_key(key)).c_str(), 0);
}

}  // namespace tutti::runtime::disk_cache
