#include "nesl/io/stream.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "nesl/eval/machine.hpp"
#include "nesl/io/shared_program.hpp"

namespace tutti::nesl {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

}  // namespace

Stream::~Stream() { close(); }

// Standard input is shared with the shell. It reads lines of a terminal from the descriptor, those
// of a file or pipe through the C library: so do we.
int Stream::get(Machine& machine) {
  machine.spend(1);
  error_.clear();
  if (is_shell_input()) return std::getc(stdin);
  if (at_ == filled_ && !fill(machine)) return EOF;
  return static_cast<unsigned char>(buffer_[at_++]);
}

int Stream::peek(Machine& machine) {
  if (is_shell_input()) return std::ungetc(std::getc(stdin), stdin);
  error_.clear();
  if (at_ == filled_ && !fill(machine)) return EOF;
  return static_cast<unsigned char>(buffer_[at_]);
}

bool Stream::is_standard_input() const {
  return descriptor_ == STDIN_FILENO && ownership_ == Ownership::standard;
}

bool Stream::is_shell_input() const {
  static const bool is_terminal = isatty(STDIN_FILENO) == 1;
  return is_standard_input() && !is_shared() && !is_terminal;
}

// Ranks get all of the standard input at once: one of them reads it.
bool Stream::fill_from_first() {
  if (filled_ > 0) return false;
  const std::string all = from_first("read the standard input", [] {
    std::string text;
    for (int c = std::getc(stdin); c != EOF; c = std::getc(stdin))
      text.push_back(static_cast<char>(c));
    return text;
  });
  buffer_.assign(all.begin(), all.end());
  at_ = 0;
  filled_ = buffer_.size();
  return filled_ > 0;
}

bool Stream::fill(Machine& machine) {
  if (is_standard_input() && is_shared()) return fill_from_first();
  buffer_.resize(buffer_bytes);
  at_ = filled_ = 0;
  for (;;) {
    machine.wait_for(descriptor_, POLLIN);
    const ssize_t n = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (n > 0) filled_ = static_cast<std::size_t>(n);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) error_ = std::strerror(errno);
    return n > 0;
  }
}

bool Stream::write(const std::string& text, Machine& machine) {
  error_.clear();
  if (ownership_ == Ownership::standard && !is_first()) return true;
  std::size_t done = 0;
  while (done < text.size()) {
    machine.wait_for(descriptor_, POLLOUT);
    const ssize_t n = ::write(descriptor_, text.data() + done, text.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR && errno != EAGAIN) {
      error_ = std::strerror(errno);
      return false;
    }
  }
  return true;
}

bool Stream::close() {
  error_.clear();
  if (descriptor_ < 0 || ownership_ == Ownership::standard) return true;
  const bool good = ::close(descriptor_) == 0;
  if (!good) error_ = std::strerror(errno);
  descriptor_ = -1;
  return good;
}

}  // namespace tutti::nesl
