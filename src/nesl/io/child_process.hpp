// A shell command that runs as a process of its own. Under a time limit each command has a process
// group, and `kill_child_processes` ends all of them: no command outlives the program's time.
#pragma once
#include <sys/types.h>

#include <array>
#include <string>

namespace tutti::nesl {

class Machine;

class ChildProcess {
 public:
  // Runs `sh -c command` with the descriptors as its input, output and error stream; the caller
  // closes its copies. Throws RuntimeError when there is no process to be had.
  ChildProcess(const std::string& command, const std::array<int, 3>& streams,
               const Machine& machine);
  ~ChildProcess();  // ends it if it has been neither waited for nor released
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void wait(Machine& machine);  // looks at the clock meanwhile
  void release();               // goes on by itself

 private:
  pid_t process_;
};

// Ends the commands that still run and were started under a time limit.
void kill_child_processes();

}  // namespace tutti::nesl
