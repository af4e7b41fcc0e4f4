#include "shell/terminal.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tutti::shell_test {
namespace {

// Only a test that fails waits as long; a busy machine may take seconds for what usually takes
// milliseconds.
constexpr std::chrono::seconds patience{60};

[[noreturn]] void run_program(const std::vector<std::string>& command, const std::string& home) {
  ::setenv("HOME", home.c_str(), 1);
  ::setenv("TERM", "xterm", 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

bool Terminal::can_be_made() {
  int outer = -1, inner = -1;
  if (::openpty(&outer, &inner, nullptr, nullptr, nullptr) != 0) return false;
  ::close(outer);
  ::close(inner);
  return true;
}

Terminal::Terminal(const std::vector<std::string>& command, const std::string& home) {
  const winsize size{24, 100, 0, 0};
  program_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (program_ < 0) throw std::runtime_error("no pseudo terminal could be made");
  if (program_ == 0) run_program(command, home);
}

Terminal::~Terminal() {
  if (program_ > 0) {
    ::kill(program_, SIGKILL);
    ::waitpid(program_, nullptr, 0);
  }
  ::close(terminal_);
}

void Terminal::type(const std::string& keys) {
  std::size_t done = 0;
  while (done < keys.size()) {
    const ssize_t n = ::write(terminal_, keys.data() + done, keys.size() - done);
    if (n < 0) throw std::runtime_error("the terminal takes no keys");
    done += static_cast<std::size_t>(n);
  }
}

void Terminal::interrupt() {
  const auto until = std::chrono::steady_clock::now() + patience;
  termios settings{};
  while (tcgetattr(terminal_, &settings) != 0 || !(settings.c_lflag & ISIG)) {
    if (std::chrono::steady_clock::now() > until)
      throw std::runtime_error("the program reads the keys itself");
    ::usleep(1000);
  }
  type("\003");
}

double Terminal::processor_seconds() const {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(program_, &clock) != 0 || clock_gettime(clock, &time) != 0)
    throw std::runtime_error("the program has ended");
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double Terminal::seconds_without_processor(pid_t process) {
  double seconds = 0;
  std::error_code none;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", none)) {
    double runs = 0, waits = 0;
    if (std::ifstream(thread.path() / "schedstat") >> runs >> waits) seconds += 1e-9 * waits;
  }
  return seconds;
}

bool Terminal::read_more(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      until - std::chrono::steady_clock::now());
  pollfd ready{terminal_, POLLIN, 0};
  if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
  char buffer[4096];
  const ssize_t n = ::read(terminal_, buffer, sizeof buffer);
  if (n <= 0) return false;
  unread_.append(buffer, static_cast<std::size_t>(n));
  return true;
}

bool Terminal::shows(const std::string& text) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const std::size_t at = unread_.find(text);
    if (at != std::string::npos) {
      unread_.erase(0, at + text.size());
      return true;
    }
    if (!read_more(until)) return false;
  }
}

int Terminal::exit_status() {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (read_more(until)) {
  }
  int status = 0;
  for (; std::chrono::steady_clock::now() < until; ::usleep(1000))
    if (::waitpid(program_, &status, WNOHANG) == program_) {
      program_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
  return -1;
}

}  // namespace tutti::shell_test
