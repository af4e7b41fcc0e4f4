#include "ranks/redistribute.hpp"

#include "runtime/memory/pool.hpp"

namespace tutti::ranks {

Bytes bytes_of(std::span<const int64_t> numbers) {
  const auto bytes = std::as_bytes(numbers);
  return Bytes(bytes.begin(), bytes.end());
}

std::vector<int64_t> numbers_of(const Bytes& message) {
  std::vector<int64_t> numbers(message.size() / sizeof(int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), message.data(), message.size());
  return numbers;
}

std::vector<int64_t> arriving_counts(const Session& session, const std::vector<Bytes>& begins) {
  std::vector<int64_t> counts;
  const auto me = static_cast<size_t>(session.rank());
  for (const Bytes& message : begins) {
    const std::vector<int64_t> numbers = numbers_of(message);
    counts.push_back(numbers[me + 1] - numbers[me]);
  }
  return counts;
}

int64_t total_of(std::span<const int64_t> counts) {
  int64_t total = 0;
  for (int64_t count : counts) total += count;
  return total;
}

void redistribute(Session& session, const Grouped& sent, std::span<const int64_t> arriving,
                  std::byte* target) {
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  size_t at = 0;
  for (int r = 0; r < session.size(); ++r) {
    const auto i = static_cast<size_t>(r);
    const auto begin = static_cast<size_t>(sent.begins[i]);
    const size_t bytes = (static_cast<size_t>(sent.begins[i + 1]) - begin) * sent.each;
    if (bytes > 0) out.push_back({r, {sent.elements + begin * sent.each, bytes}});
    const size_t expected = static_cast<size_t>(arriving[i]) * sent.each;
    if (expected > 0) in.push_back({r, {target + at, expected}});
    at += expected;
  }
  session.all_to_all(out, in);
}

BufferRef fetch_intervals(Session& session, const Layout& layout, const std::byte* part,
                          ElementType type, std::span<const Interval> wanted) {
  const auto each = static_cast<size_t>(size_of(type));
  const auto part_of = [&](int rank) {
    const auto r = static_cast<size_t>(rank);
    return Interval{layout.offsets[r], layout.offsets[r + 1]};
  };
  const Interval mine = part_of(session.rank());
  const Interval target = wanted[static_cast<size_t>(session.rank())];
  BufferRef result;
  session.together([&] { result = runtime::allocate(static_cast<size_t>(target.size()) * each); });
  std::byte* const first = target.size() > 0 ? writable_host_bytes(result) : nullptr;
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int r = 0; r < session.size(); ++r) {
    const Interval given = intersect(mine, wanted[static_cast<size_t>(r)]);
    const Interval taken = intersect(part_of(r), target);
    if (given.size() > 0)
      out.push_back({r,
                     {part + static_cast<size_t>(given.lo - mine.lo) * each,
                      static_cast<size_t>(given.size()) * each}});
    if (taken.size() > 0)
      in.push_back({r,
                    {first + static_cast<size_t>(taken.lo - target.lo) * each,
                     static_cast<size_t>(taken.size()) * each}});
  }
  session.all_to_all(out, in);
  return result;
}

}  // namespace tutti::ranks
