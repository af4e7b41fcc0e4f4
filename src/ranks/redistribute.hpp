// Sends elements to ranks that follow from their values or positions. Both sides know all lengths
// before elements travel.
#pragma once
#include "ranks/layout.hpp"
#include "ranks/session.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// Convert numbers to a message and back.
Bytes bytes_of(std::span<const int64_t> numbers);
std::vector<int64_t> numbers_of(const Bytes& message);

// Returns the number of elements from each rank. `begins` are the ranks + 1 offsets of each sender.
std::vector<int64_t> arriving_counts(const Session& session, const std::vector<Bytes>& begins);

int64_t total_of(std::span<const int64_t> counts);

// Elements on the host, grouped by the rank that they go to.
struct Grouped {
  const std::byte* elements;
  size_t each;                         // bytes
  const std::vector<int64_t>& begins;  // of the groups; ranks + 1
};

// Exchanges elements and writes them to `target`, in the order of their senders. Collective.
void redistribute(Session& session, const Grouped& sent, std::span<const int64_t> arriving,
                  std::byte* target);

// Returns an interval of a split vector on each rank. `part` holds this rank's elements, and all
// ranks know the intervals of all. Collective.
BufferRef fetch_intervals(Session& session, const Layout& layout, const std::byte* part,
                          ElementType type, std::span<const Interval> wanted);

}  // namespace tutti::ranks
