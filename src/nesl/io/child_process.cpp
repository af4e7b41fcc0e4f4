#include "nesl/io/child_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>

#include "nesl/eval/machine.hpp"

namespace tutti::nesl {
namespace {

// The process groups of commands under a time limit, for the thread that watches over it.
struct Groups {
  std::mutex mutex;
  std::set<pid_t> running;
  std::set<pid_t> released;  // without a time limit: they only have to be reaped
};
Groups& groups() {
  static Groups all;
  return all;
}

void remember(pid_t process) {
  const std::lock_guard lock(groups().mutex);
  groups().running.insert(process);
}

// A group is the process and what it has started; without one it is the process alone.
void end(pid_t process) {
  const std::lock_guard lock(groups().mutex);
  kill(groups().running.erase(process) ? -process : process, SIGKILL);
}

// In the new process: only calls that are safe after fork.
[[noreturn]] void become(const char* command, const std::array<int, 3>& streams, bool own_group) {
  if (own_group) setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  for (int i = 0; i < 3; ++i) dup2(streams[static_cast<std::size_t>(i)], i);
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

// Commands that were released and have ended leave nothing behind.
void reap_released() {
  const std::lock_guard lock(groups().mutex);
  const auto has_ended = [](pid_t process) {
    return waitpid(process, nullptr, WNOHANG) == process;
  };
  std::erase_if(groups().released, has_ended);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command, const std::array<int, 3>& streams,
                           const Machine& machine) {
  reap_released();
  const bool limited = machine.has_time_limit();
  process_ = fork();
  if (process_ < 0) throw RuntimeError(std::string("no process: ") + std::strerror(errno));
  if (process_ == 0) become(command.c_str(), streams, limited);
  if (!limited) return;
  setpgid(process_, process_);  // in both processes: either may run first
  remember(process_);
}

ChildProcess::~ChildProcess() {
  if (process_ <= 0) return;
  end(process_);
  waitpid(process_, nullptr, 0);
}

void ChildProcess::wait(Machine& machine) {
  constexpr useconds_t slice = 1000;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    machine.look_at_the_clock();
    usleep(slice);
  }
  {
    const std::lock_guard lock(groups().mutex);
    groups().running.erase(process_);
    process_ = -1;
  }
  // Ctrl-C reaches a process at the same terminal, too, and may have ended it before it was seen.
  machine.look_at_the_clock();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) throw Interrupted("interrupted");
}

void ChildProcess::release() {
  const std::lock_guard lock(groups().mutex);
  // A group keeps its number only while its first process has not been reaped.
  if (!groups().running.contains(process_)) groups().released.insert(process_);
  process_ = -1;
}

void kill_child_processes() {
  const std::lock_guard lock(groups().mutex);
  for (const pid_t process : groups().running) kill(-process, SIGKILL);
  groups().running.clear();
}

}  // namespace tutti::nesl
