// The streams a program has open. Errors are results, not exceptions, as the language has it.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "nesl/io/stream.hpp"

namespace tutti::nesl {

class Files {
 public:
  // Streams that always exist.
  static constexpr int null_stream = -1, standard_in = 0, standard_out = 1, standard_error = 2;

  Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  enum class Mode { read, write, append };
  int open(const std::string& name, Mode mode, std::string& error);  // null_stream on error
  int adopt(int descriptor);  // our end of a pipe; it is closed with the stream
  bool close(int stream, std::string& error);
  Stream* find(int stream, std::string& error) const;  // null on error

 private:
  std::map<int, std::unique_ptr<Stream>> open_;
  int next_ = 3;
};

}  // namespace tutti::nesl
