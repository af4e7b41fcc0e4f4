// each() with functions on Values: a loop for each element, all of them in one kernel.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <vector>

namespace tutti::test {
namespace {

// Steps of the 3n + 1 sequence until 1, and the greatest number on the way.
std::pair<int, int> plain_collatz(int n) {
  int steps = 0, most = n;
  for (; n > 1; ++steps) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    most = std::max(most, n);
  }
  return {steps, most};
}

Seq<std::tuple<int, int>> collatz(const Seq<int>& numbers) {
  return each(numbers, [](Value1i n) {
    Value1i steps = 0, most = n;
    WHILE(n > 1) {
      n = cond(n % 2 == 1, 3 * n + 1, n / 2);
      most = max(most, n);
      steps += 1;
    }
    ENDWHILE;
    return std::tuple(steps, most);
  });
}

TEST(CapturedFunctions, RunALoopForEachElement) {
  std::vector<int> numbers;
  for (int i = 1; i < 500; ++i) numbers.push_back(i);
  const auto got = collatz(numbers).to_vector();
  ASSERT_EQ(got.size(), numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto [steps, most] = plain_collatz(numbers[i]);
    EXPECT_EQ(got[i], std::tuple(steps, most));
  }
}

TEST(CapturedFunctions, RunInsideOfOtherContexts) {
  const std::vector<std::vector<int>> rows = {{1, 2, 3}, {}, {27}, {6, 7}};
  const Seq<Seq<int>> sequences = rows;
  const auto longest = each(sequences, [](Seq<int> row) { return sum(unzip<0>(collatz(row))); });
  std::vector<int> expected;
  for (const auto& row : rows) {
    int total = 0;
    for (int n : row) total += plain_collatz(n).first;
    expected.push_back(total);
  }
  EXPECT_EQ(longest.to_vector(), expected);
}

TEST(CapturedFunctions, TakePartsOfTuplesAndSeveralSequences) {
  const Seq<std::tuple<int, float>> pairs = std::vector<std::tuple<int, float>>{{1, 0.5f}, {2, 3}};
  const Seq<int> more = std::vector<int>{10, 20};
  const Seq<float> sums =
      each(pairs, more, [](Value1i a, Value1f b, Value1i c) { return cast<float>(a + c) + b; });
  EXPECT_EQ(sums.to_vector(), (std::vector<float>{11.5f, 25.0f}));
}

TEST(CapturedFunctions, ReadArraysFromOutside) {
  const std::vector<int> next = {2, 0, 3, -1};
  const Array<1, int> table(next.data(), 4);
  const Seq<int> starts = std::vector<int>{0, 1, 2, 3};
  const Seq<int> steps = each(starts, [&](Value1i node) {
    Value1i count = 0;
    WHILE(node >= 0) {
      node = table[node];
      count += 1;
    }
    ENDWHILE;
    return count;
  });
  EXPECT_EQ(steps.to_vector(), (std::vector<int>{3, 4, 2, 1}));
}

TEST(CapturedFunctions, OfNoElementsRunNothing) {
  EXPECT_TRUE(collatz(Seq<int>(std::vector<int>{})).to_vector().empty());
}

}  // namespace
}  // namespace tutti::test
