// Intervals and boxes of coordinates. A coordinate c outside of an axis of extent n denotes the
// element c mod n, so the neighbours of a periodic array form one interval.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>

#include "tutti/detail/graph.hpp"

namespace tutti::ranks {

using tutti::detail::Extents;

struct Interval {
  int64_t lo = 0, hi = 0;  // [lo, hi)
  int64_t size() const { return std::max<int64_t>(0, hi - lo); }
  bool holds(const Interval& other) const { return lo <= other.lo && other.hi <= hi; }
  bool operator==(const Interval&) const = default;
};

inline Interval intersect(const Interval& a, const Interval& b) {
  const int64_t lo = std::max(a.lo, b.lo);
  return {lo, std::max(lo, std::min(a.hi, b.hi))};
}
inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline bool is_within(const Interval& a, int64_t extent) { return a.lo >= 0 && a.hi <= extent; }

// Returns the same elements of a periodic axis, nearest to the axis; at most all of it.
inline Interval nearest(const Interval& a, int64_t extent) {
  if (a.size() >= extent) return {0, extent};
  const int64_t middle = a.lo + (a.hi - a.lo) / 2;
  const int64_t turns = middle >= 0 ? middle / extent : -((extent - 1 - middle) / extent);
  return {a.lo - turns * extent, a.hi - turns * extent};
}

struct Box {
  int rank = 0;
  std::array<Interval, max_rank> axes{};

  Interval& operator[](int axis) { return axes[static_cast<size_t>(axis)]; }
  const Interval& operator[](int axis) const { return axes[static_cast<size_t>(axis)]; }
  Extents extents() const {
    Extents result;
    for (int i = 0; i < rank; ++i) result.push_back((*this)[i].size());
    return result;
  }
  int64_t size() const { return extents().size(); }
  bool holds(const Box& other) const {
    for (int i = 0; i < rank; ++i)
      if (!(*this)[i].holds(other[i])) return false;
    return true;
  }
  bool operator==(const Box& other) const {
    return rank == other.rank && std::equal(axes.begin(), axes.begin() + rank, other.axes.begin());
  }
};

inline Box whole(const Extents& shape) {
  Box box;
  box.rank = shape.rank;
  for (int i = 0; i < shape.rank; ++i) box[i] = {0, shape[i]};
  return box;
}
inline Box hull(const Box& a, const Box& b) {
  Box result = a;
  for (int i = 0; i < a.rank; ++i) result[i] = hull(a[i], b[i]);
  return result;
}
inline Box intersect(const Box& a, const Box& b) {
  Box result = a;
  for (int i = 0; i < a.rank; ++i) result[i] = intersect(a[i], b[i]);
  return result;
}

// Returns whether the elements of a box are contiguous in memory that holds a box around it.
inline bool is_contiguous(const Box& held, const Box& part) {
  int axis = 0;
  while (axis < part.rank && part[axis].size() == 1) ++axis;
  for (++axis; axis < part.rank; ++axis)
    if (part[axis].size() != held[axis].size()) return false;
  return true;
}
// Returns the index of the first element of a box in memory that holds a box around it.
inline int64_t first_element(const Box& held, const Box& part) {
  int64_t at = 0;
  for (int i = 0; i < held.rank; ++i) at = at * held[i].size() + part[i].lo - held[i].lo;
  return at;
}

// Copies the elements of a box between two arrays in memory, each of which holds a box around it.
// In the target they are moved by `target_shift` along `shifted_axis`.
inline void copy_box(std::byte* target, const Box& target_box, const std::byte* source,
                     const Box& source_box, const Box& copied, size_t element_bytes,
                     int64_t target_shift = 0, int shifted_axis = 0) {
  if (copied.size() == 0) return;
  const int rank = copied.rank;
  int64_t run = 1;  // elements in a row in both
  int outer = rank;
  while (outer > 0) {
    const int axis = outer - 1;
    run *= copied[axis].size();
    --outer;
    if (copied[axis].size() != target_box[axis].size() ||
        copied[axis].size() != source_box[axis].size())
      break;
  }
  std::array<int64_t, max_rank> at{};
  for (int i = 0; i < rank; ++i) at[static_cast<size_t>(i)] = copied[i].lo;
  while (true) {
    int64_t to = 0, from = 0;
    for (int i = 0; i < rank; ++i) {
      const int64_t c = at[static_cast<size_t>(i)];
      to =
          to * target_box[i].size() + c + (i == shifted_axis ? target_shift : 0) - target_box[i].lo;
      from = from * source_box[i].size() + c - source_box[i].lo;
    }
    std::memcpy(target + static_cast<size_t>(to) * element_bytes,
                source + static_cast<size_t>(from) * element_bytes,
                static_cast<size_t>(run) * element_bytes);
    int axis = outer - 1;
    for (; axis >= 0; --axis) {
      if (++at[static_cast<size_t>(axis)] < copied[axis].hi) break;
      at[static_cast<size_t>(axis)] = copied[axis].lo;
    }
    if (axis < 0) return;
  }
}

}  // namespace tutti::ranks
