// An open file that holds a complete JSON array after every write. Problems are returned as text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::timeline {

// Returns the path with a part before its suffix: run.json -> run.<part>.json
std::string with_part(const std::string& path, const std::string& part);

// Prints a line about the file on stderr.
void report(const std::string& text);

class ArrayFile {
 public:
  ~ArrayFile() { close(); }

  // Opens a file. Returns the problem, or an empty string on success. If another process is writing
  // the file, it is left alone, and this one gets a name with the process number.
  std::string open(const std::string& path);
  // Returns false on failure, with errno set; the earlier contents are complete then.
  bool append(const std::string& events);
  // Renames the present file and begins a new one.
  std::string begin_again();
  void close();

  bool is_open() const { return descriptor_ >= 0; }
  int64_t bytes() const { return end_; }
  const std::string& path() const { return path_; }

 private:
  std::string open_locked();
  bool write_at_end(std::string_view text);
  void put_end_back();

  std::string path_;
  int descriptor_ = -1;
  int64_t end_ = 0;  // position of the end of the array
  bool has_events_ = false;
};

}  // namespace tutti::timeline
