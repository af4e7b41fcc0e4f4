// The interface of the library that carries the messages of ranks: eight calls. Every rank makes
// the same collective calls in the same order, which session.hpp ensures. A call that cannot end
// because another rank is gone throws RankError or ends the process; it never waits forever.
#pragma once
#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace tutti::ranks {

using Bytes = std::vector<std::byte>;

struct Outgoing {
  int to;
  std::span<const std::byte> bytes;
};
struct Incoming {
  int from;
  std::span<std::byte> bytes;
};

// The present operation of a rank, for messages to the user.
struct Activity {
  std::string what = "start";
  std::source_location where;
  std::string words() const {
    return what + (where.line() ? " (" + std::string(where.file_name()) + ":" +
                                      std::to_string(where.line()) + ")"
                                : "");
  }
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Send and receive one message, whose length the receiver knows.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;
  // Returns the bytes of every rank, in the order of the ranks. Their lengths may differ.
  virtual std::vector<Bytes> all_gather(std::span<const std::byte> mine) = 0;
  // Exchanges any number of messages with any ranks, including this one. Those between two ranks
  // arrive in the order in which they were listed. Both sides know the lengths.
  virtual void all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  virtual void barrier() = 0;
  // Names the present operation of this rank, which a transport may report during a long wait.
  virtual void watch(const Activity&) {}
  // Ends all ranks. The calls in which they wait fail with the message.
  virtual void abort(const std::string& message) = 0;
};

// The function that a plug-in such as libtutti-mpi exports under the name tutti_open_transport.
// The transport lives until the process ends; `before_end` is called while messages still travel.
// (Functions that libtutti itself registers for the end of a process do not run.) Throws if there
// are no ranks to join.
using OpenTransport = Transport*(void (*before_end)());
constexpr const char* open_transport_name = "tutti_open_transport";

}  // namespace tutti::ranks
