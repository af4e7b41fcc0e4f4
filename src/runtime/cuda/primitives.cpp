#include "runtime/cuda/primitives.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "codegen/gpu_shape.hpp"
#include "ir/build_primitives.hpp"
#include "primitives/gpu/arguments.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::cuda {
namespace {

using ir::Kind;

// Blocks of kernels that walk their work in steps of the whole grid: more than fill any device.
constexpr int64_t most_blocks = 4096;
// Blocks of kernels that do not know how much there is to do, enough to fill a device.
constexpr int64_t filling_blocks = 1056;
// Segments longer than this on average get a warp each.
constexpr int64_t most_of_few = 160;

int64_t parts(int64_t count, int64_t each) { return (count + each - 1) / each; }

std::string unsigned_name(int bytes) { return "u" + std::to_string(8 * bytes); }

int bytes_needed(uint64_t greatest) {
  int bytes = 1;
  while (bytes < 8 && greatest >> (8 * bytes)) ++bytes;
  return bytes;
}

gpu::KeyKind key_kind(ElementType type) {
  if (is_floating(type)) return gpu::floating_key;
  return is_integer(type) && is_signed(type) ? gpu::signed_key : gpu::unsigned_key;
}

// Device memory for the length of a call; as soon as the kernels are launched it may be used again.
class Temporary {
 public:
  Temporary(DeviceMemory& memory, int64_t bytes)
      : memory_(memory),
        bytes_(static_cast<size_t>(std::max<int64_t>(bytes, 256))),
        address_(memory.take(bytes_)) {}
  ~Temporary() { memory_.give_back(address_, bytes_); }
  Temporary(const Temporary&) = delete;
  int64_t address() const { return static_cast<int64_t>(address_); }

 private:
  DeviceMemory& memory_;
  size_t bytes_;
  uint64_t address_;
};

class PrimitiveRun {
 public:
  PrimitiveRun(PrimitiveLauncher& launcher, const passes::PrimitiveStep& step,
               const PrimitiveCall& call)
      : launcher_(launcher), step_(step), call_(call), size_(size_of(step.type)) {}

  void run() {
    switch (step_.kind) {
      case Kind::scan:
        return scan();
      case Kind::segmented_reduce:
        return segmented_reduce();
      case Kind::scatter:
        return scatter();
      case Kind::sort_permutation:
      case Kind::sort_values:
        return sort();
      case Kind::element_segments:
        check_offsets(0, step_.shape[0]);
        return element_segments(0, call_.output);
      case Kind::checked_offsets:
        check_offsets(0, elements(1));
        call_.target->note_offsets_of(elements(1), call_.buffers[0]->longest_segment());
        return copy(call_.output, call_.inputs[0], elements(0) * size_);
      case Kind::pack:
        return pack();
      case Kind::search_sorted:
        return search_sorted();
      default:
        throw InternalError("cuda: not a primitive");
    }
  }

 private:
  int64_t elements(size_t input) const { return step_.inputs[input].shape.size(); }
  DeviceMemory& memory() { return launcher_.memory(); }

  // ---- launching

  // What of the step a kernel is specialised for.
  enum class Uses : uint8_t { nothing, operation, elements };

  codegen::GpuPrimitive primitive(const std::string& function, Uses uses, int resident = 0,
                                  int threads = gpu::block_threads) const {
    codegen::GpuPrimitive result;
    result.function = function;
    result.threads = threads;
    result.resident = resident;
    if (uses != Uses::nothing) {
      result.type = combined_;
      result.reduction = reduction_;
    }
    if (uses == Uses::elements) result.elements = &step_.elements->kernel;
    return result;
  }
  template <class Arguments>
  void launch(const codegen::GpuPrimitive& primitive, int64_t blocks, const Arguments& arguments) {
    static_assert(sizeof(Arguments) <= sizeof(int64_t) * codegen::argument_words);
    std::vector<int64_t> words;
    if (primitive.elements) words = call_.words;
    if (primitive.consumer)
      words.insert(words.end(), call_.consumer_words.begin(), call_.consumer_words.end());
    const size_t before = words.size();
    words.resize(before + codegen::argument_words, 0);
    std::memcpy(words.data() + before, &arguments, sizeof arguments);
    launcher_.launch(primitive, std::max<int64_t>(blocks, 1), words);
  }
  template <class Arguments>
  void launch_for_each(const std::string& function, int64_t count, const Arguments& arguments,
                       Uses uses = Uses::nothing) {
    launch(primitive(function, uses), blocks_for_each(count), arguments);
  }
  static int64_t blocks_for_each(int64_t count) {
    return std::min(parts(count, gpu::block_threads), most_blocks);
  }
  void fill(int64_t address, int64_t bytes, uint32_t value) {
    launch_for_each("fill", bytes / 4, gpu::FillArguments{bytes / 4, address, value});
  }
  void copy(int64_t target, int64_t source, int64_t bytes) {
    launch_for_each("copy", bytes, gpu::CopyArguments{bytes, source, target});
  }

  // ---- offsets

  template <class Arguments>
  void set_offsets(Arguments& a, size_t input) const {
    a.offsets = call_.inputs[input];
    a.offset_count = elements(input);
    a.wide_offsets = step_.inputs[input].type == ElementType::i64;
  }

  // Waits for the answer, the first time that an array serves as offsets: kernels trust them.
  void check_offsets(size_t input, int64_t count) {
    if (call_.buffers[input]->are_offsets_of(count)) return;
    constexpr int64_t none = 0x7fffffff7fffffff;
    const Temporary found(memory(), 16);
    fill(found.address(), 16, 0x7fffffff);
    gpu::SegmentArguments a{};
    set_offsets(a, input);
    a.elements = count;
    a.out = found.address();
    launch_for_each("check_offsets", a.offset_count, a);
    std::array<int64_t, 2> answer{};
    memory().to_host(answer.data(), static_cast<uint64_t>(found.address()), sizeof answer);
    const int64_t wrong = answer[0];
    if (wrong == none) return call_.buffers[input]->note_offsets_of(count, -answer[1]);
    const int64_t bytes = a.wide_offsets ? 8 : 4, first = std::max<int64_t>(wrong - 1, 0);
    std::vector<char> host(static_cast<size_t>(a.offset_count * bytes));
    memory().to_host(host.data() + first * bytes, static_cast<uint64_t>(a.offsets + first * bytes),
                     static_cast<size_t>((wrong - first + 1) * bytes));
    ir::Offsets(host.data(), step_.inputs[input].type, a.offset_count)
        .refuse(wrong, count, ir::kind_name(step_.kind), call_.where);
  }

  // ---- scan

  void scan() {
    const int64_t n = step_.shape.size(), row = step_.shape[step_.shape.rank - 1];
    const bool has_offsets = step_.inputs.size() > 1, segmented = has_offsets || row != n;
    const int64_t blocks = parts(n, gpu::scan_block(size_));
    const int64_t tiles = blocks * gpu::scan_block(size_) / gpu::tile_size;
    const int64_t state_bytes = 8 * gpu::state_words(size_) * tiles;
    const Temporary states(memory(), state_bytes);
    gpu::ScanArguments a{};
    a.elements = n;
    a.out = call_.output;
    a.states = states.address();
    a.exclusive = step_.mode;
    a.row = row;
    if (has_offsets) {
      check_offsets(1, n);
      set_offsets(a, 1);
    }
    fill(a.states, state_bytes, 0);
    codegen::GpuPrimitive scan =
        primitive((segmented ? "segmented_scan_" : "scan_") + unsigned_name(size_), Uses::elements,
                  gpu::scan_resident, gpu::scan_threads(size_));
    if (step_.consumer) {
      scan.consumer = &step_.consumer->kernel;
      scan.consumed = step_.consumed();
    }
    launch(scan, blocks, a);
  }

  void pack() {
    const int64_t n = elements(0), blocks = parts(n, gpu::scan_block(size_));
    const Temporary states(memory(), 8 * blocks), found(memory(), 8);
    gpu::PackArguments a{};
    a.elements = n;
    a.values = call_.inputs[1];
    a.out = call_.output;
    a.count = step_.shape[0];
    a.found = step_.mode == ir::pack_all ? found.address() : 0;
    a.states = states.address();
    fill(a.states, 8 * blocks, 0);
    combined_ = ElementType::b8;
    reduction_ = Reduction::any;
    launch(primitive("pack_" + unsigned_name(size_), Uses::elements, gpu::scan_resident,
                     gpu::scan_threads(size_)),
           blocks, a);
    if (a.found == 0) return;
    int64_t elements = 0;
    memory().to_host(&elements, static_cast<uint64_t>(a.found), sizeof elements);
    call_.target->note_found(elements);
  }

  // ---- segmented reduction

  void segmented_reduce() {
    const int64_t n = elements(0), segments = elements(1) - 1;
    check_offsets(1, n);
    const int64_t average = parts(n, segments), longest = call_.buffers[1]->longest_segment();
    const bool few_threads = average <= most_of_few;
    const int64_t most = few_threads ? gpu::staged_elements - gpu::piece_size : gpu::wide_tile;
    // Segments that are left to the long kernels, and their tiles.
    const int64_t most_long = longest > most ? n / most + 1 : 0;
    const int64_t most_tiles = most_long ? n / gpu::wide_tile + most_long : 0;
    const Temporary count(memory(), 8), list(memory(), 16 * most_long),
        totals(memory(), size_ * most_tiles);
    gpu::ReduceArguments a{};
    a.elements = n;
    set_offsets(a, 1);
    a.out = call_.output;
    a.long_count = count.address();
    a.long_list = list.address();
    a.totals = totals.address();
    if (most_long) fill(count.address(), 8, 0);
    if (few_threads)
      reduce_few(a, segments, average, longest);
    else
      launch(primitive("reduce_warps_" + unsigned_name(size_), Uses::elements),
             std::min(parts(segments, gpu::block_warps), int64_t{1} << 20), a);
    if (most_long) {
      launch(primitive("reduce_tiles_" + unsigned_name(size_), Uses::elements),
             std::min(parts(most_tiles, gpu::block_warps), int64_t{1} << 20), a);
      launch(primitive("reduce_totals_" + unsigned_name(size_), Uses::elements),
             std::min(parts(most_long, gpu::block_warps), filling_blocks), a);
    }
  }

  // Most blocks find room for their segments in shared memory, most segments for themselves in the
  // lanes of their threads.
  void reduce_few(gpu::ReduceArguments& a, int64_t segments, int64_t average, int64_t longest) {
    const int64_t most_lanes = std::min(longest, 2 * average);
    a.threads = 1;
    while (a.threads < 16 && a.threads * gpu::kept_lanes < most_lanes) a.threads *= 2;
    const int64_t room = gpu::staged_elements * 7 / 8 / std::max<int64_t>(average, 1);
    a.segments = std::clamp<int64_t>(room / gpu::warp_size * gpu::warp_size, gpu::warp_size,
                                     gpu::staged_segments);
    launch(primitive("reduce_few_" + unsigned_name(size_), Uses::elements, gpu::reduce_resident),
           parts(segments, a.segments), a);
  }

  // ---- scatter

  void scatter() {
    const auto collision = static_cast<Collision>(step_.mode);
    gpu::ScatterArguments a{};
    a.count = elements(1);
    a.places = step_.shape.size();
    a.rank = step_.shape.rank;
    a.wide_indices = step_.inputs[2].type == ElementType::i64;
    for (int axis = 0; axis < step_.shape.rank; ++axis) {
      a.extents[axis] = step_.shape[axis];
      a.indices[axis] = call_.inputs[static_cast<size_t>(axis) + 2];
    }
    a.values = call_.inputs[1];
    a.out = call_.output;
    if (call_.output != call_.inputs[0]) copy(call_.output, call_.inputs[0], a.places * size_);
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
    // Sums of floating-point numbers depend on their order; the others do not.
    const bool ordered = collision == Collision::sum && is_floating(step_.type);
    if (!ordered && collision == Collision::sum && size_ >= 4)
      return launch_for_each("scatter_add_" + unsigned_name(size_), a.count, a);
    if (!ordered && size_ >= 4)
      return launch_for_each("scatter_combine_" + unsigned_name(size_), a.count, a,
                             Uses::operation);
    scatter_in_order(a);
  }

  void scatter_one_of_them(gpu::ScatterArguments& a, bool first) {
    const Temporary winners(memory(), 8 * a.places);
    a.winners = winners.address();
    a.first = first;
    fill(a.winners, 8 * a.places, 0);
    launch_for_each("scatter_compete", a.count, a);
    launch_for_each("scatter_winners_" + unsigned_name(size_), a.places, a);
  }

  // The values sorted by their places: stable, so those of one place stay in order.
  void scatter_in_order(gpu::ScatterArguments& a) {
    const int64_t n = a.count;
    const Temporary keys(memory(), 8 * n), sorted_keys(memory(), 8 * n), order(memory(), 8 * n),
        values(memory(), size_ * n);
    a.keys = keys.address();
    launch_for_each("scatter_keys", n, a);
    SortCall call{n, 8, gpu::unsigned_key, false, bytes_needed(static_cast<uint64_t>(a.places))};
    call.keys = keys.address();
    call.sorted_keys = sorted_keys.address();
    call.value_bytes = 8;
    call.out = order.address();
    radix_sort(call);
    launch_for_each("gather_" + unsigned_name(size_), n,
                    gpu::GatherArguments{n, a.values, order.address(), 1, values.address()});
    a.keys = sorted_keys.address();
    a.values = values.address();
    launch_for_each("scatter_runs_" + unsigned_name(size_), n, a, Uses::operation);
  }

  // ---- sort

  struct SortCall {
    int64_t count;
    int key_bytes;
    gpu::KeyKind kind;
    bool descending;
    int passes;  // bytes of the key that are looked at
    int64_t keys = 0;
    int64_t sorted_keys = 0;  // 0: not wanted
    int value_bytes = 0;      // 0: no values; 4 or 8
    int64_t values = 0;       // 0: positions
    int64_t out = 0;          // of the values
  };

  // The last pass ends where the results are wanted; the others go to and fro.
  void radix_sort(const SortCall& s) {
    const int64_t tile = gpu::sort_tile(std::max(s.key_bytes, s.value_bytes));
    const int64_t tiles = parts(s.count, tile), count_bytes = 8 * gpu::digits * s.key_bytes;
    const bool narrow = s.count <= gpu::most_narrow_elements;
    const int64_t state_bytes = (narrow ? 4 : 8) * gpu::digits * tiles;
    const Temporary counters(memory(), count_bytes + s.passes * state_bytes);
    const Temporary other_keys(memory(), s.count * s.key_bytes),
        more_keys(memory(), s.sorted_keys ? 0 : s.count * s.key_bytes),
        other_values(memory(), s.count * s.value_bytes);
    const int64_t key_end = s.sorted_keys ? s.sorted_keys : more_keys.address();
    gpu::SortArguments a{};
    a.elements = s.count;
    a.counts = counters.address();
    a.keys = s.keys;
    a.values = s.values;
    fill(counters.address(), count_bytes + s.passes * state_bytes, 0);
    const std::string key = unsigned_name(s.key_bytes);
    codegen::GpuPrimitive count = primitive("sort_count_" + key, Uses::nothing);
    codegen::GpuPrimitive pass =
        primitive((narrow ? "sort_pass_" : "sort_many_") + key +
                      (s.value_bytes ? "_" + unsigned_name(s.value_bytes) : ""),
                  Uses::nothing, s.value_bytes ? gpu::sort_pairs_resident : gpu::sort_resident,
                  gpu::sort_threads);
    for (codegen::GpuPrimitive* of_keys : {&count, &pass}) {
      of_keys->key_kind = s.kind;
      of_keys->descending = s.descending;
    }
    launch(count, std::min(parts(s.count, 16 * gpu::block_threads), filling_blocks), a);
    launch(primitive("sort_starts", Uses::nothing), s.key_bytes, a);
    for (int i = 0; i < s.passes; ++i) {
      const bool to_end = (s.passes - i) % 2 == 1;
      a.key_target = to_end ? key_end : other_keys.address();
      a.value_target = to_end ? s.out : other_values.address();
      a.byte = i;
      a.states = counters.address() + count_bytes + i * state_bytes;
      launch(pass, tiles, a);
      a.keys = a.key_target;
      a.values = a.value_target;
    }
  }

  void sort() {
    const bool gives_values = step_.kind == Kind::sort_values;
    const size_t offsets_input = gives_values ? 2 : 1;
    if (step_.inputs.size() > offsets_input) return sort_segments(offsets_input);
    const int64_t n = elements(0);
    const int key_bytes = size_of(step_.inputs[0].type);
    SortCall s{n, key_bytes, key_kind(step_.inputs[0].type), step_.mode != 0, key_bytes};
    s.keys = call_.inputs[0];
    if (gives_values && step_.inputs[0] == step_.inputs[1]) {
      s.sorted_keys = call_.output;
      return radix_sort(s);
    }
    if (size_ >= 4) {
      s.value_bytes = size_;
      s.values = gives_values ? call_.inputs[1] : 0;
      s.out = call_.output;
      return radix_sort(s);
    }
    const Temporary order(memory(), 8 * n);
    s.value_bytes = 8;
    s.out = order.address();
    radix_sort(s);
    gather_values(order.address());
  }

  void gather_values(int64_t order) {
    launch_for_each("gather_" + unsigned_name(size_), elements(0),
                    gpu::GatherArguments{elements(0), call_.inputs[1], order, 1, call_.output});
  }

  // All keys first, then, stably, by their segments.
  void sort_segments(size_t offsets_input) {
    const int64_t n = elements(0);
    check_offsets(offsets_input, n);
    const int key_bytes = size_of(step_.inputs[0].type);
    const Temporary order(memory(), 8 * n), segments(memory(), 4 * n), ids(memory(), 4 * n),
        final_order(memory(), 8 * n);
    SortCall by_key{n, key_bytes, key_kind(step_.inputs[0].type), step_.mode != 0, key_bytes};
    by_key.keys = call_.inputs[0];
    by_key.value_bytes = 8;
    by_key.out = order.address();
    radix_sort(by_key);
    element_segments(offsets_input, segments.address(), n);
    launch_for_each("gather_u32", n,
                    gpu::GatherArguments{n, segments.address(), order.address(), 1, ids.address()});
    SortCall by_segment{n, 4, gpu::unsigned_key, false,
                        std::min(4, bytes_needed(static_cast<uint64_t>(elements(offsets_input))))};
    by_segment.keys = ids.address();
    by_segment.value_bytes = 8;
    by_segment.values = order.address();
    by_segment.out = final_order.address();
    radix_sort(by_segment);
    if (step_.kind == Kind::sort_values)
      gather_values(final_order.address());
    else
      launch_for_each("narrow", n,
                      gpu::NarrowArguments{n, final_order.address(), call_.output, size_ == 8});
  }

  // ---- searches

  void element_segments(size_t input, int64_t out, int64_t count = -1) {
    gpu::SegmentArguments a{};
    set_offsets(a, input);
    a.elements = count >= 0 ? count : step_.shape[0];
    a.out = out;
    launch_for_each("element_segments", a.elements, a);
  }

  void search_sorted() {
    gpu::SearchArguments a{};
    a.count = elements(1);
    a.queries = call_.inputs[1];
    a.sorted = call_.inputs[0];
    a.elements = elements(0);
    a.out = call_.output;
    a.wide_out = step_.type == ElementType::i64;
    a.right_side = step_.mode;
    codegen::GpuPrimitive search =
        primitive("search_sorted_" + unsigned_name(size_of(step_.inputs[0].type)), Uses::nothing);
    search.key_kind = key_kind(step_.inputs[0].type);
    launch(search, blocks_for_each(a.count), a);
  }

  PrimitiveLauncher& launcher_;
  const passes::PrimitiveStep& step_;
  const PrimitiveCall& call_;
  const int size_;
  ElementType combined_ = step_.type;
  Reduction reduction_ = step_.reduction;
};

}  // namespace

bool can_run(const passes::PrimitiveStep& step) {
  if (!codegen::has_gpu_primitives()) return false;
  if (ir::computes_input(step.kind) && !step.elements) return false;  // segments of nothing
  return !step.elements ||
         codegen::words_of(&step.elements->kernel) +
                 codegen::words_of(step.consumer ? &step.consumer->kernel : nullptr) +
                 codegen::argument_words <=
             codegen::most_parameter_words;
}

void run_primitive(PrimitiveLauncher& launcher, const passes::PrimitiveStep& step,
                   const PrimitiveCall& call) {
  PrimitiveRun(launcher, step, call).run();
}

}  // namespace tutti::runtime::cuda
