// Scans and segmented reductions with user-defined operators, over numbers and tuples: against
// plain loops, the interpreter, and the promise that a segment has the bits of its elements alone.
#include "support/compare.hpp"
#include "support/values.hpp"
#include "tutti/control.hpp"
#include "vectors/segments.hpp"

namespace tutti::test {
namespace {

// (a, b) stands for x -> a x + b, as a step of a linear recurrence; composition does not commute.
// Whole numbers modulo 2^32: exact in every grouping.
using Step = Value<2, uint32_t>;
const auto compose = [](Step f, Step g) { return Step(f(0) * g(0), f(1) * g(0) + g(1)); };
Step composed(const Step& f, const Step& g) {
  return Step(f.get(0) * g.get(0), f.get(1) * g.get(0) + g.get(1));
}

std::vector<Step> steps(int64_t n) {
  std::vector<Step> result;
  for (uint32_t i = 0; i < static_cast<uint32_t>(n); ++i)
    result.push_back(Step(i * 2654435761u | 1u, i * 40503u + 7u));
  return result;
}

// Runs f(segments, their offsets, first element, one after the last) for each segment.
template <class F>
void for_each_segment(const std::vector<int32_t>& offsets, F f) {
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    f(static_cast<size_t>(offsets[s]), static_cast<size_t>(offsets[s + 1]));
}

template <class T, class F>
std::vector<T> plain_scan(const std::vector<T>& a, const std::vector<int32_t>& offsets, F f,
                          const T* neutral) {
  std::vector<T> result(a.size());
  for_each_segment(offsets, [&](size_t begin, size_t end) {
    if (begin == end) return;
    T total = a[begin];
    result[begin] = neutral ? *neutral : total;
    for (size_t i = begin + 1; i < end; ++i) {
      if (neutral) result[i] = total;
      total = f(total, a[i]);
      if (!neutral) result[i] = total;
    }
  });
  return result;
}

template <class T, class F>
std::vector<T> plain_fold(const std::vector<T>& a, const std::vector<int32_t>& offsets, F f,
                          const T& neutral) {
  std::vector<T> result;
  for_each_segment(offsets, [&](size_t begin, size_t end) {
    T total = begin == end ? neutral : a[begin];
    for (size_t i = begin + 1; i < end; ++i) total = f(total, a[i]);
    result.push_back(total);
  });
  return result;
}

TEST(UserOperators, ComposeLinearSteps) {
  const Step neutral(1u, 0u);
  for (const Lengths& segments : every_kind_of_segments()) {
    SCOPED_TRACE(segments.what);
    const std::vector<int32_t> offsets = segments.offsets();
    const std::vector<Step> host = steps(segments.elements());
    const Array<1, Step> a(host);
    const Array<1, int32_t> narrow(offsets);
    const Array<1, int64_t> wide(std::vector<int64_t>(offsets.begin(), offsets.end()));
    expect_values([&] { return scan(compose, a, narrow); },
                  plain_scan<Step>(host, offsets, composed, nullptr));
    expect_values([&] { return scan(compose, a, wide, Scan::exclusive, neutral); },
                  plain_scan<Step>(host, offsets, composed, &neutral));
    expect_values([&] { return segmented_reduce(compose, a, wide, neutral); },
                  plain_fold<Step>(host, offsets, composed, neutral));
  }
}

// The least and the greatest, the greatest of absolute values, products of matrices: one type each.
TEST(UserOperators, OfEveryKindOfElement) {
  const Lengths segments = every_kind_of_segments().back();
  const Array<1, int32_t> offsets(segments.offsets());
  const int64_t n = segments.elements();
  const Array<1, half> halves(mixed<half>(n, 3));
  const Array<1, int8_t> bytes(mixed<int8_t>(n, 4));
  const Array<1, double> doubles(mixed<double>(n, 5));
  const Array<1, bool> flags = bytes > int8_t{0};
  flags.evaluate();
  const auto wider = [](auto x, auto y) { return cond(abs(x) < abs(y), y, x); };
  expect_same([&] { return scan(wider, halves, offsets); });
  expect_same([&] { return segmented_reduce(wider, bytes, offsets, int8_t{-1}); });
  expect_same([&] { return scan(wider, doubles, offsets, Scan::exclusive, 0.5); });
  expect_same([&] { return segmented_reduce(wider, doubles, offsets, 0.5); });
  const auto implies = [](Value1b x, Value1b y) { return !x || y; };
  expect_same([&] { return segmented_reduce(implies, flags, offsets, true); });

  using Range = Value<2, double>;
  const auto widen = [](Range x, Range y) { return Range(min(x(0), y(0)), max(x(1), y(1))); };
  const Array<1, Range> ranges = join(doubles, doubles + 1.0);
  ranges.evaluate();
  expect_same([&] { return scan(widen, ranges); });
  expect_same([&] { return segmented_reduce(widen, ranges, offsets, Range(1, -1)); });

  using Matrix = Value<4, float>;
  const auto multiply = [](Matrix x, Matrix y) {
    return Matrix(x(0) * y(0) + x(1) * y(2), x(0) * y(1) + x(1) * y(3), x(2) * y(0) + x(3) * y(2),
                  x(2) * y(1) + x(3) * y(3));
  };
  const Array<1, float> angle = cast<float>(index<1>({n}, 0));
  const Array<1, Matrix> turns = join(cos(angle), sin(angle), -sin(angle), cos(angle));
  turns.evaluate();
  const Matrix one(1.0f, 0.0f, 0.0f, 1.0f);
  expect_same([&] { return scan(multiply, turns, offsets); });
  expect_same([&] { return scan(multiply, turns, Scan::exclusive, one); });
  expect_same([&] { return segmented_reduce(multiply, turns, offsets, one); });
}

// log(exp(x) + exp(y)) without overflow, with control flow in the operator.
const auto log_sum = [](Value1f x, Value1f y) {
  TUTTI_IF(x < y) {
    Value1f larger = y;
    y = x;
    x = larger;
  }
  TUTTI_ENDIF;
  return x + log(1.0f + exp(y - x));
};

TEST(UserOperators, GiveTheBitsOfEachSegmentAlone) {
  const std::vector<int32_t> lengths{1, 5, 16, 31, 32, 33, 1023, 1024, 1025, 40000};
  std::vector<int32_t> offsets{0};
  for (int32_t length : lengths) offsets.push_back(offsets.back() + length);
  std::vector<float> host;
  for (int32_t i = 0; i < offsets.back(); ++i) host.push_back(static_cast<float>(i % 97) * 0.25f);
  const Array<1, float> a(host);
  const std::vector<float> got =
      segmented_reduce(log_sum, a, Array<1, int32_t>(offsets), -INFINITY).to_vector();
  for (size_t s = 0; s < lengths.size(); ++s) {
    const float want = reduce(log_sum, section(a, {Range{offsets[s], lengths[s]}}));
    EXPECT_EQ(std::bit_cast<uint32_t>(got[s]), std::bit_cast<uint32_t>(want)) << lengths[s];
  }
}

// Once offsets have been looked at, a reduction has no more levels than the longest segment needs.
TEST(UserOperators, KnowingTheLongestSegmentSavesKernels) {
  std::vector<int32_t> ends{0};
  std::vector<float> host;
  for (int s = 0; s < 300; ++s) ends.push_back(ends.back() + s % 50);
  for (int32_t i = 0; i < ends.back(); ++i) host.push_back(static_cast<float>(i % 89) * 0.5f);
  const Array<1, float> a(host);
  const Array<1, int32_t> offsets(ends);
  a.evaluate();
  const auto fold = [&] { return segmented_reduce(log_sum, a, offsets, -INFINITY); };
  const auto count_kernels = [](const auto& x) { return explain(x).kernels().size(); };
  const auto unknown = fold();
  const size_t kernels = count_kernels(unknown);
  const auto want = read(unknown);
  const auto known = fold();
  EXPECT_LT(count_kernels(known), kernels);
  EXPECT_TRUE(same(want, read(known)));
}

TEST(UserOperators, AMillionSegments) {
  std::vector<int32_t> offsets{0};
  for (int s = 0; s < 1'000'000; ++s) offsets.push_back(offsets.back() + s % 5);
  const std::vector<Step> host = steps(offsets.back());
  const Step neutral(1u, 0u);
  const auto got =
      segmented_reduce(compose, Array<1, Step>(host), Array<1, int32_t>(offsets), neutral);
  EXPECT_TRUE(
      same(elements(plain_fold<Step>(host, offsets, composed, neutral), got.shape()), read(got)));
}

TEST(UserOperators, WithANameRunAsThatName) {
  const Array<1, Value<2, float>> pairs =
      join(Array<1, float>(mixed<float>(5000, 3)), Array<1, float>(mixed<float>(5000, 4)));
  pairs.evaluate();
  const Array<1, int32_t> offsets(std::vector<int32_t>{0, 17, 17, 5000});
  const auto plus = [](auto x, auto y) { return x + y; };
  const auto count_kernels = [](const auto& a) { return explain(a).kernels().size(); };
  EXPECT_EQ(count_kernels(segmented_reduce(plus, pairs, offsets)), 2u);
  EXPECT_TRUE(
      same(read(segmented_sum(pairs, offsets)), read(segmented_reduce(plus, pairs, offsets))));
  EXPECT_TRUE(same(read(sum_scan(pairs, offsets)), read(scan(plus, pairs, offsets))));
  // An empty segment gives what the program says, not what the name says.
  const Array<1, int> numbers(std::vector<int>{3, 1, 4, 1, 5});
  const Array<1, int32_t> with_empty(std::vector<int32_t>{0, 2, 2, 5});
  const auto greatest = [](auto x, auto y) { return max(x, y); };
  EXPECT_EQ(segmented_reduce(greatest, numbers, with_empty, -1).to_vector(),
            (std::vector<int>{3, -1, 5}));
  EXPECT_EQ(scan(greatest, numbers, with_empty, Scan::exclusive, -1).to_vector(),
            (std::vector<int>{-1, 3, -1, 4, 4}));
}

TEST(UserOperators, WithWrongArguments) {
  const Array<1, Step> a(steps(10));
  const auto message = [](auto f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const Array<1, int32_t> short_of_the_end(std::vector<int32_t>{0, 3, 9});
  const Array<1, int32_t> descending(std::vector<int32_t>{0, 7, 3, 10});
  EXPECT_NE(message([&] {
              segmented_reduce(compose, a, short_of_the_end);
            }).find("an empty segment gives the neutral element"),
            std::string::npos);
  for (const auto& offsets : {short_of_the_end, descending}) {
    EXPECT_NE(message([&] {
                segmented_reduce(compose, a, offsets, Step(1u, 0u)).evaluate();
              }).find("offsets[2]"),
              std::string::npos);
    EXPECT_NE(message([&] { scan(compose, a, offsets).evaluate(); }).find("offsets[2]"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace tutti::test
