// Sorts whole vectors and segments. Values of four and eight bytes are moved with their keys;
// others are gathered by the sorted order.
#include <mutex>

#include "core/elements/convert.hpp"
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/cpu/primitives/radix_sort.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

// Larger segments are sorted one after the other, each by all threads.
constexpr int64_t large_segment = 1 << 17;

template <class K, class V>
class SortRun {
 public:
  // Null values: positions, or no values at all.
  SortRun(const PrimitiveArguments& arguments, const V* values, void* out)
      : arguments_(arguments),
        n_(arguments.elements(0)),
        values_(values),
        out_(static_cast<Moved*>(out)) {
    other_ = allocate(static_cast<size_t>(n_) * sizeof(Moved));
    if (Task::has_values) key_memory_ = allocate(2 * static_cast<size_t>(n_) * sizeof(K));
  }

  void run(const ir::Offsets* offsets) {
    if (!offsets) return sort_range(0, n_, true);
    std::vector<int64_t> large;
    std::mutex mutex;
    in_segment_parts(*offsets, n_, 8, [&](int64_t first, int64_t last) {
      for (int64_t s = first; s < last; ++s) {
        const int64_t begin = (*offsets)[s], end = (*offsets)[s + 1];
        if (end - begin <= large_segment) {
          sort_range(begin, end, false);
          continue;
        }
        const std::lock_guard lock(mutex);
        large.push_back(s);
      }
    });
    for (int64_t s : large) sort_range((*offsets)[s], (*offsets)[s + 1], true);
  }

 private:
  using Task = SortTask<K, V>;
  using Moved = std::conditional_t<Task::has_values, V, K>;  // the type of the output

  void sort_range(int64_t begin, int64_t end, bool on_all_threads) {
    Task task;
    task.keys = arguments_.input<K>(0) + begin;
    if (values_) task.values = values_ + begin;
    task.first = begin;
    task.count = end - begin;
    task.descending = arguments_.step.get<ir::SortOrder>() == ir::SortOrder::descending;
    task.out = out_ + begin;
    task.other = static_cast<Moved*>(other_->data()) + begin;
    if (key_memory_) task.key_memory = static_cast<K*>(key_memory_->data()) + 2 * begin;
    RadixSort<K, V>(task).run(on_all_threads);
  }

  const PrimitiveArguments& arguments_;
  const int64_t n_;
  const V* values_;
  Moved* out_;
  ir::BufferRef other_, key_memory_;
};

constexpr int64_t gather_task = 1 << 16;

// Sorts positions and gathers the values: for values of one and two bytes.
template <class K, class V>
void sort_by_gathering(const PrimitiveArguments& arguments, const ir::Offsets* offsets) {
  const int64_t n = arguments.elements(0);
  const ir::BufferRef order = allocate(static_cast<size_t>(n) * sizeof(uint64_t));
  const auto* indices = static_cast<const uint64_t*>(order->data());
  SortRun<K, uint64_t>(arguments, nullptr, order->data()).run(offsets);
  in_parts(n, gather_task, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      arguments.output<V>()[i] = arguments.input<V>(1)[indices[i]];
  });
}

template <class K>
void sort_as(const PrimitiveArguments& arguments, const ir::Offsets* offsets) {
  void* out = arguments.output<void>();
  const int bytes = size_of(arguments.step.type);
  if (arguments.step.kind == ir::Kind::sort_permutation) {
    if (bytes == 4)
      SortRun<K, uint32_t>(arguments, nullptr, out).run(offsets);
    else
      SortRun<K, uint64_t>(arguments, nullptr, out).run(offsets);
  } else if (arguments.step.inputs[0] == arguments.step.inputs[1]) {
    SortRun<K, NoValue>(arguments, nullptr, out).run(offsets);
  } else if (bytes == 1) {
    sort_by_gathering<K, uint8_t>(arguments, offsets);
  } else if (bytes == 2) {
    sort_by_gathering<K, uint16_t>(arguments, offsets);
  } else if (bytes == 4) {
    SortRun<K, uint32_t>(arguments, arguments.input<uint32_t>(1), out).run(offsets);
  } else {
    SortRun<K, uint64_t>(arguments, arguments.input<uint64_t>(1), out).run(offsets);
  }
}

// `last` is the input with the offsets, if there are any.
void sort(const PrimitiveArguments& arguments, size_t last) {
  const bool segmented = arguments.step.inputs.size() > last;
  const ir::Offsets offsets = segmented ? arguments.checked_offsets(last, arguments.elements(0))
                                        : ir::Offsets(nullptr, {}, 0);
  visit_type(arguments.step.inputs[0].type, [&](auto tag) {
    sort_as<typename decltype(tag)::type>(arguments, segmented ? &offsets : nullptr);
  });
}

}  // namespace

void sort_permutation(const PrimitiveArguments& arguments) { sort(arguments, 1); }
void sort_values(const PrimitiveArguments& arguments) { sort(arguments, 2); }

}  // namespace tutti::runtime
