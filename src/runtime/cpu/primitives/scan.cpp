// Scans, tile by tile: a tile is scanned by itself in the first-level cache, then completed with
// what comes before it. The tree is that of ir/scan_tree.hpp.
#include <algorithm>
#include <array>

#include "ir/combine.hpp"
#include "ir/reduction_tree.hpp"
#include "ir/scan_tree.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

using ir::scan_chunk_groups;
using ir::scan_group;
using ir::scan_tile;

constexpr int64_t tile_groups = scan_tile / scan_group;

// Where segments begin in a tile, a bit for each element.
using Heads = std::array<uint16_t, tile_groups>;

// Marks the heads of [begin, end), given offsets or the length of rows.
class HeadMarker {
 public:
  HeadMarker(const ir::Offsets* offsets, int64_t row) : offsets_(offsets), row_(row) {}

  void mark(int64_t begin, int64_t end, Heads& heads) const {
    heads.fill(0);
    const auto set = [&](int64_t i) {
      heads[static_cast<size_t>(i / scan_group)] |= static_cast<uint16_t>(1 << i % scan_group);
    };
    if (!offsets_) {
      for (int64_t i = (begin + row_ - 1) / row_ * row_; i < end; i += row_) set(i - begin);
      return;
    }
    int64_t s = offsets_->segment_of(begin);
    while (s > 0 && (*offsets_)[s - 1] == (*offsets_)[s]) --s;  // empty segments before it
    for (; s < offsets_->segments() && (*offsets_)[s] < end; ++s)
      if ((*offsets_)[s] >= begin) set((*offsets_)[s] - begin);
  }

 private:
  const ir::Offsets* offsets_;
  int64_t row_;
};

template <class T, Reduction reduction>
class TileScan {
 public:
  struct Flagged {
    bool head = false;
    T value = neutral();
  };
  static T neutral() { return ir::identity<T>(reduction); }
  static T combine(T a, T b) { return ir::combine<reduction>(a, b); }
  static Flagged join(const Flagged& a, const Flagged& b) {
    return {a.head || b.head, b.head ? b.value : combine(a.value, b.value)};
  }

  // Scans the elements of a tile by themselves; gives their total.
  Flagged start(const T* elements, int64_t count, const Heads& heads) {
    Flagged total;
    groups_ = (count + scan_group - 1) / scan_group;
    for (int64_t chunk = 0; chunk < groups_; chunk += scan_chunk_groups) {
      std::array<Flagged, scan_chunk_groups> totals;
      for (int64_t k = 0; k < std::min(scan_chunk_groups, groups_ - chunk); ++k) {
        const int64_t g = chunk + k;
        T* x = local_.data() + g * scan_group;
        const int64_t present = std::min(scan_group, count - g * scan_group);
        std::copy_n(elements + g * scan_group, present, x);
        std::fill(x + present, x + scan_group, neutral());
        unsigned flags = heads[static_cast<size_t>(g)];
        for (int64_t d = 1; d < scan_group; d *= 2) {
          for (int64_t i = scan_group - 1; i >= d; --i)
            if (!(flags >> i & 1)) x[i] = combine(x[i - d], x[i]);
          flags |= flags << d;
        }
        totals[static_cast<size_t>(k)] = {heads[static_cast<size_t>(g)] != 0, x[scan_group - 1]};
      }
      for (size_t d = 1; d < totals.size(); d *= 2)
        for (size_t i = totals.size() - 1; i >= d; --i) totals[i] = join(totals[i - d], totals[i]);
      before_chunk_[static_cast<size_t>(chunk / scan_chunk_groups)] = total;
      before_group_[static_cast<size_t>(chunk)] = Flagged{};
      for (size_t k = 1; k < totals.size(); ++k)
        before_group_[static_cast<size_t>(chunk) + k] = totals[k - 1];
      total = join(total, totals.back());
    }
    return total;
  }

  // Writes the results, given all that comes before the tile.
  void finish(const Flagged& before_tile, int64_t count, const Heads& heads, bool exclusive,
              T* out) const {
    for (int64_t g = 0; g < groups_; ++g) {
      const Flagged& chunk = before_chunk_[static_cast<size_t>(g / scan_chunk_groups)];
      const Flagged before = join(join(before_tile, chunk), before_group_[static_cast<size_t>(g)]);
      const unsigned flags = heads[static_cast<size_t>(g)];
      const unsigned passed = flags ? ~((flags & -flags) - 1) : 0;  // at or after the first head
      const T* x = local_.data() + g * scan_group;
      T* to = out + g * scan_group;
      const int64_t present = std::min(scan_group, count - g * scan_group);
      if (!exclusive) {
        for (int64_t i = 0; i < present; ++i)
          to[i] = passed >> i & 1 ? x[i] : combine(before.value, x[i]);
        continue;
      }
      for (int64_t i = present - 1; i > 0; --i)
        to[i] = flags >> i & 1          ? first_
                : passed >> (i - 1) & 1 ? x[i - 1]
                                        : combine(before.value, x[i - 1]);
      to[0] = flags & 1 ? first_ : before.value;
    }
  }

 private:
  int64_t groups_ = 0;
  const T first_ = from_bits<T>(ir::empty_result(reduction, element_type<T>).bits);
  std::array<T, scan_tile> local_;                                     // scanned within groups
  std::array<Flagged, tile_groups> before_group_;                      // within the chunk
  std::array<Flagged, tile_groups / scan_chunk_groups> before_chunk_;  // within the tile
};

template <class T, Reduction reduction>
void scan_as(const PrimitiveArguments& arguments, const HeadMarker& marker) {
  const int64_t n = arguments.elements(0);
  TileScan<T, reduction> tile;
  typename TileScan<T, reduction>::Flagged before;
  Heads heads;
  for (int64_t begin = 0; begin < n; begin += scan_tile) {
    const int64_t count = std::min(scan_tile, n - begin);
    marker.mark(begin, begin + count, heads);
    const auto total = tile.start(arguments.input<T>(0) + begin, count, heads);
    tile.finish(before, count, heads, arguments.step.mode, arguments.output<T>() + begin);
    before = tile.join(before, total);
  }
}

}  // namespace

void scan(const PrimitiveArguments& arguments) {
  const passes::Extents& shape = arguments.step.shape;
  const bool segmented = arguments.step.inputs.size() > 1;
  const ir::Offsets offsets =
      segmented ? arguments.checked_offsets(1, shape.size()) : ir::Offsets(nullptr, {}, 0);
  const HeadMarker marker(segmented ? &offsets : nullptr, shape[shape.rank - 1]);
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    ir::visit_reduction<T>(arguments.step.reduction, [&](auto reduction) {
      scan_as<T, decltype(reduction)::value>(arguments, marker);
    });
  });
}

}  // namespace tutti::runtime
