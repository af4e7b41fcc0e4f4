#include "reference/primitives.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

#include "graph/build_primitives.hpp"
#include "graph/segment_offsets.hpp"
#include "numerics/scan_tree.hpp"
#include "numerics/sort_key.hpp"
#include "reference/elements.hpp"

namespace tutti::ir {
namespace {

class PrimitiveInterpreter {
 public:
  PrimitiveInterpreter(const Node& node, std::span<const View> inputs, Bytes& out)
      : node_(node), inputs_(inputs), out_(out) {}

  void run() {
    switch (node_.kind) {
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  case Kind::id:                                                                   \
    return id();
#include "tutti/detail/kinds.def"
      default:
        throw InternalError("interpret_primitive: not a primitive");
    }
  }

 private:
  void scan() {
    visit_type(node_.type, [&](auto tag) { scan_of<typename decltype(tag)::type>(); });
  }
  void segmented_reduce() {
    visit_type(node_.type, [&](auto tag) { reduce_of<typename decltype(tag)::type>(); });
  }
  void scatter() {
    visit_type(node_.type, [&](auto tag) { scatter_of<typename decltype(tag)::type>(); });
  }
  void sort_permutation() { sort(); }
  void sort_values() { sort(); }
  void sort() {
    visit_type(input_node(0).type, [&](auto tag) { sort_of<typename decltype(tag)::type>(); });
  }
  void top_k() {
    visit_type(input_node(0).type, [&](auto tag) { top_k_of<typename decltype(tag)::type>(); });
  }
  void checked_offsets() {
    offsets(0, node_.get<OffsetRule>() == OffsetRule::ascend ? Offsets::any_number
                                                             : input_node(1).shape[0]);
    out_.assign(inputs_[0].begin(), inputs_[0].end());
  }
  void search_sorted() {
    visit_type(input_node(0).type, [&](auto tag) { search_of<typename decltype(tag)::type>(); });
  }

  const Node& input_node(size_t i) const { return *node_.inputs()[i]; }
  int64_t elements() const { return input_node(0).shape.size(); }

  // Returns the offsets in input i. Without them all elements are one segment.
  std::vector<int64_t> offsets(size_t i, int64_t elements) const {
    if (i >= inputs_.size()) return {0, elements};
    const Offsets given(inputs_[i].data(), input_node(i).type, input_node(i).shape[0]);
    given.check(elements, kind_name(node_.kind), node_.where);
    std::vector<int64_t> result;
    for (int64_t s = 0; s <= given.segments(); ++s) result.push_back(given[s]);
    return result;
  }

  // ---- scan: the tree of scan_tree.hpp

  template <class T>
  struct Flagged {
    bool head = false;
    T value{};
  };
  template <class T>
  Flagged<T> join(const Flagged<T>& a, const Flagged<T>& b) const {
    return {a.head || b.head, b.head ? b.value : combine<T>(node_.reduction, a.value, b.value)};
  }
  // x[i] = x[i - d] (+) x[i] for d = 1, 2, 4, ... within `count` elements.
  template <class T>
  void double_up(Flagged<T>* x, int64_t count) const {
    for (int64_t d = 1; d < count; d *= 2)
      for (int64_t i = count - 1; i >= d; --i) x[i] = join(x[i - d], x[i]);
  }

  template <class T>
  void scan_of() {
    const int64_t n = elements(), row = n ? input_node(0).shape[input_node(0).shape.rank - 1] : 1;
    std::vector<bool> heads(static_cast<size_t>(n), false);
    if (inputs_.size() > 1) {
      for (int64_t offset : offsets(1, n))
        if (offset < n) heads[static_cast<size_t>(offset)] = true;
    } else {
      for (int64_t i = 0; i < n; i += row) heads[static_cast<size_t>(i)] = true;
    }
    const Flagged<T> neutral{false, identity<T>(node_.reduction)};
    Flagged<T> before_tile = neutral;
    for (int64_t tile = 0; tile < n; tile += scan_tile) {
      Flagged<T> before_chunk = neutral;
      for (int64_t chunk = tile; chunk < std::min(n, tile + scan_tile); chunk += scan_chunk) {
        std::vector<Flagged<T>> x(scan_chunk, neutral), totals(scan_chunk_groups);
        for (int64_t i = chunk; i < std::min(n, chunk + scan_chunk); ++i)
          x[static_cast<size_t>(i - chunk)] = {heads[static_cast<size_t>(i)],
                                               load<T>(inputs_[0], i)};
        for (int64_t g = 0; g < scan_chunk_groups; ++g) {
          double_up(x.data() + g * scan_group, scan_group);
          totals[static_cast<size_t>(g)] = x[static_cast<size_t>(g * scan_group + scan_group - 1)];
        }
        double_up(totals.data(), scan_chunk_groups);
        for (int64_t i = chunk; i < std::min(n, chunk + scan_chunk); ++i) {
          const int64_t k = i - chunk, g = k / scan_group;
          const Flagged<T> groups = g ? totals[static_cast<size_t>(g - 1)] : neutral;
          const Flagged<T> before = join(join(before_tile, before_chunk), groups);
          if (node_.get<ScanForm>() == ScanForm::inclusive)
            store(out_, i, join(before, x[static_cast<size_t>(k)]).value);
          else if (heads[static_cast<size_t>(i)])
            store(out_, i, from_bits<T>(empty_result(node_.reduction, node_.type).bits));
          else if (k % scan_group == 0)
            store(out_, i, before.value);
          else
            store(out_, i, join(before, x[static_cast<size_t>(k - 1)]).value);
        }
        before_chunk = join(before_chunk, totals.back());
      }
      before_tile = join(before_tile, before_chunk);
    }
  }

  // ---- segmented reduction: each segment as if it were alone

  template <class T>
  void reduce_of() {
    const std::vector<int64_t> ends = offsets(1, elements());
    for (size_t s = 0; s + 1 < ends.size(); ++s) {
      std::vector<T> segment;
      for (int64_t i = ends[s]; i < ends[s + 1]; ++i) segment.push_back(load<T>(inputs_[0], i));
      store(out_, static_cast<int64_t>(s),
            reduce_tree<T>(node_.reduction, std::move(segment), true));
    }
  }

  // ---- scatter: one value after the other

  // Returns the position in base that receives value i, or -1.
  int64_t place(int64_t i) const {
    int64_t position = 0;
    for (int axis = 0; axis < node_.shape.rank; ++axis) {
      const auto k = static_cast<size_t>(axis + 2);
      const int64_t at = input_node(k).type == ElementType::i64 ? load<int64_t>(inputs_[k], i)
                                                                : load<int32_t>(inputs_[k], i);
      if (at < 0 || at >= node_.shape[axis]) return -1;
      position = position * node_.shape[axis] + at;
    }
    return position;
  }

  template <class T>
  void scatter_of() {
    out_.assign(inputs_[0].begin(), inputs_[0].end());
    std::vector<bool> written(static_cast<size_t>(node_.shape.size()), false);
    for (int64_t i = 0; i < input_node(1).shape.size(); ++i) {
      const int64_t at = place(i);
      if (at < 0) continue;
      T value = load<T>(inputs_[1], i);
      const T there = load<T>(out_, at);
      switch (node_.get<Collision>()) {
        case Collision::sum:
          value = combine<T>(Reduction::sum, there, value);
          break;
        case Collision::min:
          value = combine<T>(*canonical_reduction(Reduction::min, node_.type), there, value);
          break;
        case Collision::max:
          value = combine<T>(*canonical_reduction(Reduction::max, node_.type), there, value);
          break;
        case Collision::first:
          if (written[static_cast<size_t>(at)]) value = there;
          break;
        case Collision::any:
        case Collision::last:
          break;
      }
      written[static_cast<size_t>(at)] = true;
      store(out_, at, value);
    }
  }

  void write_section() {
    const auto size = static_cast<size_t>(size_of(node_.type));
    const Extents& part = input_node(0).shape;
    if (inputs_.size() > 1)
      out_.assign(inputs_[1].begin(), inputs_[1].end());
    else
      out_.assign(static_cast<size_t>(node_.shape.size()) * size, {});
    for (int64_t i = 0; i < part.size(); ++i) {
      int64_t at = 0, stride = 1, rest = i;
      for (int axis = part.rank - 1; axis >= 0; --axis) {
        const AxisMap& m = node_.map->axes[static_cast<size_t>(axis)];
        at += (m.offset + m.stride * (rest % part[axis])) * stride;
        rest /= part[axis];
        stride *= node_.shape[axis];
      }
      std::memcpy(out_.data() + static_cast<size_t>(at) * size,
                  inputs_[0].data() + static_cast<size_t>(i) * size, size);
    }
  }

  // ---- order

  template <class T>
  void sort_of() {
    const bool gives_values = node_.kind == Kind::sort_values;
    const int64_t n = elements();
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    const std::vector<int64_t> ends = offsets(gives_values ? 2 : 1, n);
    const bool descending = node_.get<SortOrder>() == SortOrder::descending;
    const auto key = [&](int64_t i) { return sort_key(load<T>(inputs_[0], i), descending); };
    for (size_t s = 0; s + 1 < ends.size(); ++s)
      std::stable_sort(order.begin() + ends[s], order.begin() + ends[s + 1],
                       [&](int64_t a, int64_t b) { return key(a) < key(b); });
    const auto size = static_cast<size_t>(size_of(node_.type));
    for (int64_t i = 0; i < n; ++i) {
      const int64_t from = order[static_cast<size_t>(i)];
      if (gives_values)
        std::memcpy(out_.data() + static_cast<size_t>(i) * size,
                    inputs_[1].data() + static_cast<size_t>(from) * size, size);
      else
        store_index(i, from);
    }
  }

  template <class T>
  void top_k_of() {
    const bool descending = node_.get<SortOrder>() == SortOrder::descending;
    const auto key = [&](int64_t i) { return sort_key(load<T>(inputs_[0], i), descending); };
    std::vector<int64_t> first(static_cast<size_t>(node_.shape[0]));
    std::ranges::partial_sort_copy(
        std::views::iota(int64_t{0}, elements()), first,
        [&](int64_t a, int64_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    for (size_t i = 0; i < first.size(); ++i) store_index(static_cast<int64_t>(i), first[i]);
  }

  void store_index(int64_t i, int64_t value) {
    if (node_.type == ElementType::i64)
      store(out_, i, value);
    else
      store(out_, i, static_cast<int32_t>(value));
  }

  void element_segments() {
    const std::vector<int64_t> ends = offsets(0, node_.shape[0]);
    for (size_t s = 0; s + 1 < ends.size(); ++s)
      for (int64_t i = ends[s]; i < ends[s + 1]; ++i) store(out_, i, static_cast<int32_t>(s));
  }

  void pack() {
    const auto size = static_cast<size_t>(size_of(node_.type));
    std::fill(out_.begin(), out_.end(), std::byte{0});
    size_t place = 0;
    for (int64_t i = 0; i < elements(); ++i)
      if (load<bool>(inputs_[0], i) && place < out_.size()) {
        std::memcpy(out_.data() + place, inputs_[1].data() + static_cast<size_t>(i) * size, size);
        place += size;
      }
  }

  template <class T>
  void search_of() {
    const int64_t n = elements();
    const bool right = node_.get<SearchSide>() == SearchSide::right;
    for (int64_t q = 0; q < node_.shape.size(); ++q) {
      const auto wanted = sort_key(load<T>(inputs_[1], q), false);
      int64_t low = 0, high = n;
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const auto key = sort_key(load<T>(inputs_[0], middle), false);
        if (right ? key <= wanted : key < wanted)
          low = middle + 1;
        else
          high = middle;
      }
      store_index(q, low);
    }
  }

  const Node& node_;
  std::span<const View> inputs_;
  Bytes& out_;
};

}  // namespace

void interpret_primitive(const Node& node, std::span<const View> inputs, Bytes& out) {
  PrimitiveInterpreter(node, inputs, out).run();
}

}  // namespace tutti::ir
