// The code of docs/guide.md about vectors, compiled and run.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

TEST(Guide, Vectors) {
  Array<1, float> prices(std::vector<float>{3, 1, 4, 1, 5});
  Array<1, int> shops(std::vector<int>{0, 2, 5});
  Array<1, float> running = sum_scan(prices);
  Array<1, float> takings = segmented_sum(prices, shops);
  Array<1, float> cheap = pack(prices, Array<1, bool>(prices < 4.0f));
  Array<1, float> sorted = sort(prices);
  auto [highest, where] = top_k(prices, 2);
  EXPECT_EQ(running.to_vector(), (std::vector<float>{3, 4, 8, 9, 14}));
  EXPECT_EQ(takings.to_vector(), (std::vector<float>{4, 10}));
  EXPECT_EQ(cheap.to_vector(), (std::vector<float>{3, 1, 1}));
  EXPECT_EQ(sorted.to_vector(), (std::vector<float>{1, 1, 3, 4, 5}));
  EXPECT_EQ(highest.to_vector(), (std::vector<float>{5, 4}));
  EXPECT_EQ(where.to_vector(), (std::vector<int>{4, 2}));
}

}  // namespace
