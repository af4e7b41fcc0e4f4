// One stream of a program: a file, or our end of a pipe to another process. Data comes in and goes
// out through a descriptor. While a pipe has nothing to give or to take, the machine looks at the
// clock and for Ctrl-C, so that waiting can be interrupted.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

namespace tutti::nesl {

class Machine;

class Stream {
 public:
  enum class Ownership { ours, standard };
  Stream(int descriptor, Ownership ownership) : descriptor_(descriptor), ownership_(ownership) {}
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& error() const { return error_; }  // of the last operation; "" if it succeeded

  // The next character, or EOF at the end and on errors. `peek` leaves it there.
  int get(Machine& machine);
  int peek(Machine& machine);
  bool write(const std::string& text, Machine& machine);
  bool close();

 private:
  bool fill(Machine& machine);
  bool fill_from_first();
  bool is_standard_input() const;
  bool is_shell_input() const;  // through the C library

  int descriptor_;
  Ownership ownership_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, filled_ = 0;
  std::string error_;
};

}  // namespace tutti::nesl
