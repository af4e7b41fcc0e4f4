#include "compiler/plan/chain_windows.hpp"

#include "compiler/plan/joined_rows.hpp"
#include "core/elements/rounding.hpp"

namespace tutti::compiler {
namespace {

class Placement {
 public:
  Placement(ChainStep& chain, std::span<const Kernel* const> kernels)
      : chain_(chain), kernels_(kernels) {}

  void run() {
    chain_.pitch = pitch();
    chain_.window_bytes = place(chain_.pitch, line_bytes);
  }

  // Places the windows for rows of this pitch, in multiples of `unit`. Returns their total bytes.
  int64_t place(int64_t pitch, int64_t unit) {
    std::vector<Placed> placed;  // by their begin
    int64_t bytes = 0;
    for (Window& window : chain_.windows) {
      const int64_t own = chain_.window_rows[window.kernel] * pitch * window.element_bytes;
      const Placed place = find_gap(placed, round_up(own, unit), life_of(window.kernel));
      window.offset = place.begin;
      bytes = std::max(bytes, place.end);
      placed.insert(
          std::upper_bound(placed.begin(), placed.end(), place,
                           [](const Placed& a, const Placed& b) { return a.begin < b.begin; }),
          place);
    }
    return bytes;
  }

 private:
  struct Placed {
    int64_t begin, end;
    WindowLife life;
  };

  // Returns the first gap between windows whose live ranges overlap.
  static Placed find_gap(std::span<const Placed> placed, int64_t bytes, const WindowLife& life) {
    int64_t begin = 0;
    for (const Placed& other : placed)
      if (life.meets(other.life) && other.begin < begin + bytes) begin = std::max(begin, other.end);
    return {begin, begin + bytes, life};
  }

  // Returns the pitch of rows. Rows begin at a cache line, but not at a multiple of a power of two,
  // which would map them to the same few sets of the cache. A kernel with joined axes computes
  // several rows at once if they have all columns and no gaps between them.
  int64_t pitch() const {
    if (chain_.tiles.size() == 1 &&
        std::any_of(kernels_.begin(), kernels_.end(),
                    [&](const Kernel* kernel) { return joins_rows(*kernel, chain_); }))
      return chain_.columns;
    int64_t width = 0, element = line_bytes;
    for (const Window& window : chain_.windows) {
      element = std::min<int64_t>(element, window.element_bytes);
      for (const std::vector<RowRange>& tile : chain_.tiles)
        width = std::max(width, tile[window.kernel].end - tile[window.kernel].begin);
    }
    const int64_t line = line_bytes / element;
    return (divide_up(width, line) | 1) * line;
  }

  WindowLife life_of(size_t maker) const {
    if (is_carried(chain_, maker)) return {0, kernels_.size() - 1};
    WindowLife life{maker, maker};
    for (const Output& output : kernels_[maker]->outputs)
      for (size_t k = maker + 1; k < kernels_.size(); ++k)
        for (const Source& source : kernels_[k]->sources)
          if (source.is_value && source.id == output.value) life.last = k;
    return life;
  }

  ChainStep& chain_;
  std::span<const Kernel* const> kernels_;
};

}  // namespace

bool is_carried(const ChainStep& chain, size_t k) {
  for (const RowBlock& row_block : chain.row_blocks)
    for (const std::vector<WindowRows>& position : row_block.positions)
      if (position[k].window < position[k].rows.begin) return true;
  return false;
}

void place_windows(ChainStep& chain, std::span<const Kernel* const> kernels) {
  Placement(chain, kernels).run();
}

int64_t bytes_of_a_column(ChainStep& chain, std::span<const Kernel* const> kernels) {
  return Placement(chain, kernels).place(1, 1);
}

}  // namespace tutti::compiler
