// Every reduction of every element type, over every set of axes: compiled against interpreted, and
// the same bits on any number of threads.
#include "support/compare.hpp"
#include "support/values.hpp"

#include "graph/node.hpp"

namespace tutti::test {
namespace {

constexpr Reduction reductions[] = {
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  Reduction::id,
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
};

bool accepts(Reduction reduction, ElementType type) {
  return ir::canonical_reduction(reduction, type).has_value();
}

std::string trace(Reduction reduction, ElementType type, const std::string& what) {
  return std::string(ir::reduction_name(reduction)) + " of " + name(type) + " " + what;
}

// Numbers whose sums and products overflow, round and cancel, but do not all end in NaN.
template <class T>
std::vector<T> summands(int64_t n) {
  std::vector<T> result = mixed<T>(n, 11);
  if constexpr (detail::kind<T> == 2)
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<T>((static_cast<float>((i * 7919 + 13) % 1009) - 504.0f) / 497.0f);
  return result;
}

// Length and number of tiles of the wide tree, one axis.
TEST(EveryReduction, OfVectors) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for (const int64_t n : {0, 1, 31, 32, 33, 255, 256, 257, 8191, 8192, 8193, 100000}) {
      const Array<1, T> a(summands<T>(n));
      for (const Reduction reduction : reductions) {
        if (!accepts(reduction, element_type<T>)) continue;
        SCOPED_TRACE(trace(reduction, element_type<T>, "of length " + std::to_string(n)));
        const int axes[] = {0};
        expect_same([&] { return detail::reduce(reduction, a.node(), axes, Location::current()); });
      }
    }
  });
}

// Every set of axes of a shape: bit k of the set says that axis k is reduced.
template <class T>
void check_axes(const detail::Extents& shape) {
  const Array<1, T> flat(summands<T>(shape.size()));
  const detail::NodeRef leaf = detail::reshape(flat.node(), shape, Location::current());
  detail::evaluate({&leaf, 1});
  for (int set = 1; set < 1 << shape.rank; ++set) {
    std::vector<int> axes;
    std::string text;
    for (int k = 0; k < shape.rank; ++k)
      if (set >> k & 1) axes.push_back(k), text += " " + std::to_string(k);
    for (const Reduction reduction : reductions) {
      if (!accepts(reduction, element_type<T>)) continue;
      SCOPED_TRACE(trace(reduction, element_type<T>, detail::to_string(shape) + " axes" + text));
      expect_same([&] { return detail::reduce(reduction, leaf, axes, Location::current()); });
    }
  }
}

TEST(EveryReduction, OverEverySetOfAxes) {
  const detail::Extents shapes[] = {
      Shape<2>(3, 5).extents(),        Shape<2>(33, 1).extents(),
      Shape<2>(1, 257).extents(),      Shape<2>(257, 33).extents(),
      Shape<3>(4, 33, 17).extents(),   Shape<3>(33, 1, 31).extents(),
      Shape<3>(2, 0, 3).extents(),     Shape<4>(2, 3, 33, 5).extents(),
      Shape<4>(5, 1, 7, 1).extents(),  Shape<4>(3, 4, 1, 33).extents(),
      Shape<4>(3, 2, 37, 2).extents(), Shape<2>(70, 4).extents()};
  for (const detail::Extents& shape : shapes)
    for_each_type([&](auto tag) { check_axes<typename decltype(tag)::type>(shape); });
}

// Several tiles along columns and rows, and enough work for several threads.
TEST(EveryReduction, OfLargeMatrices) {
  for (const Shape<2>& shape : {Shape<2>(1025, 300), Shape<2>(40, 20000), Shape<2>(30000, 3)}) {
    const Array<2, float> a(summands<float>(shape.size()), shape);
    const Array<2, int16_t> b(summands<int16_t>(shape.size()), shape);
    expect_same([&] { return sum(a, 0); });
    expect_same([&] { return sum(a, 1); });
    expect_same([&] { return sum(a); });
    expect_same([&] { return product(a + 1.0f, 0); });
    expect_same([&] { return max_val(b, 1); });
    expect_same([&] { return sum(b, 0); });
  }
}

}  // namespace
}  // namespace tutti::test
