// Scans of every kind: compiled against interpreted to the bit, and integers against plain loops.
#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

#include "graph/node.hpp"
#include "numerics/combine.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::test {
namespace {

constexpr Reduction reductions[] = {
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  Reduction::id,
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
};

// Numbers whose sums and products overflow, round and cancel, but do not all end in NaN.
template <class T>
std::vector<T> summands(int64_t n) {
  std::vector<T> result = mixed<T>(n, 17);
  if constexpr (detail::kind<T> == 2)
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<T>((static_cast<float>((i * 7919 + 13) % 1009) - 504.0f) / 497.0f);
  return result;
}

// One element after the other, each segment by itself.
template <class T>
std::vector<T> plain_scan(Reduction reduction, const std::vector<T>& a,
                          const std::vector<int32_t>& offsets, bool exclusive) {
  std::vector<T> result(a.size());
  ir::visit_reduction<T>(reduction, [&](auto tag) {
    for (size_t s = 0; s + 1 < offsets.size(); ++s) {
      T total = ir::identity<T>(reduction);
      for (auto i = static_cast<size_t>(offsets[s]); i < static_cast<size_t>(offsets[s + 1]); ++i) {
        const T next = ir::combine<decltype(tag)::value, T>(total, a[i]);
        result[i] = exclusive ? total : next;
        total = next;
      }
    }
  });
  return result;
}

template <class T, class F>
void for_each_scan(F f) {
  for (const Reduction reduction : reductions)
    for (const bool exclusive : {false, true})
      if (ir::combines<T>(reduction)) {
        SCOPED_TRACE(std::string(exclusive ? "exclusive " : "inclusive ") +
                     ir::reduction_name(reduction) + " of " + name(element_type<T>));
        f(reduction, exclusive);
      }
}

TEST(Scan, OfEveryTypeAtTheBordersOfTiles) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for (const int64_t n : {0, 1, 15, 16, 17, 511, 512, 513, 4095, 4096, 4097, 8200}) {
      const std::vector<T> host = summands<T>(n);
      const Array<1, T> a(host);
      for_each_scan<T>([&](Reduction reduction, bool exclusive) {
        SCOPED_TRACE("of length " + std::to_string(n));
        const auto build = [&] {
          return Array<1, T>(detail::scan(reduction, a.node(), {}, exclusive, Location::current()));
        };
        if constexpr (detail::kind<T> == 2)
          expect_same(build);
        else
          expect_values(build,
                        plain_scan<T>(reduction, host, {0, static_cast<int32_t>(n)}, exclusive));
      });
    }
  });
}

TEST(Scan, OfSegments) {
  for (const Lengths& segments : every_kind_of_segments()) {
    SCOPED_TRACE(segments.what);
    const std::vector<int32_t> offsets = segments.offsets();
    const Array<1, int32_t> narrow(offsets);
    const Array<1, int64_t> wide(std::vector<int64_t>(offsets.begin(), offsets.end()));
    for_each_size_of_type([&](auto tag) {
      using T = typename decltype(tag)::type;
      const std::vector<T> host = summands<T>(segments.elements());
      const Array<1, T> a(host);
      for_each_scan<T>([&](Reduction reduction, bool exclusive) {
        const auto build = [&] {
          return Array<1, T>(detail::scan(reduction, a.node(),
                                          exclusive ? narrow.node() : wide.node(), exclusive,
                                          Location::current()));
        };
        if constexpr (detail::kind<T> == 2)
          expect_same(build);
        else
          expect_values(build, plain_scan<T>(reduction, host, offsets, exclusive));
      });
    });
  }
}

TEST(Scan, OfRowsIsAScanOfSegments) {
  for (const Shape<2>& shape : {Shape<2>(7, 1), Shape<2>(3, 5000), Shape<2>(1000, 13)}) {
    const Array<2, float> a(summands<float>(shape.size()), shape);
    const Array<1, float> flat = reshape(a, Shape<1>(shape.size()));
    std::vector<int32_t> offsets;
    for (int64_t r = 0; r <= shape[0]; ++r) offsets.push_back(static_cast<int32_t>(r * shape[1]));
    expect_same([&] { return sum_scan(a); });
    EXPECT_TRUE(same(read(reshape(sum_scan(a), Shape<1>(shape.size()))),
                     read(sum_scan(flat, Array<1, int32_t>(offsets)))));
  }
  EXPECT_EQ(sum_scan(Array<3, int>(Shape<3>(2, 2, 2), 1)).to_vector(),
            (std::vector<int>{1, 2, 1, 2, 1, 2, 1, 2}));
}

TEST(Scan, OfHalfIsTakenInFloat) {
  std::vector<half> ones(3000, half(1.0f));
  const std::vector<half> got = sum_scan(Array<1, half>(ones)).to_vector();
  EXPECT_EQ(static_cast<float>(got[2999]), 3000.0f);  // in half, 2048 + 1 is 2048
}

TEST(Scan, WithProducersAndConsumers) {
  const Array<1, float> a(summands<float>(9000)), b(summands<float>(9000));
  expect_same([&] { return sqrt(abs(sum_scan(a * b + 1.0f))) - a; });
  expect_same([&] { return max_scan(sum_scan(a) * b, Scan::exclusive); });
}

TEST(Scan, LargeOnAllThreads) {
  const int64_t n = 3'000'017;
  const std::vector<float> host = summands<float>(n);
  const Array<1, float> a(host);
  expect_same([&] { return sum_scan(a); });
  std::vector<int64_t> numbers(static_cast<size_t>(n));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i * 2654435761u);
  const std::vector<int64_t> want =
      plain_scan<int64_t>(Reduction::sum, numbers, {0, static_cast<int32_t>(n)}, true);
  EXPECT_TRUE(sum_scan(Array<1, int64_t>(numbers), Scan::exclusive).to_vector() == want);
}

}  // namespace
}  // namespace tutti::test
