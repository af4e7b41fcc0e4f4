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
  // Types Ctrl-C once the program has the terminal interpret it: an editor of lines does not.
  void interrupt();
  // Reads on until the text has appeared after what was waited for last; false after a minute.
  bool shows(const std::string& text);
  // What has appeared since then.
  const std::string& pending() const { return unread_; }
  int exit_status();  // waits for the end
  // The processor time of the program so far.
  double processor_seconds() const;
  // How long threads of a process have been ready to run while other programs had the processors.
  static double seconds_without_processor(pid_t process);
  double seconds_without_processor() const { return seconds_without_processor(program_); }

 private:
  bool read_more(std::chrono::steady_clock::time_point until);

  int terminal_ = -1;
  pid_t program_ = -1;
  std::string unread_;
};

}  // namespace tutti::shell_test
