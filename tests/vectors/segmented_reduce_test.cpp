// Segmented reductions: against the interpreter, against plain loops for integers, and the promise
// that each segment has the bits of a reduction of its elements alone.
#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

namespace tutti::test {
namespace {

std::vector<float> summands(int64_t n) {
  std::vector<float> result;
  for (int64_t i = 0; i < n; ++i)
    result.push_back((static_cast<float>((i * 7919 + 13) % 1009) - 504.0f) / 497.0f);
  return result;
}

TEST(SegmentedReduce, EveryKindOfSegments) {
  for (const Lengths& segments : every_kind_of_segments()) {
    SCOPED_TRACE(segments.what);
    const Array<1, int32_t> offsets(segments.offsets());
    const int64_t n = segments.elements();
    const Array<1, float> floats(summands(n));
    const Array<1, double> doubles(floats);
    const Array<1, half> halves(floats);
    const std::vector<int32_t> numbers = plain<int32_t>(n);
    const Array<1, bool> flags = Array<1, int32_t>(numbers) > 50;
    flags.evaluate();
    expect_same([&] { return segmented_sum(floats, offsets); });
    expect_same([&] { return segmented_product(doubles * 1.5, offsets); });
    expect_same([&] { return segmented_sum(halves, offsets); });
    expect_same([&] { return segmented_max(halves, offsets); });
    expect_same([&] { return segmented_all(flags, offsets); });
    std::vector<int32_t> sums, least;
    for (size_t s = 0, i = 0; s < segments.lengths.size(); ++s) {
      int32_t sum = 0, low = std::numeric_limits<int32_t>::max();
      for (int32_t k = 0; k < segments.lengths[s]; ++k, ++i) {
        sum += numbers[i];
        low = std::min(low, numbers[i]);
      }
      sums.push_back(sum);
      least.push_back(low);
    }
    const Array<1, int32_t> a(numbers);
    expect_values([&] { return segmented_sum(a, offsets); }, sums);
    expect_values([&] { return segmented_min(a, offsets); }, least);
  }
}

TEST(SegmentedReduce, HasTheBitsOfEachSegmentAlone) {
  const std::vector<int32_t> lengths{0, 1, 5, 16, 17, 255, 256, 257, 3000, 8192, 8193, 70000};
  std::vector<int32_t> offsets{0};
  for (int32_t length : lengths) offsets.push_back(offsets.back() + length);
  const Array<1, float> a(summands(offsets.back()));
  const std::vector<float> got = segmented_sum(a, Array<1, int32_t>(offsets)).to_vector();
  for (size_t s = 0; s < lengths.size(); ++s) {
    const float want = sum(section(a, {Range{offsets[s], lengths[s]}}));
    EXPECT_EQ(std::bit_cast<uint32_t>(got[s]), std::bit_cast<uint32_t>(want)) << lengths[s];
  }
}

TEST(SegmentedReduce, AMillionSegments) {
  std::vector<int32_t> offsets{0};
  for (int s = 0; s < 1'000'000; ++s) offsets.push_back(offsets.back() + s % 5);
  const Array<1, int32_t> ones(Shape<1>(offsets.back()), 1);
  const std::vector<int32_t> got = segmented_sum(ones, Array<1, int32_t>(offsets)).to_vector();
  for (size_t s = 0; s < got.size(); ++s) ASSERT_EQ(got[s], offsets[s + 1] - offsets[s]) << s;
}

TEST(ElementSegments, SkipEmptySegments) {
  for (const Lengths& segments : every_kind_of_segments()) {
    SCOPED_TRACE(segments.what);
    std::vector<int32_t> want;
    for (size_t s = 0; s < segments.lengths.size(); ++s)
      want.insert(want.end(), static_cast<size_t>(segments.lengths[s]), static_cast<int32_t>(s));
    const Array<1, int32_t> offsets(segments.offsets());
    expect_values([&] { return element_segments(offsets, segments.elements()); }, want);
  }
}

TEST(Offsets, AndLengths) {
  const Array<1, int32_t> lengths(std::vector<int32_t>{3, 0, 2});
  EXPECT_EQ(offsets_of_lengths(lengths).to_vector(), (std::vector<int32_t>{0, 3, 3, 5}));
  EXPECT_EQ(lengths_of_offsets(offsets_of_lengths(lengths)).to_vector(), lengths.to_vector());
}

}  // namespace
}  // namespace tutti::test
