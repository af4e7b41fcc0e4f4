#include "engine/fault_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>

#include "core/process/private_files.hpp"
#include "core/settings/settings.hpp"
#include "engine/stored_graph.hpp"
#include "tutti/error.hpp"

namespace tutti::engine {
namespace {

constexpr std::string_view name_begin = "tutti-", name_end = ".graph";

// Removes old files to make room for one more of this size.
void tidy(int folder, int64_t bytes) {
  std::vector<files::FileEntry> files = files::list_files(folder);
  std::erase_if(files, [](const files::FileEntry& file) {
    return !file.name.starts_with(name_begin) || !file.name.ends_with(name_end);
  });
  files::keep_newest(folder, files, most_fault_files - 1,
                     std::max<int64_t>(0, most_fault_bytes - bytes));
}

// Returns the path of the file, or an empty string if it could not be written.
std::string write_fault(const std::string& bytes) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return {};
  // Other users can write to this folder. The file must be new, and is not opened through links.
  const files::Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return {};
  tidy(opened.number(), static_cast<int64_t>(bytes.size()));
  uint64_t random = 0;
  if (!files::random_bytes(&random, sizeof random)) return {};
  std::string name(name_begin);
  name += std::to_string(getpid()) + "-" + std::to_string(random);
  name += name_end;
  return files::write_new(opened.number(), name, bytes) ? (folder / name).string() : std::string();
}

}  // namespace

std::string leave_behind(std::span<const detail::NodeRef> roots, const std::string& message) {
  constexpr int most_files = 4;  // per process: the first ones suffice
  static std::atomic<int> files = 0;
  if (!live_settings().disk_cache || !live_settings().save_faults || files++ >= most_files)
    return {};
  try {
    const std::string path = write_fault(store_graph(roots, message));
    if (path.empty()) return {};
    return "; what was to be computed is in " + path + ", and `tutti replay " + path +
           "` tries it again";
  } catch (const Error&) {  // report the original failure
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace tutti::engine
