// Functions built on the vector primitives, and their error messages.
#include <algorithm>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using Ints = std::vector<int32_t>;

TEST(Pack, KeepsTheOrder) {
  for (const int64_t n : {0, 1, 4096, 30000}) {
    const Ints host = plain<int32_t>(n);
    Ints yes, no, places;
    for (size_t i = 0; i < host.size(); ++i) {
      (host[i] > 30 ? yes : no).push_back(host[i]);
      if (host[i] > 30) places.push_back(static_cast<int32_t>(i));
    }
    const Array<1, int32_t> a(host);
    const Array<1, bool> flags = a > 30;
    EXPECT_EQ(pack(a, flags).to_vector(), yes);
    EXPECT_EQ(pack_index(flags).to_vector(), places);
    EXPECT_EQ(split(a, flags).no.to_vector(), no);
    EXPECT_EQ(split(a, flags).yes.to_vector(), yes);
    Ints both = yes;
    both.insert(both.end(), no.begin(), no.end());
    EXPECT_EQ(partition(a, flags).to_vector(), both);
  }
}

TEST(Pack, EveryTypeIntoAnyRoom) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    const Array<1, T> a(mixed<T>(9000, 3));
    const Array<1, bool> flags(mixed<bool>(9000, 5));
    for (const int64_t room : {0, 10, 9000})
      expect_same([&] { return detail::pack(flags.node(), a.node(), room, Location::current()); });
  });
}

TEST(Pack, Tuples) {
  const Array<1, float> x(std::vector<float>{1, 2, 3}), y(std::vector<float>{4, 5, 6});
  const auto packed = pack(join(x, y), Array<1, bool>(x != 2.0f));
  EXPECT_EQ(packed.component(1).to_vector(), (std::vector<float>{4, 6}));
}

// Long vectors are packed before it is known how many there are.
TEST(Pack, OfManyFindsOutHowMany) {
  const int64_t n = 200'001;
  const Array<1, int32_t> a = index(Shape<1>(n), 0);
  for (const int32_t every : {1, 2, 100, 1'000'000}) {
    Ints want;
    for (int32_t i = 1; i < n; ++i)
      if (i % every == 0) want.push_back(3 * i);
    const auto packed = pack(a * 3, Array<1, bool>(a % every == 0 && a > 0));
    EXPECT_EQ(packed.size(), static_cast<int64_t>(want.size()));
    EXPECT_EQ(packed.to_vector(), want);
    EXPECT_EQ((packed + 1).to_vector().size(), want.size());
    const auto pairs = pack(join(a, a * 3), Array<1, bool>(a % every == 0 && a > 0));
    EXPECT_EQ(pairs.component(1).to_vector(), want);
  }
}

TEST(Derived, UniqueHistogramMergeReversePermute) {
  const Array<1, int32_t> a(Ints{3, 1, 3, 3, 0, 1});
  EXPECT_EQ(unique(sort(a)).to_vector(), (Ints{0, 1, 3}));
  EXPECT_EQ(unique(Array<1, int32_t>(0)).to_vector(), Ints{});
  EXPECT_EQ(histogram(a, 4).to_vector(), (Ints{1, 2, 0, 3}));
  EXPECT_EQ(histogram(a, 2).to_vector(), (Ints{1, 2}));
  EXPECT_EQ(reverse(a).to_vector(), (Ints{1, 0, 3, 3, 1, 3}));
  EXPECT_EQ(reverse(Array<1, int32_t>(0)).to_vector(), Ints{});
  EXPECT_EQ(permute(a, Array<1, int32_t>(Ints{5, 4, 3, 2, 1, 0})).to_vector(),
            reverse(a).to_vector());
  Ints left = plain<int32_t>(5000), right = mixed<int32_t>(3000, 1), want = left;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  want.insert(want.end(), right.begin(), right.end());
  std::sort(want.begin(), want.end());
  EXPECT_EQ(merge(Array<1, int32_t>(left), Array<1, int32_t>(right)).to_vector(), want);
}

#define EXPECT_MESSAGE(action, text)                                               \
  EXPECT_NE(message_of<ShapeError>([&] { action; }).find(text), std::string::npos) \
      << message_of<ShapeError>([&] { action; })

TEST(VectorErrors, NameTheOperationAndTheFirstOffender) {
  const Array<1, float> a(std::vector<float>{1, 2, 3, 4});
  const auto offsets = [](Ints list) { return Array<1, int32_t>(list); };
  EXPECT_MESSAGE(segmented_sum(a, offsets({0, 3, 2, 4})).to_vector(),
                 "segmented_reduce: offsets[2] is 2, less than offsets[1], which is 3");
  EXPECT_MESSAGE(segmented_sum(a, offsets({0, 3, 2, 4})).to_vector(), "derived_test.cpp");
  EXPECT_MESSAGE(sum_scan(a, offsets({1, 4})).to_vector(), "scan: offsets[0] is 1");
  EXPECT_MESSAGE(segmented_sort(a, offsets({0, 5})).to_vector(),
                 "sort_values: offsets[1] is 5, but the last segment ends with the 4 elements");
  EXPECT_MESSAGE(element_segments(offsets({0, 5}), 4).to_vector(), "element_segments: offsets[1]");
  EXPECT_MESSAGE(segmented_sum(a, offsets_of_lengths(offsets({3, -1, 2}))).to_vector(),
                 "negative length");
  EXPECT_MESSAGE(offsets_of_lengths(offsets({3, -1, 2})).to_vector(),
                 "offsets[2] is 2, less than offsets[1], which is 3: the segment has a negative");
  EXPECT_MESSAGE(offsets_of_lengths(offsets({2, -1, -4})).to_vector(), "offsets[2] is 1, less");
  EXPECT_MESSAGE(offsets_of_lengths(offsets({-3})).to_vector(), "offsets[1] is -3, less");
  EXPECT_MESSAGE(offsets_of_lengths(offsets({2, -3})).to_vector(), "offsets[2] is -1, less");
  EXPECT_MESSAGE(offsets_of_lengths(offsets({2'000'000'000, 2'000'000'000})).to_vector(),
                 "negative length");
  EXPECT_MESSAGE(segmented_sum(a, Array<1, int32_t>(0)), "no offsets");
  EXPECT_MESSAGE(segmented_sum(a, offsets({0})),
                 "segmented_reduce: a single offset makes no segment, but there are 4 elements");
  EXPECT_MESSAGE(segmented_sum(a, offsets({7})), "a single offset makes no segment");
  EXPECT_MESSAGE(sum_scan(a, offsets({0})), "scan: a single offset");
  EXPECT_MESSAGE(segmented_sort(a, offsets({0})), "sort: a single offset");
  EXPECT_MESSAGE(element_segments(offsets({0}), 4), "element_segments: a single offset");
  EXPECT_EQ(segmented_sum(Array<1, int32_t>(0), offsets({0})).size(), 0)
      << "nothing, in no segment";
  EXPECT_MESSAGE(pack(a, Array<1, bool>(Shape<1>(3), true)), "pack: 3 flags for 4 elements");
  EXPECT_MESSAGE(scatter(a, offsets({1, 2}), a), "scatter: {4} values for {2} indices");
  EXPECT_MESSAGE(sort_by(offsets({1}), a), "sort: 1 keys for 4 values");
  EXPECT_NE(message_of<TypeError>([&] {
              detail::scan(Reduction::bit_or, a.node(), {}, false, Location::current());
            }).find("scan takes integers or bool, not float"),
            std::string::npos);
  EXPECT_EQ(segmented_sum(a, offsets({0, 4})).to_vector()[0], 10);  // everything is still usable
}

}  // namespace
}  // namespace tutti::test
