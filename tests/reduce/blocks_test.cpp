// Reductions of small blocks of an image, which a GPU gives to a few threads each: one for a
// column, where rows and columns are powers of two.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

struct Block {
  int rows, columns;
};
constexpr Block blocks[] = {{2, 2},  {4, 4},   {8, 8},  {16, 16}, {2, 32}, {32, 2},
                            {32, 8}, {16, 32}, {3, 16}, {16, 3},  {4, 1},  {1, 8}};

// The last threads have no block.
constexpr int down = 7, across = 5;

Array<4, float> cut(const Array<2, float>& image, const Block& block) {
  return reshape(image, Shape<4>(down, block.rows, across, block.columns));
}

template <class F>
void for_each_block(F f) {
  for (const Block& block : blocks) {
    SCOPED_TRACE(std::to_string(block.rows) + " x " + std::to_string(block.columns));
    f(block, plain_array(Shape<2>(down * block.rows, across * block.columns)));
  }
}

TEST(Blocks, EveryReduction) {
  for_each_block([](const Block& block, const Array<2, float>& image) {
    expect_same([&] { return sum(cut(image, block), {1, 3}); });
    expect_same([&] { return product(cut(image, block) * 0.01f, {1, 3}); });
    expect_same([&] { return max_val(cut(image, block), {1, 3}); });
    expect_same([&] { return min_val(cast<int>(cut(image, block)), {1, 3}); });
    expect_same([&] { return any(cut(image, block) > 100.0f, {1, 3}); });
  });
}

// So much to do for an element that rows of a block are a loop; the least of four candidates needs
// all their sums.
TEST(Blocks, LongBodies) {
  for_each_block([](const Block& block, const Array<2, float>& image) {
    expect_same([&] {
      Array<2, float> least(Shape<2>(down, across), 1e30f);
      for (int candidate = 0; candidate < 4; ++candidate) {
        Array<2, float> moved = shift(image, {candidate, -1});
        for (int i = 0; i < 25; ++i) moved = moved * 0.75f + shift(image, {0, i % 3});
        least = min(least, sum(abs(cut(image, block) - cut(moved, block)), {1, 3}));
      }
      return least;
    });
  });
}

// Every block reads another image at a place of its own.
TEST(Blocks, MovedByAVectorOfTheirOwn) {
  for_each_block([](const Block& block, const Array<2, float>& image) {
    const Shape<4> shape(down, block.rows, across, block.columns);
    const auto vector = cast<int>(plain_array(Shape<2>(down, across))) % 5;
    vector.evaluate();
    expect_same([&] {
      const auto moved = reshape(vector, Shape<4>(down, 1, across, 1));
      const auto row = index(shape, 0) * block.rows + index(shape, 1) + moved;
      const auto column = index(shape, 2) * block.columns + index(shape, 3) - moved;
      return sum(abs(cut(image, block) - gather(image, row, column)), {1, 3});
    });
  });
}

// Enough neighbouring blocks that each lane computes one, also of values that are computed on the
// way, moved, or have other uses.
TEST(Blocks, SideBySide) {
  const Array<2, float> image = plain_array(Shape<2>(4 * 12, 4 * 75));
  for (const int side : {2, 3, 4}) {
    SCOPED_TRACE(side);
    const Shape<4> shape(48 / side, side, 300 / side, side);
    expect_same([&] { return sum(reshape(image, shape), {1, 3}) * 0.25f; });
    expect_same([&] { return max_val(sqrt(abs(reshape(image, shape))) + 1.0f, {1, 3}); });
    expect_same([&] {
      const Array<4, float> moved = reshape(shift(image, {1, -2}), shape);
      return sum(moved, {1, 3}) - min_val(moved, {1, 3});
    });
  }
}

}  // namespace
}  // namespace tutti::test
