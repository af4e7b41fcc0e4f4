// What runs inside of primitives: element-wise consumers of scans, the flags and values of packs.
// One kernel, and the bits of the interpreter.
#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

namespace tutti::test {
namespace {

template <class A>
size_t kernels(const A& array) {
  return explain(array).kernels().size();
}

template <class Build>
void expect_one_kernel(Build build, const Location& where = Location::current()) {
  EXPECT_EQ(kernels(build()), 1u) << where.line();
  expect_same(build, where);
}

TEST(ScanConsumers, AreFused) {
  for (const int64_t n : {2, 511, 4096, 4097, 100000}) {
    SCOPED_TRACE(n);
    const Array<1, float> x(plain<float>(n)), y(plain<float>(n));
    const Array<1, int> i(plain<int>(n));
    expect_one_kernel([&] { return sum_scan(x) * 2.0f + y; });
    expect_one_kernel([&] { return sum_scan(x) - x; });
    expect_one_kernel([&] { return sum_scan(x * y) / (sum_scan(x * y) + 1.0f); });
    expect_one_kernel([&] { return cast<int8_t>(sum_scan(i, Scan::exclusive) % 100); });
    expect_one_kernel([&] { return min_scan(i, Scan::exclusive) == i; });
    expect_one_kernel([&] { return sqrt(sum_scan(cast<double>(x))) + shift(x, {1}); });
    expect_one_kernel([&] { return sum_scan(cast<half>(x)); });  // added up as float
    expect_one_kernel([&] { return join(sum_scan(x) + 1.0f, sum_scan(x) * y); });
  }
}

TEST(ScanConsumers, OfSegmentsAndRows) {
  for (const Lengths& segments : every_kind_of_segments()) {
    SCOPED_TRACE(segments.what);
    const Array<1, int32_t> offsets(segments.offsets());
    const Array<1, float> x(plain<float>(segments.elements()));
    expect_same([&] { return sum_scan(x, offsets) - x; });
    expect_same([&] { return max_scan(x, offsets, Scan::exclusive) * 2.0f; });
  }
  const Array<2, float> rows(plain<float>(300 * 70), 300, 70);
  expect_one_kernel([&] { return sum_scan(rows) - rows; });
  expect_same([&] { return sum_scan(rows) - sum(rows, 0); });
}

TEST(ScanConsumers, OfSeveralScansRunInOneOfThem) {
  const Array<1, float> x(plain<float>(50000)), y(plain<float>(50000));
  const auto build = [&] { return sum_scan(x) + max_scan(y) * min_scan(x + y); };
  EXPECT_EQ(kernels(build()), 3u);
  expect_same(build);
  expect_same([&] { return sum_scan(sum_scan(x) * 2.0f) - sum_scan(x); });
}

TEST(ScanConsumers, LeaveTheResultsToOthers) {
  const Array<1, float> x(plain<float>(50000));
  // Read elsewhere too: by a shift in the same kernel, and by a kernel of its own.
  expect_same([&] { return sum_scan(x) - shift(sum_scan(x), {1}); });
  expect_same([&] { return sum(sum_scan(x) * 2.0f) + sum_scan(x); });
  expect_same([&] {
    const Array<1, float> s = sum_scan(x);
    return join(s * 2.0f, gather(s, cast<int>(x)));
  });
  // Held by the program: stored in the same pass.
  const Array<1, float> held = sum_scan(x), more = held * 2.0f;
  EXPECT_EQ(kernels(more), 1u);
  more.evaluate();
  const int64_t launches = statistics().kernel_launches;
  const Elements got = read(held);
  EXPECT_EQ(statistics().kernel_launches, launches);
  EXPECT_TRUE(same(read(sum_scan(x)), got));
}

TEST(ScanConsumers, OfOtherLengths) {
  for (const int64_t n : {70000, 80000, 90001}) {
    const Array<1, int> x(plain<int>(n));
    std::vector<int> want = x.to_vector();
    int sum = 0;
    for (int& w : want) w = (sum += w) * 3 - w;
    EXPECT_EQ((sum_scan(x) * 3 - x).to_vector(), want);
  }
}

template <class T>
Array<1, T> packed(const Array<1, T>& values, const Array<1, bool>& flags, int64_t count) {
  return Array<1, T>(detail::pack(flags.node(), values.node(), count, Location::current()));
}

TEST(PackedValues, AreComputedOnTheWay) {
  for (const int64_t n : {2, 4095, 4096, 70000}) {
    SCOPED_TRACE(n);
    const Array<1, int> i(plain<int>(n));
    const Array<1, float> x(plain<float>(n));
    const Array<1, bool> some = i % 3 == 0;
    const int64_t count = n / 2;
    expect_one_kernel([&] { return packed<float>(sqrt(x) + shift(x, {1}), some, count); });
    expect_one_kernel([&] { return packed<int>(index(i.shape(), 0), some, count); });
    expect_one_kernel([&] { return packed<double>(cast<double>(x) * 2.0, some, count); });
    expect_one_kernel([&] { return packed<half>(cast<half>(x), some, count); });
    expect_one_kernel([&] { return packed<bool>(x > 10.0f, some, count); });
    expect_one_kernel([&] { return packed<float>(gather(x, i), i % 3 == 1, count); });
    expect_one_kernel([&] { return packed<int>(Array<1, int>(i.shape(), 7), some, count); });
    std::vector<int> want;
    for (int k : i.to_vector())
      if (k % 3 == 0) want.push_back(k * 5 - 1);
    EXPECT_EQ(pack(Array<1, int>(i * 5 - 1), Array<1, bool>(i % 3 == 0)).to_vector(), want);
  }
}

}  // namespace
}  // namespace tutti::test
