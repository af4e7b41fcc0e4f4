// Elements that go to ranks by their values or positions, not by halos. Lengths are known to both
// sides before elements travel.
#pragma once
#include "ranks/layout.hpp"
#include "ranks/session.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

// Numbers as a message, and back.
Bytes bytes_of(std::span<const int64_t> numbers);
std::vector<int64_t> numbers_of(const Bytes& message);

// From what each rank sends to each (begins, ranks + 1 of them): what this rank gets from each.
std::vector<int64_t> arriving_counts(const Session& session, const std::vector<Bytes>& begins);

int64_t total_of(std::span<const int64_t> counts);

// Elements on the host, grouped by the rank that they go to.
struct Grouped {
  const std::byte* elements;
  size_t each;                         // bytes
  const std::vector<int64_t>& begins;  // of the groups; ranks + 1
};

// Collective. Writes what arrives to `target`, in the order of the ranks that sent it.
void redistribute(Session& session, const Grouped& sent, std::span<const int64_t> arriving,
                  std::byte* target);

// Collective. A vector is split as `layout` says, and `part` holds this rank's elements. Every rank
// gets the interval that is wanted for it; all ranks know all of them.
BufferRef fetch_intervals(Session& session, const Layout& layout, const std::byte* part,
                          ElementType type, std::span<const Interval> wanted);

}  // namespace tutti::ranks
