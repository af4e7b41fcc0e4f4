// Applicative primitives nested in each other, of ranks 1 to 4: the bits of the interpreter, and no
// array in between where the indexing laws fuse them.
#include "support/compare.hpp"
#include "support/numbers.hpp"

namespace tutti::test {
namespace {

const auto square = [](auto x) { return x * x; };
const auto plus = [](auto a, auto b) { return a + b; };
const auto times = [](auto a, auto b) { return a * b; };
const auto greater = [](auto a, auto b) { return max(a, b); };

// Expects at most the given number of kernels, and the values of the interpreter.
template <class Build>
void check(size_t kernels, Build build, const Location& where = Location::current()) {
  SCOPED_TRACE(where.line());
  EXPECT_LE(explain(build()).kernels().size(), kernels) << explain(build());
  expect_same(build, where);
}

TEST(Nesting, MapsOfMapsAndSlices) {
  const auto v = numbers<1>({3000}, -5);
  const auto m = numbers<2>({60, 50}, -5);
  const auto b = numbers<3>({12, 10, 25}, -5);
  const auto h = numbers<4>({6, 5, 4, 25}, -5);
  check(1, [&] { return map(square, map(square, v)); });
  check(1, [&] { return zip_with(plus, map(square, slice(v, 1, 3000)), slice(v, 0, 2999)); });
  check(1, [&] { return map(square, transpose(map(square, m))); });
  check(1, [&] { return zip_with(times, transpose(m), map(square, transpose(m))); });
  check(1, [&] { return map(square, slice(transpose(b), {1, 2, 3}, {20, 9, 11})); });
  check(1, [&] { return slice(zip_with(plus, h, map(square, h)), {1, 1, 1, 1}, {5, 4, 3, 24}); });
  check(1, [&] {
    return zip_with([](auto a, auto c, auto d) { return a * c + d; }, b, square(b), b);
  });
}

TEST(Nesting, OuterFormsAndReplication) {
  const auto v = numbers<1>({70}, -5), w = numbers<1>({90}, -5);
  const auto m = numbers<2>({10, 12}, -5);
  check(1, [&] { return outer(times, map(square, v), w); });
  check(1, [&] { return outer(plus, outer(times, v, w), m); });
  check(1, [&] { return map(square, outer(times, slice(v, 3, 60), slice(w, 1, 80))); });
  check(1, [&] { return map(square, replicate(m, {31, 25})); });
  check(1, [&] { return transpose(outer(times, m, v)); });
}

TEST(Nesting, GoesIntoReductions) {
  const auto v = numbers<1>({7000}, -5), w = numbers<1>({900}, -5);
  const auto m = numbers<2>({60, 50}, -5);
  const auto b = numbers<3>({12, 10, 25}, -5);
  const auto h = numbers<4>({6, 5, 4, 25}, -5);
  check(1, [&] { return reduce(plus, map(square, slice(v, 10, 7000))); });
  check(1, [&] { return reduce(greater, outer(times, v, w), 1); });
  check(1, [&] { return reduce(plus, outer(times, v, w), 0); });
  check(1, [&] { return reduce(plus, zip_with(times, m, map(square, m)), 0); });
  check(1, [&] { return reduce(plus, transpose(map(square, m)), 0); });
  check(1, [&] { return reduce(plus, map(square, slice(b, {1, 1, 1}, {11, 9, 24})), {0, 2}); });
  check(1, [&] { return reduce(greater, map(square, h), {1, 3}); });
  check(1, [&] { return reduce(greater, replicate(m, {100, 130}), 1); });
}

TEST(Nesting, GoesIntoScans) {
  const auto v = numbers<1>({7000}, -5);
  const auto m = numbers<2>({60, 50}, -5);
  const auto b = numbers<3>({12, 10, 25}, -5);
  check(1, [&] { return scan(plus, map(square, slice(v, 10, 7000))); });
  check(1, [&] { return scan(plus, zip_with(times, v, v), Scan::exclusive); });
  check(1, [&] { return scan(plus, map(square, transpose(m))); });
  check(1, [&] { return scan(plus, slice(map(square, b), {1, 1, 1}, {11, 9, 24})); });
}

// Results of reductions and scans are read by what follows.
TEST(Nesting, GoesOnAfterReductionsAndScans) {
  const auto v = numbers<1>({7000}, -5);
  const auto m = numbers<2>({60, 50}, -5);
  check(2, [&] { return zip_with(times, v, reduce(greater, v)); });
  check(2, [&] { return map(square, reduce(plus, map(square, m), 1)); });
  check(2, [&] { return zip_with(plus, slice(scan(plus, v), 1, 7000), slice(v, 0, 6999)); });
  check(2, [&] { return reduce(plus, zip_with(times, scan(plus, v), v)); });
  expect_same([&] { return reduce(greater, reduce(plus, map(square, m), 1)); });
}

}  // namespace
}  // namespace tutti::test
