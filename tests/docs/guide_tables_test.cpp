// The tables of docs/guide.md whose columns have no title: code in them, compiled and run.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

using Ints = std::vector<int>;
using Rows = std::vector<Ints>;

TEST(GuideTables, ToGetAnArray) {
  const std::vector<float> data{1, 2, 3, 4, 5, 6};
  EXPECT_EQ((Array<2, float>(data, 2, 3)).size(), 6);
  EXPECT_EQ((Array<2, float>(data.data(), {2, 3})).to_vector(), data);
  EXPECT_EQ((Array<2, float>({2, 3}, 1.5f)).to_vector(), std::vector<float>(6, 1.5f));
  EXPECT_EQ((Array<2, float>(2, 3)).to_vector(), std::vector<float>(6, 0.0f));
  Array<0, float> s = 3.0f;
  EXPECT_EQ(s.item(), 3.0f);
  EXPECT_EQ(index<2>({2, 3}, 1).to_vector(), (std::vector<int>{0, 1, 2, 0, 1, 2}));
  const Array<1, float> r(data), g = r * 2.0f, b = r * 3.0f;
  const Array<1, Value3f> colour = join(r, g, b);
  EXPECT_EQ(colour.component(2).to_vector()[1], 6.0f);
}

TEST(GuideTables, MixedTypes) {
  const Array<1, float> f(std::vector<float>{1, 2});
  const Array<1, int> i(std::vector<int>{1, 2});
  static_assert(std::is_same_v<decltype(f * 2), Array<1, float>>);
  static_assert(std::is_same_v<decltype(f * 0.5), Array<1, float>>);
  static_assert(std::is_same_v<decltype(i * 0.5f), Array<1, float>>);
  static_assert(std::is_same_v<decltype(i + f), Array<1, float>>);
  EXPECT_EQ((i * 0.5f).to_vector(), (std::vector<float>{0.5f, 1}));
}

TEST(GuideTables, TimeSteps) {
  const auto life = [](const Array<2, int>& board) { return rotate(board, {1, 0}); };
  const Array<2, int> board(std::vector<int>{1, 2, 3, 4}, 2, 2);
  EXPECT_EQ(time_steps(board, 1000, life, {.together = 4}).to_vector(), board.to_vector());
}

TEST(GuideTables, ToGetASequence) {
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

TEST(GuideTables, ToGetANumber) {
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
