// The code of docs/start.md, compiled and run.
#include <gtest/gtest.h>

#include <iostream>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int>;
using Rows = std::vector<Ints>;

TEST(Start, AFirstArray) {
  Array<2, float> a(std::vector<float>{1, -2, 3, 4, 5, -6}, 2, 3);
  Array<2, float> b = 2 * a + 1;
  std::vector<float> elements = b.to_vector();
  float total = sum(b);
  Array<1, float> columns = sum(b, 0);
  EXPECT_EQ(elements, (Floats{3, -3, 7, 9, 11, -11}));
  EXPECT_EQ(total, 16.0f);
  EXPECT_EQ(columns.to_vector(), (Floats{12, 8, -4}));
}

TEST(Start, SeeWhatWouldRun) {
  testing::internal::CaptureStdout();
  Array<1, float> x(std::vector<float>(1000, 0.5f));
  Array<1, float> y = sqrt(sin(x) * sin(x) + 1);
  std::cout << explain(y);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("kernel 1"), std::string::npos);
  EXPECT_EQ(text.find("kernel 2"), std::string::npos);
}

Array<2, int> life(const Array<2, int>& board) {
  Array<2, int> around(board.shape(), 0);
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      if (i != 0 || j != 0) around += rotate(board, {i, j});
  return cast<int>(around == 3 || (board == 1 && around == 2));
}

TEST(Start, Neighbours) {
  Array<2, int> board(5, 5);
  slice(board, {2, 1}, {3, 4}) = 1;
  EXPECT_EQ(explain(life(board.evaluate())).kernels().size(), 1u);
  EXPECT_EQ(transpose(life(board)).to_vector(), board.to_vector());
}

TEST(Start, Vectors) {
  Array<1, int> v(std::vector<int>{5, 2, 8, 1});
  Array<1, int> running = sum_scan(v);
  Array<1, int> sorted = sort(v);
  Array<1, int> large = pack(v, Array<1, bool>(v > 3));
  Array<1, int> counts = histogram(Array<1, int>(v % 3), 3);
  EXPECT_EQ(running.to_vector(), (Ints{5, 7, 15, 16}));
  EXPECT_EQ(sorted.to_vector(), (Ints{1, 2, 5, 8}));
  EXPECT_EQ(large.to_vector(), (Ints{5, 8}));
  EXPECT_EQ(counts.to_vector(), (Ints{0, 1, 3}));
}

TEST(Start, Programs) {
  Program steps_to_escape = program([](Value1f x, Value1f y) {
    Value1f a = 0.0f, b = 0.0f;
    Value1i k = 0;
    TUTTI_WHILE(a * a + b * b < 4.0f && k < 100) {
      const Value1f next = a * a - b * b + x;
      b = 2.0f * a * b + y;
      a = next;
      k += 1;
    }
    TUTTI_ENDWHILE;
    return k;
  });
  Array<1, int> k = steps_to_escape(Array<1, float>(std::vector<float>{0, 0.5f, 2}), 0.0f);
  EXPECT_EQ(k.to_vector(), (Ints{100, 5, 1}));
}

TEST(Start, RaggedData) {
  Seq<Seq<int>> rows = std::vector<std::vector<int>>{{3, 1, 2}, {}, {5}};
  Seq<int> totals = each(rows, [](Seq<int> row) { return sum(row); });
  Seq<Seq<int>> squares = each(rows, [](Seq<int> row) { return row * row; });
  Seq<Seq<int>> ordered = each(rows, [](Seq<int> row) { return sort(row); });
  EXPECT_EQ(totals.to_vector(), (Ints{6, 0, 5}));
  EXPECT_EQ(squares.to_nested_vector(), (Rows{{9, 1, 4}, {}, {25}}));
  EXPECT_EQ(ordered.to_nested_vector(), (Rows{{1, 2, 3}, {}, {5}}));
}

TEST(Start, MemoryOfOtherLibraries) {
  std::vector<float> pixels(480 * 640, 0.5f);
  auto image = Array<2, float>::view(pixels.data(), {480, 640}, {640, 1});
  Array<2, float> brighter = min(image * 1.5f, 1.0f);
  auto lent = as_mdspan(brighter);
  float corner = lent(0, 0);
  EXPECT_EQ(corner, 0.75f);
}

TEST(Start, Devices) {
  testing::internal::CaptureStdout();
  {
    ScopedDevice on_the_cpu("cpu");
    std::cout << sum(Array<1, float>(std::vector<float>{1, 2, 3})).item();
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "6");
}

}  // namespace
