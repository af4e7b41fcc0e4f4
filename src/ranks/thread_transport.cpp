#include "ranks/thread_transport.hpp"

#include <cstring>

#include "tutti/ranks.hpp"

namespace tutti::ranks {

void ThreadTransport::send(int to, std::span<const std::byte> bytes) {
  Bytes message(bytes.begin(), bytes.end());
  {
    std::lock_guard lock(group_.mutex_);
    group_.messages_[{rank_, to}].push_back(std::move(message));
  }
  group_.changed_.notify_all();
}

Bytes ThreadTransport::take(int from) {
  std::unique_lock lock(group_.mutex_);
  std::deque<Bytes>& queue = group_.messages_[{from, rank_}];
  group_.changed_.wait(lock, [&] { return !queue.empty() || !group_.failure_.empty(); });
  if (queue.empty()) throw RankError(group_.failure_);
  Bytes message = std::move(queue.front());
  queue.pop_front();
  return message;
}

void ThreadTransport::receive(int from, std::span<std::byte> bytes) {
  const Bytes message = take(from);
  if (message.size() != bytes.size())
    throw InternalError("a message of " + std::to_string(message.size()) + " bytes where " +
                        std::to_string(bytes.size()) + " were expected");
  if (!message.empty()) std::memcpy(bytes.data(), message.data(), message.size());
}

std::vector<Bytes> ThreadTransport::all_gather(std::span<const std::byte> mine) {
  for (int to = 0; to < size(); ++to) send(to, mine);
  std::vector<Bytes> all;
  for (int from = 0; from < size(); ++from) all.push_back(take(from));
  return all;
}

void ThreadTransport::all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in) {
  for (const Outgoing& message : out) send(message.to, message.bytes);
  for (const Incoming& message : in) receive(message.from, message.bytes);
}

void ThreadTransport::barrier() { all_gather({}); }

void ThreadTransport::abort(const std::string& message) {
  {
    std::lock_guard lock(group_.mutex_);
    if (group_.failure_.empty()) group_.failure_ = message;
  }
  group_.changed_.notify_all();
}

}  // namespace tutti::ranks
