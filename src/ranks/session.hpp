// The ranks as one thread sees them. Before an exchange, all ranks compare their next operation. If
// they differ, all throw an error that names the source lines of two of them, so that no rank waits
// for a message that is never sent.
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

  // Gathers the messages of all ranks, if their next operations agree: `what` describes it, `hash`
  // covers all that must agree. Throws RankError on all ranks otherwise.
  std::vector<Bytes> agree(const std::string& what, uint64_t hash,
                           const std::source_location& where, std::span<const std::byte> message);

  // Does the same after local work: `alone` returns the message. If it throws on any rank, all
  // throw: that rank its own exception, the others RankError.
  std::vector<Bytes> agree_after(const std::string& what, uint64_t hash,
                                 const std::source_location& where,
                                 const std::function<Bytes()>& alone);

  // Runs local work and gathers the bytes that it returns. If it throws on any rank, all throw:
  // that rank its own exception, the others RankError with the message.
  std::vector<Bytes> gather_after(const std::function<Bytes()>& alone);
  void together(const std::function<void()>& alone);

  // Runs the last local work of an operation. If it throws, the other ranks continue, and are
  // informed when the ranks agree next.
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

// Returns the ranks that the calling thread has joined; null if there are none. The first call
// joins those of TUTTI_RANKS.
TUTTI_EXPORT Session* session();

// Joins the thread to these ranks as long as the object exists: for tests of a transport.
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
