// Other programs and the environment.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "nesl/io/child_process.hpp"
#include "nesl/io/shared_program.hpp"
#include "nesl/library/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// One end of a pipe.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  void close() {
    if (is_open()) ::close(release());
  }

 private:
  int number_;
};

// A process that stops reading must not end this one: writing to it fails instead.
void ignore_broken_pipes() {
  struct sigaction action{};
  if (sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL)
    std::signal(SIGPIPE, SIG_IGN);
}

struct Pipe {
  Descriptor read, write;
  Pipe() {
    ignore_broken_pipes();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw RuntimeError(std::string("no pipe: ") + std::strerror(errno));
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

// Our end: reading and writing never block, so that the clock can be looked at.
void make_patient(const Descriptor& end) { fcntl(end.number(), F_SETFL, O_NONBLOCK); }

bool try_again() { return errno == EAGAIN || errno == EINTR; }

// Feeds and reads a process at the same time: it may write before it has read everything.
std::string converse(Machine& machine, Descriptor& to, const std::string& input, Descriptor& from) {
  std::string output;
  std::array<char, 1 << 14> buffer;
  std::size_t done = 0;
  if (input.empty()) to.close();
  while (from.is_open()) {
    machine.look_at_the_clock();
    std::array<pollfd, 2> watched = {pollfd{from.number(), POLLIN, 0},
                                     pollfd{to.number(), POLLOUT, 0}};  // -1 is passed over
    if (poll(watched.data(), watched.size(), 20) <= 0) continue;
    if (watched[1].revents) {
      const ssize_t n = ::write(to.number(), input.data() + done, input.size() - done);
      if (n > 0) done += static_cast<std::size_t>(n);
      // A process that does not want more has closed its end.
      if (done == input.size() || (n < 0 && !try_again())) to.close();
    }
    if (watched[0].revents) {
      const ssize_t n = ::read(from.number(), buffer.data(), buffer.size());
      if (n > 0) output.append(buffer.data(), static_cast<std::size_t>(n));
      if (n == 0 || (n < 0 && !try_again())) from.close();
    }
  }
  return output;
}

std::string output_of(const std::string& command, const std::string& input, Machine& machine) {
  Pipe to, from;
  make_patient(to.write);
  make_patient(from.read);
  ChildProcess child(command, {to.read.number(), from.write.number(), STDERR_FILENO}, machine);
  to.read.close();
  from.write.close();
  std::string output = converse(machine, to.write, input, from.read);
  child.wait(machine);
  return output;
}

Value shell_command(const Call& c) {
  c.machine.files();
  const std::string command = c[0].text(), input = c[1].text();
  return Value::text(
      from_first("run " + command, [&] { return output_of(command, input, c.machine); }));
}

// A null stream asks for a pipe to the new process; other streams are handed to it.
Value spawn(const Call& c) {
  Files& files = c.machine.files();
  if (is_shared())
    throw RuntimeError(
        "a program that several ranks run cannot start a process; use "
        "shell_command, whose output all of them get");
  std::string error;
  std::array<Descriptor, 3> child_side, our_side;
  std::array<int, 3> given{};
  for (int i = 0; i < 3; ++i) {
    if (c[i + 1].integer() == Files::null_stream) {
      Pipe pipe;
      child_side[i] = std::move(i == 0 ? pipe.read : pipe.write);
      our_side[i] = std::move(i == 0 ? pipe.write : pipe.read);
      make_patient(our_side[i]);
      given[i] = child_side[i].number();
    } else {
      const Stream* const stream = files.find(c[i + 1].integer(), error);
      given[i] = stream ? stream->descriptor() : i;
    }
  }
  ChildProcess(c[0].text(), given, c.machine).release();
  std::array<Value, 3> streams;
  for (int i = 0; i < 3; ++i)
    streams[i] = our_side[i].is_open() ? files.adopt(our_side[i].release()) : c[i + 1].integer();
  const Value status(Value(error.empty()), Value::text(error));
  return Value(Value(streams[0], Value(streams[1], streams[2])), status);
}

Value environment_variable(const Call& c) {
  c.machine.files();
  const std::string name = c[0].text();
  return Value::text(from_first("look up " + name, [&] {
    const char* value = std::getenv(name.c_str());
    return std::string(value ? value : "");
  }));
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
