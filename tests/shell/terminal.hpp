// A program in a pseudo terminal: keys go in, what it shows comes out.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tutti::shell_test {

class Terminal {
 public:
  // Not in every container.
  static bool can_be_made();

  // Starts a program; `home` is its home folder.
  Terminal(const std::vector<std::string>& command, const std::string& home);
  ~Terminal();  // ends the program if it has not ended by itself
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& keys);
  // Reads on until the text has appeared after what was waited for last; false after ten seconds.
  bool shows(const std::string& text);
  // What has appeared since then.
  const std::string& pending() const { return unread_; }
  int exit_status();  // waits for the end

 private:
  bool read_more(std::chrono::steady_clock::time_point until);

  int terminal_ = -1;
  pid_t program_ = -1;
  std::string unread_;
};

}  // namespace tutti::shell_test
