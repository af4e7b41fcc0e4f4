// The code of the guide's chapter on sequences and of docs/architecture/nested.md, compiled and
// run.
#include <gtest/gtest.h>

#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

Seq<int> quicksort(Seq<int> a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        Scalar<int> pivot = a[length(a) / 2];
        Seq<int> lesser = filter(a, a < pivot);
        Seq<int> equal = filter(a, a == pivot);
        Seq<int> greater = filter(a, a > pivot);
        Seq<Seq<int>> sorted = each(seq(lesser, greater), quicksort);
        return concat(sorted[0], equal, sorted[1]);
      });
}

using Ints = std::vector<int>;
using Rows = std::vector<Ints>;

TEST(GuideSequences, Quicksort) {
  EXPECT_EQ(quicksort(Ints{3, 1, 2, 3, 0}).to_vector(), (Ints{0, 1, 2, 3, 3}));
}

TEST(GuideSequences, LoopsOfEveryElement) {
  const Seq<int> numbers = Ints{1, 2, 3, 27};
  Seq<int> steps = each(numbers, [](Value1i n) {
    Value1i count = 0;
    WHILE(n > 1) {
      n = cond(n % 2 == 1, 3 * n + 1, n / 2);
      count += 1;
    }
    ENDWHILE;
    return count;
  });
  EXPECT_EQ(steps.to_vector(), (Ints{0, 1, 7, 111}));
}

TEST(GuideSequences, ToGetASequence) {
  const Seq<int> s = Ints{5, 6, 7, 8};
  const Seq<Seq<int>> ss = Rows{{1}, {}, {2, 3}};
  EXPECT_EQ(Seq<float>(Array<1, float>(std::vector<float>{1, 2})).to_vector(),
            (std::vector<float>{1, 2}));
  EXPECT_EQ(seq(1, 2, 3).to_vector(), (Ints{1, 2, 3}));
  EXPECT_EQ(seq(s, iota(2)).to_nested_vector(), (Rows{{5, 6, 7, 8}, {0, 1}}));
  EXPECT_EQ(distribute(4, 2).to_vector(), (Ints{4, 4}));
  EXPECT_EQ(each(s, iota(4), [](Scalar<int> x, Scalar<int> i) { return x * i; }).to_vector(),
            (Ints{0, 6, 14, 24}));
  EXPECT_EQ(filter(s, s > 6).to_vector(), (Ints{7, 8}));
  EXPECT_EQ(take(s, 1).to_vector(), Ints{5});
  EXPECT_EQ(drop(s, 1).to_vector(), (Ints{6, 7, 8}));
  EXPECT_EQ(slice(s, 1, 2).to_vector(), (Ints{6, 7}));
  EXPECT_EQ(s[Seq<int>(Ints{3, 0})].to_vector(), (Ints{8, 5}));
  EXPECT_EQ(concat(s, s).to_vector(), (Ints{5, 6, 7, 8, 5, 6, 7, 8}));
  EXPECT_EQ(flatten(ss).to_vector(), (Ints{1, 2, 3}));
  EXPECT_EQ(partition(s, Ints{3, 0, 1}).to_nested_vector(), (Rows{{5, 6, 7}, {}, {8}}));
  EXPECT_EQ(unzip<1>(zip(s, iota(4))).to_vector(), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(rotate(s, 1).to_vector(), (Ints{8, 5, 6, 7}));
  EXPECT_EQ(permute(s, Ints{1, 0, 3, 2}).to_vector(), (Ints{6, 5, 8, 7}));
  EXPECT_EQ(put(s, Ints{1}, Ints{0}).to_vector(), (Ints{5, 0, 7, 8}));
  EXPECT_EQ(put(s, Ints{1, 1}, Ints{1, 2}, Collision::sum).to_vector(), (Ints{5, 9, 7, 8}));
  EXPECT_EQ(split(s, s > 6).to_nested_vector(), (Rows{{5, 6}, {7, 8}}));
  EXPECT_EQ(unique(Seq<int>(Ints{1, 1, 2, 3, 3})).to_vector(), (Ints{1, 2, 3}));
  EXPECT_EQ(merge(s, Ints{1, 6}).to_vector(), (Ints{1, 5, 6, 6, 7, 8}));
  EXPECT_EQ(histogram(Ints{0, 2, 2, 9}, 3).to_vector(), (Ints{1, 0, 2}));
  EXPECT_EQ(lower_bound(s, Ints{6, 9}).to_vector(), (Ints{1, 4}));
  const auto join = [](Scalar<int> a, Scalar<int> b) { return a * 10 + b; };
  EXPECT_EQ(
      scan(seq(1, 2, 3), Scalar<int>(0), [](Scalar<int> a, Scalar<int> b) { return max(a, b); })
          .to_vector(),
      (Ints{0, 1, 2}));
  EXPECT_EQ(reduce(seq(1, 2), Scalar<int>(0), join).item(), 12);
  EXPECT_EQ(sum_scan(s).to_vector(), (Ints{5, 11, 18, 26}));
  EXPECT_EQ(sum_scan(s, Scan::exclusive).to_vector(), (Ints{0, 5, 11, 18}));
}

// docs/architecture/nested.md: the worked example.
TEST(GuideSequences, NestedBodies) {
  const Seq<Seq<int>> ss = Rows{{1}, {}, {2, 3}};
  const auto products =
      each(ss, [](Seq<int> s) { return each(s, [&](Scalar<int> x) { return x * length(s); }); });
  EXPECT_EQ(products.to_nested_vector(), (Rows{{1}, {}, {4, 6}}));
}

TEST(GuideSequences, ToGetANumber) {
  const Seq<int> s = Ints{5, 6, 7, 8};
  const Seq<Seq<int>> ss = Rows{{1}, {}, {2, 3}};
  EXPECT_EQ(s[2].item(), 7);
  EXPECT_EQ(ss[2].to_vector(), (Ints{2, 3}));
  EXPECT_EQ(length(s).item(), 4);
  EXPECT_EQ(lengths(ss).to_vector(), (Ints{1, 0, 2}));
  EXPECT_EQ(max_index(s).item(), 3);
  EXPECT_TRUE(equal(ss[0], seq(1)).item());
  EXPECT_EQ(select(length(s) > 3, s, iota(1)).to_vector(), (Ints{5, 6, 7, 8}));
}

}  // namespace
