// The ranks as one thread sees them. Before anything is exchanged, all ranks compare what they are
// about to do: ranks that differ get an error that names the lines of two of them, and none waits
// for a message that never comes.
#pragma once
#include <functional>
#include <memory>
#include <source_location>

#include "ranks/transport.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {

class TUTTI_EXPORT Session {
 public:
  explicit Session(Transport& transport)
      : transport_(transport), rank_(transport.rank()), size_(transport.size()) {
    transport.watch(activity_);
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  // The collective calls of the transport, counted.
  std::vector<Bytes> all_gather(std::span<const std::byte> mine);
  void all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in);
  void abort(const std::string& message) { transport_.abort(message); }
  const Traffic& traffic() const { return traffic_; }

  // Gathers the messages of all ranks, if all are about to do the same: `what` in words, `hash` of
  // all that must agree. Throws RankError on all ranks otherwise.
  std::vector<Bytes> agree(const std::string& what, uint64_t hash,
                           const std::source_location& where, std::span<const std::byte> message);

  // The same in one call with what a rank does by itself before: `alone` gives the message. If it
  // throws on any rank, all throw: that rank its own exception, the others RankError.
  std::vector<Bytes> agree_after(const std::string& what, uint64_t hash,
                                 const std::source_location& where,
                                 const std::function<Bytes()>& alone);

  // Runs what a rank does by itself, and gathers the bytes that it gives. If it throws on any rank,
  // all throw: that rank its own exception, the others RankError with the message.
  std::vector<Bytes> gather_after(const std::function<Bytes()>& alone);
  void together(const std::function<void()>& alone);

  // The last thing that a rank does of an operation, by itself. If it throws, the others go on, and
  // learn of it when the ranks agree next.
  void alone(const std::function<void()>& last);

  // Throws if this thread has not joined these ranks: messages of two threads would be mixed up.
  void require_own_thread() const;

 private:
  Transport& transport_;
  const int rank_, size_;
  Activity activity_;
  Traffic traffic_;
  std::string failure_;  // of alone(), which the others do not know of yet
};

// The ranks that the calling thread has joined; null if there are none. Joins those of TUTTI_RANKS
// when it is first asked.
TUTTI_EXPORT Session* session();

// The thread has joined these ranks, as long as the object lives: for tests of a transport.
class TUTTI_EXPORT Joined {
 public:
  explicit Joined(Session* session);
  ~Joined();
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;

 private:
  Session* before_;
};

}  // namespace tutti::ranks
