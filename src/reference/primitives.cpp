#include "reference/primitives.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

#include "graph/build_primitives.hpp"
#include "graph/segment_offsets.hpp"
#include "numerics/fourier.hpp"
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
  void fourier_lines() {
    if (node_.type == ElementType::f64)
      lines_of<double>();
    else
      lines_of<float>();
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
      const size_t k = static_cast<size_t>(axis) + 2;
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

  // ---- Fourier transforms: the stages of numerics/fourier.hpp, one output after the other

  template <class T>
  struct ComplexOf {
    T re{}, im{};
  };
  template <class T>
  static ComplexOf<T> root(int64_t t, int64_t n) {
    const Root exact = root_of_unity(t, n);
    return {static_cast<T>(exact.real), static_cast<T>(exact.imag)};
  }

  // Returns output k of a stage.
  template <class T>
  static ComplexOf<T> butterfly(std::span<const ComplexOf<T>> x, int64_t k) {
    const auto r = static_cast<int64_t>(x.size());
    if (r == 2) {
      const T sign = k == 0 ? T{1} : T{-1};
      return {x[0].re + sign * x[1].re, x[0].im + sign * x[1].im};
    }
    if (r == 4) {
      const T even = k % 2 == 0 ? T{1} : T{-1};
      const ComplexOf<T> a{x[0].re + even * x[2].re, x[0].im + even * x[2].im},
          b{x[1].re + even * x[3].re, x[1].im + even * x[3].im};
      if (k == 0) return {a.re + b.re, a.im + b.im};
      if (k == 1) return {a.re + b.im, a.im - b.re};
      if (k == 2) return {a.re - b.re, a.im - b.im};
      return {a.re - b.im, a.im + b.re};
    }
    ComplexOf<T> m = x[0], v;
    const int64_t mirrored = std::min(k, r - k);
    for (int64_t j = 1; j <= r / 2; ++j) {
      const ComplexOf<T> w = root<T>(j * mirrored % r, r);
      const ComplexOf<T>&a = x[static_cast<size_t>(j)], &b = x[static_cast<size_t>(r - j)];
      const T cosine = w.re, sine = -w.im;
      m = {m.re + cosine * (a.re + b.re), m.im + cosine * (a.im + b.im)};
      const ComplexOf<T> term{sine * (a.re - b.re), sine * (a.im - b.im)};
      v = j == 1 ? term : ComplexOf<T>{v.re + term.re, v.im + term.im};
    }
    if (k == 0) return m;
    if (k == mirrored) return {m.re + v.im, m.im - v.re};
    return {m.re - v.im, m.im + v.re};
  }

  // Applies a stage to a line whose sequences lie one after the other.
  template <class T>
  static std::vector<ComplexOf<T>> stage(const std::vector<ComplexOf<T>>& line, int64_t radix,
                                         int64_t rest, int64_t done) {
    std::vector<ComplexOf<T>> result(line.size());
    for (int64_t s = 0; s < done; ++s)
      for (int64_t p = 0; p < rest; ++p) {
        std::vector<ComplexOf<T>> x;
        for (int64_t i = 0; i < radix; ++i)
          x.push_back(line[static_cast<size_t>((s * radix + i) * rest + p)]);
        for (int64_t k = 0; k < radix; ++k) {
          ComplexOf<T> a = butterfly<T>(x, k);
          if (k > 0 && rest > 1) {
            const ComplexOf<T> w = root<T>(p * k % (radix * rest), radix * rest);
            a = {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
          }
          result[static_cast<size_t>((k * done + s) * rest + p)] = a;
        }
      }
    return result;
  }

  template <class T>
  void lines_of() {
    const auto form = node_.get<FourierLines>();
    const int64_t n = node_.shape[form.axis];
    const T scale = static_cast<T>(1 / static_cast<double>(n));
    int64_t inner = 1;  // adjacent lines
    for (int axis = form.axis + 1; axis < node_.shape.rank; ++axis) inner *= node_.shape[axis];
    for (int64_t line = 0; line < node_.shape.size() / n; ++line) {
      const int64_t first = line / inner * inner * n + line % inner;
      std::vector<ComplexOf<T>> x;
      for (int64_t i = 0; i < n; ++i)
        x.push_back(
            {load<T>(inputs_[0], first + i * inner), load<T>(inputs_[1], first + i * inner)});
      int64_t rest = n, done = 1;
      for (const int64_t radix : radices_of(n)) {
        rest /= radix;
        x = stage(x, radix, rest, done);
        done *= radix;
      }
      for (int64_t i = 0; i < n; ++i) {
        const ComplexOf<T>& value = x[static_cast<size_t>(i)];
        const T part = form.imaginary ? value.im : value.re;
        store(out_, first + i * inner, form.scaled ? part * scale : part);
      }
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
