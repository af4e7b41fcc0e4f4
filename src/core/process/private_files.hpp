// Folders and files that no other user can change. Everything is checked on open descriptors, never
// on paths, so that nothing can be swapped between a check and its use. Throws nothing except
// std::bad_alloc; failures set errno, or return a description.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::files {

// An open file or folder, closed by the destructor; -1: none.
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
  std::string problem;    // why it is refused; empty if it is only missing
};
// Opens a folder that this user owns and others cannot write to. Missing folders are made with mode
// 0700. The folder itself and those made here must not be symbolic links.
Folder open_folder(const std::string& path, Missing missing);

// Returns the bytes of a regular file that this user owns and others cannot write to.
std::optional<std::string> read_private(int folder, const std::string& name, size_t most_bytes);

// Writes a new file with mode 0600 that holds all of the bytes, or leaves no file on failure. It is
// visible under its name while it is written: write under a temporary name and rename.
bool write_new(int folder, const std::string& name, std::string_view bytes);
// Returns a name that no other process uses, for such a file.
std::string temporary_name();
// Returns whether temporary_name() makes such names: other files must not be removed.
bool is_temporary(std::string_view name);

bool random_bytes(void* target, size_t bytes);

struct FileEntry {
  std::string name;
  int64_t nanoseconds = 0;  // time of the last change, since 1970
  int64_t bytes = 0;
};
// Returns the regular files in a folder that this user owns, oldest first.
std::vector<FileEntry> list_files(int folder);
// Removes the oldest files until at most these numbers of files and bytes are left.
void keep_newest(int folder, const std::vector<FileEntry>& oldest_first, size_t most_files,
                 int64_t most_bytes);

}  // namespace tutti::files
