// Ranks that are threads of one process: for tests, and for programs without MPI. A message is a
// copy from the memory of one thread to that of another.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "ranks/transport.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::ranks {

// The state that the threads share. It outlives their transports.
class TUTTI_EXPORT ThreadGroup {
 public:
  explicit ThreadGroup(int size) : size_(size) {}

 private:
  friend class ThreadTransport;
  const int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<Bytes>> messages_;  // from, to
  std::string failure_;                                        // set by abort()
};

class TUTTI_EXPORT ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return group_.size_; }
  void send(int to, std::span<const std::byte> bytes) override;
  void receive(int from, std::span<std::byte> bytes) override;
  std::vector<Bytes> all_gather(std::span<const std::byte> mine) override;
  void all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void barrier() override;
  void abort(const std::string& message) override;

 private:
  Bytes take(int from);
  ThreadGroup& group_;
  const int rank_;
};

}  // namespace tutti::ranks
