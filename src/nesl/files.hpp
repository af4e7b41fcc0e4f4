// The streams a program has open. Errors are results, not exceptions, as the language has it.
#pragma once
#include <cstdio>
#include <map>
#include <string>

namespace tutti::nesl {

class Files {
 public:
  // Streams that always exist.
  static constexpr int null_stream = -1, standard_in = 0, standard_out = 1, standard_error = 2;

  Files() = default;
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  int open(const std::string& name, const char* mode, std::string& error);  // -1 on error
  int adopt(std::FILE* file);  // a pipe; it is closed with the stream
  bool close(int stream, std::string& error);
  std::FILE* find(int stream, std::string& error) const;  // null on error

 private:
  std::map<int, std::FILE*> open_;
  int next_ = 3;
};

}  // namespace tutti::nesl
