// Random graphs: a seed in, the same nodes out, as often as wanted. Shapes stay small and around
// the vector widths; every kind of node, element type and boundary rule occurs, and values are
// shared.
#pragma once
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti::testing {

using detail::Extents;
using detail::NodeRef;

class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed) : random_(seed) {}

  // A few results over one graph.
  std::vector<NodeRef> build() {
    const int sources = 2 + pick(4), operations = 1 + pick(30);
    for (int i = 0; i < sources; ++i) add(source());
    for (int i = 0; i < operations; ++i) add(operation());
    std::vector<NodeRef> roots{nodes_.back()};
    for (int i = pick(3); i > 0; --i) roots.push_back(any());
    return roots;
  }

 private:
  static constexpr std::source_location nowhere{};

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  const NodeRef& any() {
    return nodes_[nodes_.size() - 1 -
                  static_cast<size_t>(pick(static_cast<int>(std::min<size_t>(nodes_.size(), 8))))];
  }
  void add(NodeRef node) { nodes_.push_back(std::move(node)); }
  static const Extents& shape(const NodeRef& node) { return detail::shape_of(node, "test"); }

  ElementType type() {
    static constexpr ElementType types[] = {
        ElementType::f32, ElementType::f32, ElementType::f64, ElementType::i32, ElementType::i32,
        ElementType::b8,  ElementType::f16, ElementType::u8,  ElementType::i8,  ElementType::i16,
        ElementType::u16, ElementType::u32, ElementType::i64, ElementType::u64};
    return types[pick(std::size(types))];
  }

  int64_t extent() {
    static constexpr int64_t extents[] = {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 40};
    if (chance(2)) return 0;
    if (chance(3)) return 200 + pick(100);
    return extents[pick(std::size(extents))];
  }

  Extents random_shape() {
    Extents s;
    const int rank = pick(4);
    for (int i = 0; i < rank; ++i)
      s.push_back(rank == 3 ? std::min<int64_t>(extent(), 17) : extent());
    // Rows long enough for whole tiles on a GPU.
    if (rank > 0 && chance(10)) s[rank - 1] = 130 + pick(300);
    return s;
  }

  // Numbers worth meeting: small ones mostly, then extremes.
  double number() {
    switch (pick(12)) {
      case 0:
        return 0;
      case 1:
        return -0.0;
      case 2:
        return 1;
      case 3:
        return static_cast<double>(random_()) * 1e-3;
      case 4:
        return -1e30;
      case 5:
        return 1e-40;
      default:
        return static_cast<double>(static_cast<int64_t>(random_() % 2001) - 1000) / 16.0;
    }
  }

  NodeRef source() {
    const Extents s = random_shape();
    const ElementType t = type();
    if (chance(10)) return detail::constant(convert(scalar_value(number()), t), s, nowhere);
    if (chance(10) && s.rank > 0) return detail::index(s, pick(s.rank), nowhere);
    const auto size = static_cast<size_t>(size_of(t));
    std::vector<std::byte> bytes(static_cast<size_t>(s.size()) * size);
    for (size_t i = 0; i < bytes.size(); i += size) {
      const ScalarValue value = convert(scalar_value(number()), t);
      std::memcpy(bytes.data() + i, &value.bits, size);
    }
    return detail::from_host(t, s, bytes.data(), static_cast<size_t>(s.size()), nowhere);
  }

  NodeRef operation() {
    const NodeRef a = any();
    switch (pick(14)) {
      case 0:
      case 1:
        return transformation(a);
      case 2:
        return shape(a).rank > 0 ? transformation(a) : unary(a);
      case 3:
        return reduction(a);
      case 4:
        return gather(a);
      case 5:
        return detail::cast(a, type(), nowhere);
      case 6:
        return unary(a);
      case 7:
        return chance(30) ? product(a) : stencil(a);
      case 8:
        return chance(50) ? stencil(a) : source();
      case 9:
        return choose(a);
      default:
        return binary(a);
    }
  }

  Boundary boundary() {
    switch (pick(3)) {
      case 0:
        return Boundary::constant(number());
      case 1:
        return Boundary::clamp();
      default:
        return Boundary::wrap();
    }
  }

  NodeRef shifted(const NodeRef& a, int reach) {
    std::vector<int64_t> by;
    for (int i = 0; i < shape(a).rank; ++i) by.push_back(pick(2 * reach + 1) - reach);
    return detail::shift(a, by, boundary(), 0, nowhere);
  }

  NodeRef transformation(const NodeRef& a) {
    const Extents& s = shape(a);
    if (s.rank == 0) return detail::add_dimension(a, 0, extent(), nowhere);
    const bool empty = s.size() == 0;
    switch (pick(9)) {
      case 0:
        return shifted(a, 40);
      case 1: {
        std::vector<Range> ranges;
        for (int64_t n : s) {
          if (n == 0) {
            ranges.push_back({0, 0, 1});
            continue;
          }
          const int64_t begin = pick(static_cast<int>(n)), stride = 1 + pick(3);
          if (chance(30))
            ranges.push_back({begin, begin / stride + 1, -stride});
          else
            ranges.push_back({begin, (n - 1 - begin) / stride + 1, stride});
        }
        return detail::section(a, ranges, nowhere);
      }
      case 2: {
        if (empty) return a;
        Extents to;
        for (int i = 0; i < s.rank; ++i) to.push_back(s.rank == 3 ? 1 + pick(12) : 1 + pick(60));
        return detail::replicate(a, to, nowhere);
      }
      case 3: {
        if (empty || s.size() > 4000) return shifted(a, 3);
        std::vector<Margin> margins;
        for (int i = 0; i < s.rank; ++i) margins.push_back({pick(5), pick(20)});
        return detail::expand(a, margins, boundary(), 0, "expand", nowhere);
      }
      case 4:
      case 5: {
        std::vector<int64_t> axes;
        for (int i = 0; i < s.rank; ++i) axes.push_back(i);
        std::shuffle(axes.begin(), axes.end(), random_);
        return detail::transpose(a, axes, nowhere);
      }
      case 6:
        return empty ? a : detail::drop_dimension(a, pick(s.rank), nowhere);
      case 7:
        return s.rank < 4 && s.size() < 3000
                   ? detail::add_dimension(a, pick(s.rank + 1), 1 + pick(4), nowhere)
                   : a;
      default: {
        Extents flat;
        flat.push_back(s.size());
        return detail::reshape(a, flat, nowhere);
      }
    }
  }

  NodeRef reduction(const NodeRef& a) {
    const int rank = shape(a).rank;
    if (rank == 0) return unary(a);
    std::vector<int> axes;
    for (int i = 0; i < rank; ++i)
      if (chance(50)) axes.push_back(i);
    if (axes.empty()) axes.push_back(pick(rank));
    const bool logical = chance(20);
    const NodeRef input = logical ? detail::cast(a, ElementType::b8, nowhere) : numeric(a);
    const auto reduction = static_cast<Reduction>(logical ? 4 + pick(2) : pick(4));
    return detail::reduce(reduction, input, axes, nowhere);
  }

  NodeRef numeric(const NodeRef& a) {
    return type_of(a) == ElementType::b8 ? detail::cast(a, ElementType::i32, nowhere) : a;
  }

  // The element type of a node is not public; reduce() on a type it refuses tells bool from others.
  ElementType type_of(const NodeRef& a);

  NodeRef gather(const NodeRef& a) {
    const Extents& s = shape(a);
    if (s.rank == 0) return unary(a);
    const NodeRef like = any();
    std::vector<NodeRef> indices;
    const NodeRef first = detail::cast(like, ElementType::i32, nowhere);
    for (int i = 0; i < s.rank; ++i) {
      NodeRef index = first;
      if (chance(50)) {
        const NodeRef inputs[] = {first, detail::constant(scalar_value(pick(9)), {}, nowhere)};
        index = detail::elementwise(chance(50) ? Op::multiply : Op::add, inputs, nowhere);
      }
      indices.push_back(index);
    }
    const Boundary rule = s.size() == 0 ? Boundary::constant(1) : boundary();
    return detail::gather(a, indices, rule, 0, nowhere);
  }

  NodeRef unary(const NodeRef& a) {
    static constexpr Op arithmetic[] = {Op::negate, Op::abs, Op::sign};
    static constexpr Op floating[] = {Op::sqrt, Op::exp,   Op::sin,       Op::floor, Op::log,
                                      Op::tanh, Op::round, Op::cos,       Op::rint,  Op::atan,
                                      Op::erf,  Op::cbrt,  Op::reciprocal};
    static constexpr Op integer[] = {Op::bit_not, Op::popcount, Op::leading_zeros,
                                     Op::trailing_zeros};
    const ElementType t = type_of(a);
    const NodeRef inputs[] = {a};
    if (t == ElementType::b8) return detail::elementwise(Op::logical_not, inputs, nowhere);
    if (is_floating(t) && chance(60))
      return detail::elementwise(floating[pick(std::size(floating))], inputs, nowhere);
    if (is_integer(t) && chance(40))
      return detail::elementwise(integer[pick(std::size(integer))], inputs, nowhere);
    return detail::elementwise(arithmetic[pick(std::size(arithmetic))], inputs, nowhere);
  }

  // Something of the same shape and type as a, or a scalar.
  NodeRef partner(const NodeRef& a) {
    const ElementType t = type_of(a);
    for (int tries = 0; tries < 6; ++tries) {
      const NodeRef& b = any();
      if (shape(b).rank == 0 || shape(b) == shape(a)) return detail::cast(b, t, nowhere);
    }
    if (chance(40)) return detail::constant(convert(scalar_value(number()), t), {}, nowhere);
    if (chance(50) && shape(a).rank > 0)
      return detail::shift(a, std::vector<int64_t>(static_cast<size_t>(shape(a).rank), 1),
                           boundary(), 0, nowhere);
    return a;
  }

  NodeRef binary(const NodeRef& a) {
    static constexpr Op arithmetic[] = {Op::add,      Op::subtract, Op::multiply, Op::divide,
                                        Op::min,      Op::max,      Op::add,      Op::subtract,
                                        Op::multiply, Op::remainder};
    static constexpr Op integer[] = {Op::bit_and, Op::bit_or, Op::bit_xor, Op::shift_left,
                                     Op::shift_right};
    static constexpr Op compare[] = {Op::equal,      Op::not_equal, Op::less,
                                     Op::less_equal, Op::greater,   Op::greater_equal};
    static constexpr Op logical[] = {Op::logical_and, Op::logical_or, Op::logical_xor};
    static constexpr Op floating[] = {Op::atan2, Op::hypot, Op::copysign,
                                      Op::fmin,  Op::fmax,  Op::pow};
    const ElementType t = type_of(a);
    const NodeRef inputs[] = {a, partner(a)};
    if (chance(15)) return detail::elementwise(compare[pick(std::size(compare))], inputs, nowhere);
    if (t == ElementType::b8)
      return detail::elementwise(logical[pick(std::size(logical))], inputs, nowhere);
    if (is_integer(t) && chance(30))
      return detail::elementwise(integer[pick(std::size(integer))], inputs, nowhere);
    if (is_floating(t) && chance(15))
      return detail::elementwise(floating[pick(std::size(floating))], inputs, nowhere);
    return detail::elementwise(arithmetic[pick(std::size(arithmetic))], inputs, nowhere);
  }

  NodeRef choose(const NodeRef& a) {
    const NodeRef b = partner(a);
    const NodeRef pair[] = {a, b};
    const NodeRef inputs[] = {detail::elementwise(Op::less, pair, nowhere), a, b};
    return detail::elementwise(Op::choose, inputs, nowhere);
  }

  // A weighted sum of neighbours under one boundary rule.
  NodeRef stencil(const NodeRef& a) {
    if (shape(a).rank == 0) return unary(a);
    const NodeRef from = numeric(a);
    NodeRef total = from;
    for (int taps = 1 + pick(4); taps > 0; --taps) {
      const NodeRef inputs[] = {total, shifted(from, 3)};
      total = detail::elementwise(Op::add, inputs, nowhere);
    }
    return total;
  }

  NodeRef product(const NodeRef& a) {
    const Extents& s = shape(a);
    if (s.rank == 0 || s.rank > 2) return stencil(a);
    const NodeRef from = numeric(a);
    std::vector<int64_t> axes;
    for (int i = s.rank; i-- > 0;) axes.push_back(i);
    return detail::inner_product(from, detail::transpose(from, axes, nowhere), nowhere);
  }

  std::mt19937_64 random_;
  std::vector<NodeRef> nodes_;
};

}  // namespace tutti::testing
