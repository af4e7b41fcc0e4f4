// Random vector primitives, compiled, against the reference interpreter, to the bit: scans,
// segmented forms, sorting, packing, scattering, searching and reductions, with operators of the
// table and of the user. Inputs lie in memory, are parts of larger arrays that begin anywhere, or
// are computed; lengths lie around the borders of tiles and blocks. TUTTI_TEST_PRIMITIVES and
// TUTTI_TEST_SEED ask for more and for others.
#include <gtest/gtest.h>

#include "graph/node.hpp"
#include "support/compare.hpp"
#include "support/random_values.hpp"
#include "support/seeds.hpp"

namespace tutti::test {
namespace {

using detail::Extents;
using detail::NodeRef;

// Builds the same nodes each time: a seed in, results out.
class RandomPrimitives {
 public:
  explicit RandomPrimitives(uint64_t seed) : random_(seed) {}

  std::vector<NodeRef> build() {
    size_ = length();
    std::vector<NodeRef> results;
    for (int i = random_.one_of({1, 1, 2, 3}); i > 0; --i) {
      NodeRef result = primitive();
      if (random_.chance(30)) result = consumer(result);
      results.push_back(result);
    }
    return results;
  }

  const std::string& text() const { return text_; }

 private:
  static constexpr std::source_location here{};

  int64_t length() {
    if (random_.chance(4)) return random_.between(100'000, 1'000'000);
    if (random_.chance(10)) return random_.between(0, 70'000);
    const int64_t border = int64_t{1} << random_.pick(17);
    return border + random_.one_of({-1, 0, 0, 1});
  }
  static Extents vector_of(int64_t n) { return Shape<1>(n).extents(); }

  NodeRef vector(ElementType type) { return vector(type, size_); }

  // A vector in memory, a part of something larger, or computed.
  NodeRef vector(ElementType type, int64_t n) {
    switch (random_.pick(8)) {
      case 0: {
        const Range part[] = {{random_.between(0, 9), n, 1}};
        return detail::section(random_.array(type, vector_of(part[0].begin + n + 3)), part, here);
      }
      case 1: {
        const Range part[] = {{n > 0 ? n - 1 : 0, n, n > 0 ? -1 : 1}};
        return detail::section(random_.array(type, vector_of(std::max<int64_t>(n, 1))), part, here);
      }
      case 2: {
        const Range part[] = {{random_.between(0, 4), n, 3}};
        return detail::section(random_.array(type, vector_of(part[0].begin + 3 * n + 1)), part,
                               here);
      }
      case 3: {  // a row that begins anywhere
        const int64_t row = random_.pick(3);
        const Range part[] = {{row, 1, 1}, {0, n, 1}};
        const NodeRef matrix = random_.array(type, Shape<2>(3, n).extents());
        return detail::reshape(detail::section(matrix, part, here), vector_of(n), here);
      }
      case 4: {
        const NodeRef inputs[] = {random_.array(type, vector_of(n)),
                                  detail::constant(random_.value(type), {}, here)};
        return detail::elementwise(type == ElementType::b8 ? Op::logical_xor : Op::max, inputs,
                                   here);
      }
      case 5: {
        const int64_t by[] = {random_.between(-5, 5)};
        return detail::shift(random_.array(type, vector_of(n)), by, Boundary::clamp(), 0, here);
      }
      default:
        return random_.array(type, vector_of(n));
    }
  }

  // A matrix in memory, a part of a larger one, or one on its side.
  NodeRef matrix(ElementType type, int64_t rows, int64_t columns) {
    switch (random_.pick(3)) {
      case 0: {
        const Range part[] = {{random_.between(0, 2), rows, 1},
                              {random_.between(0, 5), columns, 1}};
        const Extents whole =
            Shape<2>(part[0].begin + rows, part[1].begin + columns + random_.pick(3)).extents();
        return detail::section(random_.array(type, whole), part, here);
      }
      case 1: {
        const int64_t axes[] = {1, 0};
        return detail::transpose(random_.array(type, Shape<2>(columns, rows).extents()), axes,
                                 here);
      }
      default:
        return random_.array(type, Shape<2>(rows, columns).extents());
    }
  }

  // Lengths of segments that add up to n, as offsets.
  NodeRef offsets(int64_t n) {
    std::vector<int64_t> at{0};
    const int kind = random_.pick(6);
    const int64_t most = kind == 0 ? 1 : kind == 1 ? 7 : kind == 2 ? 300 : n / 3 + 1;
    while (at.back() < n || (at.size() < 40 && random_.chance(50))) {
      const int64_t rest = n - at.back();
      const bool is_long = kind == 4 && random_.chance(10);
      const int64_t take = kind == 5 || is_long ? rest
                           : random_.chance(20) ? 0
                                                : random_.between(kind == 0 ? 1 : 0, most);
      at.push_back(at.back() + std::min(take, rest));
    }
    if (random_.chance(50))
      return detail::from_host(ElementType::i64, vector_of(static_cast<int64_t>(at.size())),
                               at.data(), at.size(), here);
    const std::vector<int32_t> narrow(at.begin(), at.end());
    return detail::from_host(ElementType::i32, vector_of(static_cast<int64_t>(at.size())),
                             narrow.data(), at.size(), here);
  }
  NodeRef maybe_offsets() { return random_.chance(50) ? offsets(size_) : NodeRef(); }

  // A reduction and a type that it takes.
  std::pair<Reduction, ElementType> combination() {
    const auto reduction = static_cast<Reduction>(random_.pick(ir::reduction_count));
    const ir::ReductionInfo& info = ir::info_of(reduction);
    if (!info.on_integers) return {reduction, ElementType::b8};
    const ElementType type = random_.number_type();
    return {reduction, info.on_floats || !is_floating(type) ? type : ElementType::i16};
  }

  void note(const std::string& what) { text_ += (text_.empty() ? "" : "; ") + what; }
  static std::string of(ElementType type) { return std::string(" of ") + name(type); }

  NodeRef primitive() {
    switch (random_.pick(10)) {
      case 0:
      case 1:
        return scan();
      case 2:
        return segmented();
      case 3:
      case 4:
        return sorted();
      case 5:
        return packed();
      case 6:
        return scattered();
      case 7:
        return searched();
      case 8:
        return with_user_operator();
      default:
        return reduced();
    }
  }

  NodeRef scan() {
    const auto [reduction, type] = combination();
    const bool exclusive = random_.chance(50);
    note(std::string(exclusive ? "exclusive" : "inclusive") + " scan " +
         std::to_string(static_cast<int>(reduction)) + of(type));
    if (random_.chance(15)) {  // rows
      const int64_t columns = random_.one_of<int64_t>({1, 13, 500, 5000});
      const int64_t rows = std::max<int64_t>(size_ / columns, 1);
      return detail::scan(reduction, matrix(type, rows, columns), {}, exclusive, here);
    }
    const NodeRef input = vector(type);
    return detail::scan(reduction, input, maybe_offsets(), exclusive, here);
  }

  NodeRef segmented() {
    const auto [reduction, type] = combination();
    note("segmented reduction " + std::to_string(static_cast<int>(reduction)) + of(type));
    const NodeRef input = vector(type);
    if (random_.chance(10)) return detail::element_segments(offsets(size_), size_, here);
    return detail::segmented_reduce(reduction, input, offsets(size_), here);
  }

  NodeRef sorted() {
    const ElementType key = random_.type();
    const bool descending = random_.chance(50);
    note(std::string("sort") + of(key));
    const NodeRef keys = vector(key), segments = maybe_offsets();
    switch (random_.pick(4)) {
      case 0:
        return detail::sort_permutation(keys, segments, descending, here);
      case 3:
        return detail::top_k(keys, random_.one_of<int64_t>({0, size_ / 50, size_ / 3, size_}),
                             descending, here);
      case 1:
        return detail::sort_values(keys, keys, segments, descending, here);
      default:
        return detail::sort_values(keys, vector(random_.type()), segments, descending, here);
    }
  }

  NodeRef packed() {
    const ElementType type = random_.type();
    note("pack" + of(type));
    const NodeRef flags = vector(ElementType::b8);
    const NodeRef values = vector(type);
    return detail::pack(flags, values, random_.one_of<int64_t>({0, 1, size_ / 2, size_}), here);
  }

  // Indices that collide, lie outside, or are all different.
  NodeRef indices(int64_t n, int64_t range) {
    const ElementType type = random_.one_of({ElementType::i32, ElementType::i64});
    if (random_.chance(20)) return vector(type, n);
    std::vector<int64_t> at(static_cast<size_t>(n));
    const int64_t few = random_.one_of<int64_t>({3, range, range + 5});
    for (int64_t& i : at) i = random_.between(-2, std::max<int64_t>(few, 1));
    return detail::cast(
        detail::from_host(ElementType::i64, vector_of(n), at.data(), at.size(), here), type, here);
  }

  NodeRef scattered() {
    const ElementType type = random_.type();
    const auto collision = static_cast<Collision>(random_.pick(6));
    if (collision == Collision::sum && type == ElementType::b8) return packed();
    note("scatter " + std::to_string(static_cast<int>(collision)) + of(type));
    if (random_.chance(25)) {
      const int64_t rows = random_.between(1, 40), columns = random_.between(1, 300);
      const NodeRef at[] = {indices(size_, rows), indices(size_, columns)};
      const NodeRef places[] = {detail::cast(at[0], ElementType::i32, here),
                                detail::cast(at[1], ElementType::i32, here)};
      const NodeRef base = random_.array(type, Shape<2>(rows, columns).extents());
      return detail::scatter(base, places, vector(type), collision, here);
    }
    const int64_t range = random_.one_of<int64_t>({1, 9, 1000, size_});
    const NodeRef at[] = {indices(size_, range)};
    const NodeRef base = vector(type, range);
    return detail::scatter(base, at, vector(type), collision, here);
  }

  NodeRef searched() {
    const ElementType type = random_.type();
    note("search" + of(type));
    const NodeRef some = vector(type);
    const NodeRef ordered = detail::sort_values(some, some, {}, false, here);
    const NodeRef queries = vector(type, random_.between(0, 3000));
    return detail::search_sorted(ordered, queries, random_.chance(50), here);
  }

  // Operators that are associative, or whose grouping is fixed by the lengths.
  NodeRef with_user_operator() {
    const ElementType type = random_.one_of(
        {ElementType::f32, ElementType::i32, ElementType::f64, ElementType::u8, ElementType::f16});
    note("user-defined operator" + of(type));
    return visit_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_same_v<T, bool>)
        return NodeRef();
      else
        return fold(program([](Value<1, T> x, Value<1, T> y) {
                      return Value<1, T>(cond(abs(x) < abs(y), y, x));
                    }),
                    type);
    });
  }
  NodeRef fold(const Program& combine, ElementType type) {
    const NodeRef input = vector(type);
    const ScalarValue neutral[] = {random_.value(type)};
    switch (random_.pick(3)) {
      case 0: {
        const NodeRef segments = maybe_offsets();
        return detail::scan_with(combine.handle(), {input}, segments, random_.chance(50), neutral,
                                 here)[0];
      }
      case 1:
        return detail::reduce_segments_with(combine.handle(), {input}, offsets(size_), neutral,
                                            here)[0];
      default: {
        const int axes[] = {0};
        if (size_ == 0) return input;
        return detail::reduce_with(combine.handle(), {input}, axes, here)[0];
      }
    }
  }

  // Along some axes of a matrix or a box, or of a part of one.
  NodeRef reduced() {
    const auto [reduction, type] = combination();
    note("reduction " + std::to_string(static_cast<int>(reduction)) + of(type));
    if (random_.chance(40)) {
      const int axes[] = {0};
      return detail::reduce(reduction, vector(type), axes, here);
    }
    const int64_t columns = random_.one_of<int64_t>({1, 3, 16, 33, 257, 1030});
    const int64_t rows = std::clamp<int64_t>(size_ / columns, 1, 3000);
    Extents shape = Shape<2>(rows, columns).extents();
    if (random_.chance(30)) shape.push_back(random_.between(1, 5));
    NodeRef input = random_.array(type, shape);
    if (random_.chance(40)) {
      std::vector<Range> part;
      for (const int64_t n : shape) {
        const int64_t begin = random_.between(0, std::min<int64_t>(n - 1, 3));
        part.push_back({begin, n - begin, 1});
      }
      input = detail::section(input, part, here);
    }
    std::vector<int> axes;
    for (int i = 0; i < shape.rank; ++i)
      if (random_.chance(50)) axes.push_back(i);
    if (axes.empty()) axes.push_back(random_.pick(static_cast<size_t>(shape.rank)));
    return detail::reduce(reduction, input, axes, here);
  }

  // Something that is fused with the primitive, or another primitive.
  NodeRef consumer(const NodeRef& a) {
    const ElementType type = a->type;
    const Extents& shape = a->shape;
    note("then a consumer");
    if (shape.rank == 1 && random_.chance(40) && type != ElementType::b8)
      return detail::scan(Reduction::max, a, {}, random_.chance(50), here);
    if (shape.rank == 1 && shape.size() > 0 && random_.chance(20)) {
      const NodeRef at[] = {vector(ElementType::i32, random_.between(1, 3000))};
      return detail::gather(
          a, at, random_.one_of({Boundary::wrap(), Boundary::clamp(), Boundary::constant(3)}), 0,
          here);
    }
    if (shape.rank > 0 && random_.chance(30)) {
      const int axes[] = {0};
      return detail::reduce(type == ElementType::b8 ? Reduction::any : Reduction::min, a, axes,
                            here);
    }
    const NodeRef inputs[] = {a, random_.array(type, shape)};
    return detail::elementwise(type == ElementType::b8 ? Op::logical_or : Op::add, inputs, here);
  }

  Random random_;
  int64_t size_ = 0;
  std::string text_;
};

std::vector<Elements> results(uint64_t seed, bool interpret, int threads, std::string& text) {
  const WithSettings s([&](Settings& s) {
    s.interpret = interpret;
    s.threads = threads;
  });
  RandomPrimitives random(seed);
  const std::vector<NodeRef> roots = random.build();
  text = random.text();
  detail::evaluate(roots);
  std::vector<Elements> result;
  for (const NodeRef& root : roots) result.push_back(read(root));
  return result;
}

testing::AssertionResult compare(uint64_t seed) {
  std::string text;
  const std::vector<Elements> want = results(seed, true, 1, text);
  const int threads[] = {1, 2, 5};
  const std::vector<Elements> got = results(seed, false, threads[seed % 3], text);
  for (size_t r = 0; r < want.size(); ++r)
    if (const auto outcome = same(want[r], got[r]); !outcome)
      return testing::AssertionFailure() << text << ", result " << r << ", " << threads[seed % 3]
                                         << " threads: " << outcome.message();
  return testing::AssertionSuccess();
}

TEST(RandomPrimitives, CompiledEqualsInterpreted) {
  compare_seeds({"TUTTI_TEST_PRIMITIVES", 60, "primitives"}, compare);
}

}  // namespace
}  // namespace tutti::test
