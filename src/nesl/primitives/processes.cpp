// Other programs and the environment.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "nesl/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw RuntimeError(std::string("no pipe: ") + std::strerror(errno));
    read = ends[0];
    write = ends[1];
  }
};

// Runs `sh -c command` with three descriptors; the caller closes its copies.
pid_t start(const std::string& command, int in, int out, int error) {
  const pid_t child = fork();
  if (child < 0) throw RuntimeError(std::string("no process: ") + std::strerror(errno));
  if (child > 0) return child;
  dup2(in, 0);
  dup2(out, 1);
  dup2(error, 2);
  execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

void write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(descriptor, text.data() + done, text.size() - done);
    if (n <= 0) break;  // the program does not want more
    done += static_cast<std::size_t>(n);
  }
}

Value shell_command(const Call& c) {
  c.machine.files();
  const std::string command = c[0].text(), input = c[1].text();
  const Pipe to, from;
  const pid_t child = start(command, to.read, from.write, 2);
  ::close(to.read);
  ::close(from.write);
  // A program that reads and writes at the same time must not wait for us.
  std::thread feeder([&] {
    write_all(to.write, input);
    ::close(to.write);
  });
  std::string output;
  std::array<char, 1 << 14> buffer;
  for (;;) {
    const ssize_t n = ::read(from.read, buffer.data(), buffer.size());
    if (n <= 0) break;
    output.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(from.read);
  feeder.join();
  waitpid(child, nullptr, 0);
  return Value::text(output);
}

// A null stream asks for a pipe to the new process; other streams are handed to it.
Value spawn(const Call& c) {
  Files& files = c.machine.files();
  std::string error;
  std::array<int, 3> child_end{}, ours{};
  std::array<bool, 3> made{};
  for (int i = 0; i < 3; ++i) {
    const int stream = c[i + 1].integer();
    ours[i] = stream;
    if (stream == Files::null_stream) {
      const Pipe pipe;
      made[i] = true;
      child_end[i] = i == 0 ? pipe.read : pipe.write;
      ours[i] = files.adopt(fdopen(i == 0 ? pipe.write : pipe.read, i == 0 ? "w" : "r"));
    } else {
      std::FILE* file = files.find(stream, error);
      child_end[i] = file ? fileno(file) : i;
    }
  }
  start(c[0].text(), child_end[0], child_end[1], child_end[2]);
  for (int i = 0; i < 3; ++i)
    if (made[i]) ::close(child_end[i]);
  const Value status(Value(error.empty()), Value::text(error));
  return Value(Value(Value(ours[0]), Value(Value(ours[1]), Value(ours[2]))), status);
}

Value environment_variable(const Call& c) {
  c.machine.files();
  const char* value = std::getenv(c[0].text().c_str());
  return Value::text(value ? value : "");
}

}  // namespace

std::vector<Primitive> process_primitives() {
  return {
      {"shell_command", "([char], [char]) -> [char]", shell_command,
       "shell_command(c, s): what the shell command c prints when it reads s.", Effect::serial},
      {"spawn", "([char], stream, stream, stream) -> ((stream, stream, stream), (bool, [char]))",
       spawn,
       "spawn(c, in, out, err): starts a command; for each nullstr a new stream to it is made.",
       Effect::serial},
      {"get_environment_variable", "[char] -> [char]", environment_variable,
       "The value of an environment variable, \"\" if it is not set.", Effect::serial},
  };
}

}  // namespace tutti::nesl
