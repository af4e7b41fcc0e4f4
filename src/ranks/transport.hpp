// What ranks need of the library that carries their messages: eight calls. Every rank makes the
// same collective calls in the same order (session.hpp sees to that). A call that cannot end
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

// What a rank is doing, for messages to the user.
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
  // One message; the receiver knows how long it is.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;
  // The bytes of every rank, in the order of the ranks; as many as each has.
  virtual std::vector<Bytes> all_gather(std::span<const std::byte> mine) = 0;
  // Messages in any number to any ranks, also to itself. Those between two ranks arrive in the
  // order in which they were listed. Both sides know the lengths.
  virtual void all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  virtual void barrier() = 0;
  // What this rank is doing now, as long as it waits. A transport may name it when it waits long.
  virtual void watch(const Activity&) {}
  // Ends all ranks. What they were waiting for fails with the message.
  virtual void abort(const std::string& message) = 0;
};

// The function that a plug-in such as libtutti-mpi exports under the name tutti_open_transport.
// The transport lives until the process ends; `before_end` is called while messages still travel.
// (Functions that libtutti itself registers for the end of a process do not run.) Throws if there
// are no ranks to join.
using OpenTransport = Transport*(void (*before_end)());
constexpr const char* open_transport_name = "tutti_open_transport";

}  // namespace tutti::ranks
