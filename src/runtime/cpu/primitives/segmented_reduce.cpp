// One result for each segment, by the wide tree of numerics/reduction_tree.hpp over its elements.
// The kernel computes the elements and reduces pieces of up to a tile. Work is divided by elements,
// not by segments. A segment longer than a tile is divided too, and the results of its tiles are
// reduced in turn.
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "numerics/combine.hpp"
#include "numerics/reduction_tree.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

using ir::wide_lanes;
using ir::wide_tile;

// Reduces the results of tiles, which are few, lane by lane.
template <class T, Reduction reduction>
T reduce_totals(const T* totals, int64_t count) {
  if (count == 1) return totals[0];
  const auto tiles = static_cast<size_t>((count + wide_tile - 1) / wide_tile);
  const auto next = std::make_unique<T[]>(tiles);
  for (size_t t = 0; t < tiles; ++t) {
    std::array<T, wide_lanes> lanes;
    lanes.fill(ir::identity<T>(reduction));
    const int64_t begin = static_cast<int64_t>(t) * wide_tile;
    for (int64_t i = begin; i < std::min(count, begin + wide_tile); ++i) {
      T& lane = lanes[static_cast<size_t>((i - begin) % wide_lanes)];
      lane = ir::combine<reduction>(lane, totals[i]);
    }
    for (size_t half = wide_lanes / 2; half > 0; half /= 2)
      for (size_t k = 0; k < half; ++k)
        lanes[k] = ir::combine<reduction>(lanes[k], lanes[k + half]);
    next[t] = lanes[0];
  }
  return reduce_totals<T, reduction>(next.get(), static_cast<int64_t>(tiles));
}

class SegmentsRun {
 public:
  explicit SegmentsRun(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        size_(size_of(arguments.step.type)),
        n_(arguments.elements(0)),
        offsets_(arguments.offsets(1)),
        known_(arguments.offsets_are_known(1, n_)),
        kernel_(*arguments.step.elements),
        code_(find_kernel(kernel_)) {}

  void run() {
    constexpr int64_t cost = 8;  // of starting a segment
    in_segment_parts(offsets_, n_, cost,
                     [&](int64_t first, int64_t last) { run_segments(first, last); });
    if (wrong_.any()) arguments_.refuse(offsets_, wrong_.place(), n_);
    arguments_.note_offsets(1, n_);
    for (int64_t s : long_segments_) run_long(s);
  }

 private:
  // Runs some segments at a time, as 64-bit boundaries that are checked before they are used.
  void run_segments(int64_t first, int64_t last) {
    constexpr int64_t some = 512;
    std::array<int64_t, some + 1> boundaries;
    for (int64_t s = first; s < last;) {
      const int64_t count = std::min(some, last - s);
      if (!known_)
        if (const int64_t wrong = offsets_.first_wrong(s, s + count, n_); wrong >= 0)
          return wrong_.note(wrong);
      offsets_.copy(s, count + 1, boundaries.data());
      reduce_all(boundaries.data(), count, s);
      s += count;
    }
  }

  // Reduces segments from s on; those longer than a tile are deferred.
  void reduce_all(const int64_t* boundaries, int64_t count, int64_t s) {
    int64_t done = 0;
    const bool some_may_be_long = boundaries[count] - boundaries[0] > wide_tile;
    for (int64_t k = 0; some_may_be_long && k < count; ++k) {
      if (boundaries[k + 1] - boundaries[k] <= wide_tile) continue;
      reduce(boundaries + done, k - done, output(s + done));
      const std::lock_guard lock(mutex_);
      long_segments_.push_back(s + k);
      done = k + 1;
    }
    reduce(boundaries + done, count - done, output(s + done));
  }

  int64_t output(int64_t s) const { return arguments_.output_address() + s * size_; }

  void reduce(const int64_t* boundaries, int64_t pieces, int64_t output) const {
    if (pieces == 0) return;
    Words words = arguments_.words();
    words[static_cast<size_t>(kernel_.layout.boundaries())] = reinterpret_cast<int64_t>(boundaries);
    words[static_cast<size_t>(kernel_.layout.output(0))] = output;
    code_(words.data(), 0, pieces, 0, 1);
  }

  void run_long(int64_t s) {
    const int64_t begin = offsets_[s], end = offsets_[s + 1];
    const int64_t tiles = (end - begin + wide_tile - 1) / wide_tile;
    const auto totals = std::make_unique<int64_t[]>(static_cast<size_t>(tiles));
    const auto memory = reinterpret_cast<int64_t>(totals.get());
    in_parts(tiles, 4, [&](int64_t first, int64_t last) {
      std::vector<int64_t> boundaries;
      for (int64_t t = first; t <= last; ++t)
        boundaries.push_back(std::min(end, begin + t * wide_tile));
      reduce(boundaries.data(), last - first, memory + first * size_);
    });
    visit_type(arguments_.step.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      ir::visit_reduction<T>(arguments_.step.reduction, [&](auto reduction) {
        arguments_.output<T>()[s] = reduce_totals<T, decltype(reduction)::value>(
            reinterpret_cast<const T*>(totals.get()), tiles);
      });
    });
  }

  const PrimitiveArguments& arguments_;
  const int64_t size_, n_;
  const ir::Offsets offsets_;
  const bool known_;  // whether the offsets are known to be valid
  const compiler::KernelStep& kernel_;
  const PinnedCode code_;
  FirstWrong wrong_;
  std::mutex mutex_;
  std::vector<int64_t> long_segments_;
};

}  // namespace

void segmented_reduce(const PrimitiveArguments& arguments) {
  if (arguments.step.elements) return SegmentsRun(arguments).run();
  // All segments are empty.
  const ir::Offsets offsets = arguments.checked_offsets(1, 0);
  const uint64_t nothing = ir::empty_result(arguments.step.reduction, arguments.step.type).bits;
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::fill_n(arguments.output<T>(), offsets.segments(), from_bits<T>(nothing));
  });
}

}  // namespace tutti::runtime
