#include "runtime/gpu/primitives.hpp"

#include <limits>
#include <optional>

#include "codegen/gpu/layout.hpp"
#include "graph/build_primitives.hpp"
#include "graph/section_box.hpp"
#include "numerics/product_order.hpp"
#include "numerics/reduction_tree.hpp"
#include "numerics/scan_tree.hpp"
#include "runtime/gpu/sort.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::gpu {
namespace {

using ir::Kind;

// The kernels are compiled without the headers of the numerical contract.
static_assert(kernels::wide_lanes == ir::wide_lanes && kernels::wide_tile == ir::wide_tile);
static_assert(kernels::product_chain == ir::product_chain);
static_assert(kernels::tile_size == ir::scan_tile);

// Segments that are not longer than this on average are staged in shared memory. Others get a power
// of two of threads each, so that a thread has about this many elements. (10^8 floats in segments
// of 10: staged 0.170 ms, eight threads 0.31; of 100: staged 0.131, eight threads 0.115, sixteen
// 0.108. H200.)
constexpr int64_t most_staged = 28, elements_a_thread = 8;
// The most instructions of elements of up to four bytes that fit in 32 registers with everything
// else.
constexpr size_t light_code = 8;
// For top_k: all are sorted if more than this fraction of the elements is requested.
constexpr int64_t many_of = 32;
// For kernels that assign segments to warps: more warps than a device holds at a time.
constexpr int64_t enough_warps = 16384;

class PrimitiveRun : private SortLaunches {
 public:
  using SortLaunches::SortLaunches;

  void run() {
    switch (step_.kind) {
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  case Kind::id:                                                                   \
    return id();
#include "tutti/detail/kinds.def"
      default:
        throw InternalError("not a primitive");
    }
  }

 private:
  void fourier_lines() { throw InternalError("fourier_lines: not on a GPU (can_run)"); }
  void sort_permutation() { sort(); }
  void sort_values() { sort(); }
  void element_segments() {
    check_offsets(0, step_.shape[0]);
    segments_of_elements(0, call_.output, step_.shape[0]);
  }

  int64_t last_offset() {
    int64_t wide = 0;
    int32_t narrow = 0;
    void* target = size_ == 8 ? static_cast<void*>(&wide) : &narrow;
    memory().to_host(target, static_cast<uint64_t>(call_.inputs[0] + (elements(0) - 1) * size_),
                     static_cast<size_t>(size_));
    return size_ == 8 ? wide : narrow;
  }

  void checked_offsets() {
    // A negative last offset is wrong for any number of elements: a check with 0 finds it too.
    const int64_t covered = step_.get<ir::OffsetRule>() == ir::OffsetRule::ascend
                                ? std::max<int64_t>(0, last_offset())
                                : elements(1);
    check_offsets(0, covered);
    call_.target->note_offsets_of(covered, call_.buffers[0]->longest_segment());
    copy(call_.output, call_.inputs[0], elements(0) * size_);
  }

  // ---- scan

  void scan() {
    const int64_t n = step_.shape.size(), row = step_.shape[step_.shape.rank - 1];
    const bool has_offsets = step_.inputs.size() > 1, segmented = has_offsets || row != n;
    const int64_t blocks = parts(n, kernels::scan_block(size_));
    const int64_t tiles = blocks * kernels::scan_block(size_) / kernels::tile_size;
    const int64_t state_bytes = 8 * kernels::state_words(size_) * tiles;
    const ZeroedMemory::Piece states(launcher_.zeros(), state_bytes);
    kernels::ScanArguments a{};
    a.elements = n;
    a.out = call_.output;
    a.states = states.address();
    a.exclusive = step_.get<ir::ScanForm>() == ir::ScanForm::exclusive;
    a.row = row;
    if (has_offsets) {
      check_offsets(1, n);
      set_offsets(a, 1);
    }
    codegen::GpuPrimitive scan =
        primitive((segmented ? "segmented_scan_" : "scan_") + unsigned_name(size_), Uses::elements,
                  kernels::scan_resident, kernels::scan_threads(size_));
    if (step_.consumer) {
      scan.consumer = &step_.consumer->kernel;
      scan.consumer_id = step_.consumer->id.get();
      scan.consumed = step_.consumed();
    }
    launch(scan, blocks, a);
  }

  void pack() {
    const int64_t n = elements(0), tiles = parts(n, kernels::pack_tile(size_));
    const ZeroedMemory::Piece states(launcher_.zeros(), kernels::count_state_bytes(tiles));
    const Answer found(memory());
    kernels::PackArguments a{};
    a.elements = n;
    a.values = call_.inputs[1];
    a.out = call_.output;
    a.count = step_.shape[0];
    a.found = step_.get<ir::PackSize>() == ir::PackSize::found ? found.address() : 0;
    a.states = states.address();
    combined_ = ElementType::b8;
    reduction_ = Reduction::any;
    codegen::GpuPrimitive pack =
        primitive("pack_" + unsigned_name(size_), Uses::elements, kernels::pack_resident(size_),
                  kernels::pack_threads(size_));
    if (step_.values) {
      pack.values = &step_.values->kernel;
      pack.values_id = step_.values->id.get();
    }
    launch(pack, std::min(tiles, launcher_.multiprocessors() * kernels::pack_resident(size_)), a);
    if (a.found != 0) call_.target->note_found(found.get());
  }

  // ---- segmented reduction

  void segmented_reduce() {
    const int64_t n = elements(0), segments = elements(1) - 1;
    check_offsets(1, n);
    const int64_t average = parts(n, segments), longest = call_.buffers[1]->longest_segment();
    const bool staged = average <= most_staged, some_are_long = longest > kernels::longest_staged;
    const int64_t long_tiles = some_are_long ? kernels::most_long_tiles(n) : 0;
    const ZeroedMemory::Piece finished(launcher_.zeros(), 4 * long_tiles);
    const Temporary totals(memory(), 8 * long_tiles);
    kernels::ReduceArguments a{};
    a.elements = n;
    set_offsets(a, 1);
    a.out = call_.output;
    a.finished = finished.address();
    a.totals = totals.address();
    std::optional<SegmentMap> map;
    if (some_are_long || (staged && n > kernels::small_window)) {
      map.emplace(memory(), mapped_segments(1, n));
      a.windows = map->windows();
      a.long_count = map->long_count();
      a.long_tiles = map->long_tiles();
    }
    if (staged)
      reduce_staged(a, average, longest, long_tiles, map ? map->window_count() : 1);
    else
      reduce_grouped(a, average, long_tiles);
  }

  // Most segments fit into the lanes of their threads.
  void reduce_staged(kernels::ReduceArguments& a, int64_t average, int64_t longest,
                     int64_t long_tiles, int64_t windows) {
    const int64_t most_lanes = std::min(longest, 2 * average);
    a.threads = 1;
    while (a.threads < 16 && a.threads * kernels::kept_lanes < most_lanes) a.threads *= 2;
    a.long_blocks = std::min(long_tiles, 4 * launcher_.multiprocessors());
    const compiler::Kernel& kernel = step_.elements->kernel;
    const auto* fused = schedule::on_gpu<schedule::FusedElements>(kernel.schedule);
    const bool light = size_ <= 4 && fused->in_order && kernel.code.size() <= light_code;
    launch(primitive("reduce_staged_" + unsigned_name(size_), Uses::elements,
                     light ? kernels::reduce_light_resident : kernels::reduce_resident),
           a.long_blocks + windows, a);
  }

  void reduce_grouped(kernels::ReduceArguments& a, int64_t average, int64_t long_tiles) {
    int64_t width = 8;
    while (width < kernels::warp_size && width * elements_a_thread < average) width *= 2;
    const int64_t segments = a.offset_count - 1;
    a.segments = std::clamp<int64_t>(segments / enough_warps, kernels::warp_size / width,
                                     kernels::warp_size);
    a.long_blocks = std::min(long_tiles, most_blocks);
    launch(primitive("reduce_by_" + std::to_string(width) + "_" + unsigned_name(size_),
                     Uses::elements, 0, kernels::group_threads),
           a.long_blocks + parts(segments, a.segments * kernels::group_warps), a);
  }

  // ---- scatter

  void scatter() {
    const auto collision = step_.get<Collision>();
    kernels::ScatterArguments a{};
    a.count = elements(1);
    a.targets = step_.shape.size();
    a.rank = step_.shape.rank;
    a.wide_indices = step_.inputs[2].type == ElementType::i64;
    for (int axis = 0; axis < step_.shape.rank; ++axis) {
      a.extents[axis] = step_.shape[axis];
      a.indices[axis] = call_.inputs[static_cast<size_t>(axis) + 2];
    }
    a.values = call_.inputs[1];
    a.out = call_.output;
    if (call_.output != call_.inputs[0]) copy(call_.output, call_.inputs[0], a.targets * size_);
    if (a.count == 0) return;
    const bool logical = step_.type == ElementType::b8;
    switch (collision) {
      case Collision::sum:
        reduction_ = Reduction::sum;
        break;
      case Collision::min:
        reduction_ = logical ? Reduction::all : Reduction::min;
        break;
      case Collision::max:
        reduction_ = logical ? Reduction::any : Reduction::max;
        break;
      default:
        return scatter_one_of_them(a, collision == Collision::first);
    }
    // Only floating-point sums depend on the order of the values.
    const bool ordered = collision == Collision::sum && is_floating(step_.type);
    if (!ordered && collision == Collision::sum && size_ >= 4)
      return launch_for_each("scatter_add_" + unsigned_name(size_), a.count, a);
    if (!ordered && size_ >= 4)
      return launch_for_each("scatter_combine_" + unsigned_name(size_), a.count, a,
                             Uses::operation);
    scatter_in_order(a);
  }

  void scatter_one_of_them(kernels::ScatterArguments& a, bool first) {
    const Temporary winners(memory(), 8 * a.targets);
    a.winners = winners.address();
    a.first = first;
    fill(a.winners, 8 * a.targets, 0);
    launch_for_each("scatter_compete", a.count, a);
    launch_for_each("scatter_winners_" + unsigned_name(size_), a.targets, a);
  }

  // Sorts the values by their indices. The sort is stable, so values of one index stay in order.
  void scatter_in_order(kernels::ScatterArguments& a) {
    const int64_t n = a.count;
    const Temporary keys(memory(), 8 * n), sorted_keys(memory(), 8 * n), order(memory(), 8 * n),
        values(memory(), size_ * n);
    a.keys = keys.address();
    launch_for_each("scatter_keys", n, a);
    SortCall call{n, 8, kernels::unsigned_key, false,
                  bytes_needed(static_cast<uint64_t>(a.targets))};
    call.keys = keys.address();
    call.sorted_keys = sorted_keys.address();
    call.value_bytes = 8;
    call.out = order.address();
    radix_sort(call);
    launch_for_each("gather_" + unsigned_name(size_), n,
                    kernels::GatherArguments{n, a.values, order.address(), 1, values.address()});
    a.keys = sorted_keys.address();
    a.values = values.address();
    launch_for_each("scatter_runs_" + unsigned_name(size_), n, a, Uses::operation);
  }

  // ---- sections

  void write_section() {
    const ir::SectionBox box = ir::section_box(*call_.section, step_.shape, step_.inputs[0].shape);
    kernels::SectionArguments a{};
    a.count = elements(0);
    a.rank = box.rank;
    for (size_t axis = 0; axis < static_cast<size_t>(box.rank); ++axis) {
      a.extents[axis] = box.extents[axis];
      a.strides[axis] = box.strides[axis];
    }
    a.first = box.first;
    a.out = call_.output;
    if (call_.inputs.size() > 1 && call_.output != call_.inputs[1])
      copy(call_.output, call_.inputs[1], step_.shape.size() * size_);
    launch_for_each("write_section_" + unsigned_name(size_), a.count, a, Uses::elements);
  }

  // ---- searches

  void search_sorted() {
    kernels::SearchArguments a{};
    a.count = elements(1);
    a.queries = call_.inputs[1];
    a.sorted = call_.inputs[0];
    a.elements = elements(0);
    a.out = call_.output;
    a.wide_out = step_.type == ElementType::i64;
    a.right_side = step_.get<ir::SearchSide>() == ir::SearchSide::right;
    codegen::GpuPrimitive search =
        primitive("search_sorted_" + unsigned_name(size_of(step_.inputs[0].type)), Uses::nothing);
    search.key_kind = key_kind(step_.inputs[0].type);
    launch(search, blocks_for_each(a.count), a);
  }

  // ---- the first elements of an order

  SortCall sort_of_keys(int64_t count, int64_t keys, int64_t out) const {
    const ElementType type = step_.inputs[0].type;
    SortCall s{count, size_of(type), key_kind(type),
               step_.get<ir::SortOrder>() == ir::SortOrder::descending, size_of(type)};
    s.keys = keys;
    s.value_bytes = size_;
    s.out = out;
    return s;
  }

  void top_k() {
    const int64_t n = elements(0), count = step_.shape[0];
    if (count > n / many_of) {
      const Temporary order(memory(), size_ * n);
      radix_sort(sort_of_keys(n, call_.inputs[0], order.address()));
      return copy(call_.output, order.address(), size_ * count);
    }
    const Temporary chosen(memory(), size_ * count), ascending(memory(), size_ * count),
        keys(memory(), size_of(step_.inputs[0].type) * count);
    choose_first(chosen.address());
    const int index_bytes = bytes_needed(static_cast<uint64_t>(n - 1));
    SortCall by_index{count, size_, kernels::unsigned_key, false, index_bytes};
    by_index.keys = chosen.address();
    by_index.sorted_keys = ascending.address();
    radix_sort(by_index);
    launch_for_each("gather_" + unsigned_name(size_of(step_.inputs[0].type)), count,
                    kernels::GatherArguments{count, call_.inputs[0], ascending.address(),
                                             size_ == 8, keys.address()});
    SortCall by_key = sort_of_keys(count, keys.address(), call_.output);
    by_key.values = ascending.address();
    radix_sort(by_key);
  }

  // Finds the indices of the first elements of the order, in any order.
  void choose_first(int64_t out) {
    const SortCall order = sort_of_keys(elements(0), 0, 0);
    kernels::TopKArguments a{};
    a.elements = elements(0);
    a.count = step_.shape[0];
    a.keys = call_.inputs[0];
    a.index_bytes = bytes_needed(static_cast<uint64_t>(a.elements - 1));
    a.out = out;
    a.wide_out = size_ == 8;
    const int64_t passes = order.key_bytes + a.index_bytes;
    const ZeroedMemory::Piece state(launcher_.zeros(), sizeof(kernels::TopKState)),
        counts(launcher_.zeros(), 8 * kernels::digits * passes);
    a.state = state.address();
    a.counts = counts.address();
    const std::string key = unsigned_name(order.key_bytes);
    codegen::GpuPrimitive pass = primitive("top_k_pass_" + key, Uses::nothing),
                          collect = primitive("top_k_collect_" + key, Uses::nothing);
    for (codegen::GpuPrimitive* of_keys : {&pass, &collect}) {
      of_keys->key_kind = order.kind;
      of_keys->descending = order.descending;
    }
    const int64_t blocks = std::min(parts(a.elements, 16 * kernels::block_threads), filling_blocks);
    for (int64_t i = 0; i < passes; ++i) launch(pass, blocks, a);
    launch(collect, blocks_for_each(a.elements), a);
  }
};

}  // namespace

bool can_run(const compiler::PrimitiveStep& step) {
  if (step.kind == Kind::fourier_lines) return false;
  if (!step.elements) return ir::computed_inputs(step.kind) == 0;  // false: all segments are empty
  const auto words = [](const auto& kernel) { return kernel ? kernel->layout.words() : 0; };
  return words(step.elements) + words(step.values) + words(step.consumer) +
             codegen::argument_words <=
         codegen::most_parameter_words;
}

void run_primitive(PrimitiveLauncher& launcher, const compiler::PrimitiveStep& step,
                   const PrimitiveCall& call) {
  PrimitiveRun(launcher, step, call).run();
}

}  // namespace tutti::runtime::gpu
