// Scans, tile by tile: the elements of a tile are computed and scanned separately in the caches,
// then completed with the prefix of the tile. Threads take blocks of tiles in order. A block waits
// for its prefix only after everything else is done. numerics/scan_tree.hpp defines the tree.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "codegen/cpu/scan_code.hpp"
#include "numerics/reduction_tree.hpp"
#include "numerics/scan_tree.hpp"
#include "runtime/cpu/primitives/elements.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

using ir::scan_chunk;
using ir::scan_group;
using ir::scan_tile;

constexpr int64_t tile_groups = scan_tile / scan_group;
constexpr int64_t tile_chunks = scan_tile / scan_chunk;
// Tiles of a block. With their elements they fit a second-level cache of 1 MB. They take some 10
// us, compared to which passing the prefix on is negligible.
constexpr int64_t block_tiles = 8;

// The results of scan_start for a tile; elements have up to eight bytes.
struct Tile {
  alignas(64) std::array<std::byte, scan_tile * 8> local;
  std::array<int64_t, tile_groups> before_group;
  std::array<int64_t, tile_chunks> before_chunk;
  std::array<uint16_t, tile_groups> heads;
  std::array<uint32_t, tile_chunks> group_flags;
  std::array<uint8_t, tile_chunks> chunk_flags;
  int64_t total;
  uint8_t total_flag;
};

// The prefix of a block, once it is known.
struct alignas(64) Link {
  int64_t before = 0;
  std::atomic<bool> known{false};

  void wait() const {
    for (int spins = 0; !known.load(std::memory_order_acquire);)
      if (++spins > 200) std::this_thread::yield();
  }
};

class ScanRun {
 public:
  explicit ScanRun(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        step_(arguments.step),
        size_(size_of(step_.type)),
        n_(step_.shape.size()),
        row_(step_.shape[step_.shape.rank - 1]),
        has_offsets_(step_.inputs.size() > 1),
        offsets_(has_offsets_ ? arguments.checked_offsets(1, n_) : ir::Offsets(nullptr, {}, 0)),
        scan_{step_.type, step_.reduction, has_offsets_ || row_ != n_,
              step_.get<ir::ScanForm>() == ir::ScanForm::exclusive},
        code_(find_kernel(id_of(scan_), [&] { return codegen::compile_scan(scan_); })),
        neutral_(static_cast<int64_t>(ir::identity_of(step_.reduction, step_.type).bits)),
        elements_(arguments),
        consumer_(arguments) {}

  void run() {
    const int64_t tiles = (n_ + scan_tile - 1) / scan_tile;
    if (tiles == 1) return run_tile();
    const int64_t blocks = (tiles + block_tiles - 1) / block_tiles;
    const int64_t threads = std::min<int64_t>(cpu_threads(), blocks);
    links_ = std::make_unique<Link[]>(static_cast<size_t>(blocks) + 1);
    links_[0].before = neutral_;
    links_[0].known = true;
    std::atomic<int64_t> next{0};
    const auto work = [&](int64_t) {
      const ir::BufferRef memory =
          allocate(sizeof(Tile) * static_cast<size_t>(std::min(tiles, block_tiles)));
      auto* tile = static_cast<Tile*>(memory->data());
      for (int64_t block; (block = next++) < blocks;) run_block(block, tile);
    };
    threads > 1 ? parallel_for(threads, work) : work(0);
  }

 private:
  // Returns the identity of a scan's code. There are few, and a short scan takes less time than the
  // search for a text, so they are kept.
  static const KernelId& id_of(const codegen::ScanKernel& scan) {
    constexpr size_t most_types = 16, most_reductions = 16, forms = 4;
    static std::array<std::atomic<const KernelRef*>, most_types * most_reductions * forms> known{};
    const auto type = static_cast<size_t>(scan.type),
               reduction = static_cast<size_t>(scan.reduction);
    if (type >= most_types || reduction >= most_reductions)
      throw InternalError("scan: more types or reductions than identities of scans");
    std::atomic<const KernelRef*>& slot =
        known[(type * most_reductions + reduction) * forms + 2 * size_t{scan.segmented} +
              size_t{scan.exclusive}];
    if (const KernelRef* id = slot.load(std::memory_order_acquire)) return **id;
    auto made = std::make_unique<const KernelRef>(
        kernel_id("scan " + std::to_string(type) + " " + std::to_string(reduction) +
                  (scan.segmented ? " segmented" : "") + (scan.exclusive ? " exclusive" : "")));
    const KernelRef* before = nullptr;
    if (slot.compare_exchange_strong(before, made.get(), std::memory_order_acq_rel))
      return **made.release();
    return **before;
  }

  // Scans elements that fit into one tile.
  void run_tile() {
    const auto tile = std::make_unique_for_overwrite<Tile>();
    start(0, *tile);
    finish(0, *tile, neutral_);
  }

  void run_block(int64_t block, Tile* tiles) {
    const int64_t first = block * block_tiles * scan_tile;
    const int64_t last = std::min(n_, first + block_tiles * scan_tile);
    int64_t count = 0;
    for (int64_t begin = first; begin < last; begin += scan_tile) start(begin, tiles[count++]);
    Link &link = links_[static_cast<size_t>(block)], &next = links_[static_cast<size_t>(block) + 1];
    link.wait();
    next.before = link.before;
    for (int64_t k = 0; k < count; ++k) advance(tiles[k], next.before);
    next.known.store(true, std::memory_order_release);
    int64_t before = link.before;
    for (int64_t k = 0; k < count; ++k) {
      finish(first + k * scan_tile, tiles[k], before);
      advance(tiles[k], before);
    }
  }

  std::array<int64_t, codegen::scan_words> words(Tile& tile) const {
    const auto address = [](auto& x) { return reinterpret_cast<int64_t>(&x); };
    std::array<int64_t, codegen::scan_words> result{};
    result[codegen::scan_elements] = result[codegen::scan_local] = address(tile.local);
    result[codegen::scan_heads] = address(tile.heads);
    result[codegen::scan_before_group] = address(tile.before_group);
    result[codegen::scan_group_flags] = address(tile.group_flags);
    result[codegen::scan_before_chunk] = address(tile.before_chunk);
    result[codegen::scan_chunk_flags] = address(tile.chunk_flags);
    result[codegen::scan_total] = address(tile.total);
    result[codegen::scan_total_flag] = address(tile.total_flag);
    return result;
  }
  int64_t count_from(int64_t begin) const { return std::min(scan_tile, n_ - begin); }
  static int64_t chunks_of(int64_t count) { return (count + scan_chunk - 1) / scan_chunk; }

  void start(int64_t begin, Tile& tile) {
    const int64_t count = count_from(begin);
    auto w = words(tile);
    const void* elements = elements_.read(begin, begin + count, tile.local.data());
    if (count % scan_chunk == 0)
      w[codegen::scan_elements] = reinterpret_cast<int64_t>(elements);
    else if (elements_.in_memory())
      std::memcpy(tile.local.data(), elements, static_cast<size_t>(count * size_));
    fill_with_neutral(tile, count, chunks_of(count) * scan_chunk);
    if (scan_.segmented) mark_heads(begin, begin + count, tile.heads);
    code_(w.data(), codegen::scan_start, chunks_of(count), 0, 0);
  }

  void fill_with_neutral(Tile& tile, int64_t begin, int64_t end) const {
    const auto fill = [&]<class T>(T neutral) {
      auto* elements = reinterpret_cast<T*>(tile.local.data());
      std::fill(elements + begin, elements + end, neutral);
    };
    switch (size_) {
      case 1:
        return fill(static_cast<uint8_t>(neutral_));
      case 2:
        return fill(static_cast<uint16_t>(neutral_));
      case 4:
        return fill(static_cast<uint32_t>(neutral_));
      default:
        return fill(static_cast<uint64_t>(neutral_));
    }
  }

  // Marks the elements of a tile at which segments begin, a bit for each element.
  void mark_heads(int64_t begin, int64_t end, std::array<uint16_t, tile_groups>& heads) const {
    heads.fill(0);
    const auto mark = [&](int64_t i) {
      heads[static_cast<size_t>((i - begin) / scan_group)] |=
          static_cast<uint16_t>(1 << (i - begin) % scan_group);
    };
    if (!has_offsets_) {
      for (int64_t i = (begin + row_ - 1) / row_ * row_; i < end; i += row_) mark(i);
      return;
    }
    for (int64_t s = offsets_.segment_of(begin); s < offsets_.segments() && offsets_[s] < end; ++s)
      if (offsets_[s] >= begin) mark(offsets_[s]);
  }

  void advance(Tile& tile, int64_t& before) const {
    auto w = words(tile);
    w[codegen::scan_before] = reinterpret_cast<int64_t>(&before);
    code_(w.data(), codegen::scan_advance, 0, 0, 0);
  }

  void finish(int64_t begin, Tile& tile, int64_t before) const {
    const int64_t count = count_from(begin);
    auto w = words(tile);
    w[codegen::scan_before] = reinterpret_cast<int64_t>(&before);
    const int64_t output = arguments_.output_address();
    std::byte* target =
        output ? reinterpret_cast<std::byte*>(output + begin * size_) : tile.local.data();
    const bool in_place = count % scan_chunk == 0;
    std::byte* results = in_place ? target : tile.local.data();
    w[codegen::scan_out] = reinterpret_cast<int64_t>(results);
    code_(w.data(), codegen::scan_finish, chunks_of(count), 0, 0);
    if (!scan_.segmented && scan_.exclusive && begin == 0) {  // the empty result may not be neutral
      const uint64_t nothing = ir::empty_result(step_.reduction, step_.type).bits;
      std::memcpy(results, &nothing, static_cast<size_t>(size_));
    }
    if (results != target) std::memcpy(target, results, static_cast<size_t>(count * size_));
    consumer_.take(begin, begin + count, results);
  }

  const PrimitiveArguments& arguments_;
  const compiler::PrimitiveStep& step_;
  const int64_t size_, n_, row_;
  const bool has_offsets_;
  const ir::Offsets offsets_;
  const codegen::ScanKernel scan_;
  const PinnedCode code_;
  const int64_t neutral_;
  const ElementReader elements_;
  const ResultConsumer consumer_;
  std::unique_ptr<Link[]> links_;
};

}  // namespace

void scan(const PrimitiveArguments& arguments) { ScanRun(arguments).run(); }

}  // namespace tutti::runtime
