// Folders and files that no other user can change. Everything is checked on open descriptors, never
// on paths, so that nothing can be swapped between a check and its use. Nothing here throws but
// std::bad_alloc; failures leave errno, or say in words what is wrong.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::files {

// An open file or folder, closed at the end; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release();

 private:
  int number_;
};

enum class Missing : uint8_t { stays, is_made };

struct Folder {
  Descriptor descriptor;  // none: the folder is missing, or refused
  std::string problem;    // why it is refused; empty: it is missing, and that is all
};
// A folder of this user's that others cannot write to. Missing folders are made with mode 0700. The
// folder itself and those made here must not be symbolic links.
Folder open_folder(const std::string& path, Missing missing);

// The bytes of a regular file of this user's that others cannot write to.
std::optional<std::string> read_private(int folder, const std::string& name, size_t most_bytes);

// A new file with mode 0600 that holds all of the bytes; if that fails, no file. It exists under
// its name from the beginning: write under a temporary name and rename.
bool write_new(int folder, const std::string& name, std::string_view bytes);
// A name that is in use by no other process, for such a file.
std::string temporary_name();
// Whether temporary_name() makes such names: other files are not ours to remove.
bool is_temporary(std::string_view name);

bool random_bytes(void* target, size_t bytes);

struct FileEntry {
  std::string name;
  int64_t nanoseconds = 0;  // since 1970, of the last change
  int64_t bytes = 0;
};
// The regular files of this user's in a folder, oldest first.
std::vector<FileEntry> list_files(int folder);
// Removes the oldest until no more files and bytes are left than these.
void keep_newest(int folder, const std::vector<FileEntry>& oldest_first, size_t most_files,
                 int64_t most_bytes);

}  // namespace tutti::files
