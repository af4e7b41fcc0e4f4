// Gathers of neighbours, as interpolation reads them: pairs of elements at computed coordinates.
// Whatever the distance in each lane, the elements are those of plain loops.
#include <random>

#include "codegen/codegen.hpp"
#include "support/plan_of.hpp"
#include "transform/model.hpp"

namespace tutti::test {
namespace {

std::vector<int> random_places(int64_t count, int first, int last, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(first + static_cast<int>(random() % static_cast<unsigned>(last - first + 1)));
  return result;
}

template <class T>
T weigh(T a, T b) {
  return static_cast<T>(a + b + b);
}

// Rows and columns in [-outside, extent + outside) of a picture; the second column is `apart` from
// the first.
template <class T>
void expect_pairs(const Shape<2>& shape, int64_t count, int apart, int outside) {
  const auto m = plain_model<2, T>(shape);
  const auto a = plain_array<2, T>(shape);
  const auto last = [&](int axis) { return static_cast<int>(shape[axis]) - 1 + outside; };
  const auto rows = random_places(count, -outside, last(0), 1),
             columns = random_places(count, -outside, last(1), 2);
  const Array<1, int> i(rows), j(columns);
  for (const auto& rule : rules<T>()) {
    std::vector<T> want;
    const auto element = [&](size_t k, int64_t further) {
      return look_up(m, Coordinates{rows[k], columns[k] + further}, rule.boundary.kind(),
                     rule.fill);
    };
    for (size_t k = 0; k < rows.size(); ++k)
      want.push_back(weigh(element(k, 0), element(k, apart)));
    SCOPED_TRACE(shape_text(a, rule.name) + " " + std::to_string(count) + " pairs, " +
                 std::to_string(apart) + " apart, up to " + std::to_string(outside) + " outside");
    expect_values(
        [&] {
          const Array<1, T> first = gather(a, rule.boundary, i, j),
                            second = gather(a, rule.boundary, i, j + apart);
          return Array<1, T>(first + second + second);
        },
        want);
  }
}

template <class T>
void expect_all_pairs() {
  for (const Shape<2>& shape : {Shape<2>(1, 1), Shape<2>(7, 2), Shape<2>(1, 33), Shape<2>(20, 50)})
    for (const int64_t count : {1, 15, 16, 33, 100})
      for (const int apart : {-2, -1, 0, 1, 2})
        for (const int outside : {0, 3}) expect_pairs<T>(shape, count, apart, outside);
}

TEST(NeighbourGather, Floats) { expect_all_pairs<float>(); }
TEST(NeighbourGather, Integers) { expect_all_pairs<int32_t>(); }
TEST(NeighbourGather, Shorts) { expect_all_pairs<int16_t>(); }
TEST(NeighbourGather, Doubles) { expect_all_pairs<double>(); }

// The distance differs from lane to lane.
TEST(NeighbourGather, AtAnyDistance) {
  const auto m = plain_model<1, float>({60});
  const auto a = plain_array<1, float>({60});
  for (const int less : {0, 1, 4}) {
    const auto first = random_places(333, 4, 50, 3);
    std::vector<float> want;
    for (const int at : first)
      want.push_back(weigh(m.data[static_cast<size_t>(at)],
                           m.data[static_cast<size_t>(at + (at & 3) - less)]));
    const Array<1, int> here(first);
    expect_values(
        [&] {
          const Array<1, float> x = gather(a, here), y = gather(a, here + (here & 3) - less);
          return Array<1, float>(x + y + y);
        },
        want);
  }
}

// An element says where the next one is, so the two are no pair. Chains in two arrays, each of
// which needs the other, are none either.
TEST(NeighbourGather, AtPlacesThatWereGathered) {
  const auto next = random_places(50, 0, 49, 7), other = random_places(50, 0, 49, 8),
             start = random_places(333, 0, 49, 9);
  const Array<1, int> a(next), b(other), here(start);
  const auto at = [](const std::vector<int>& from, int place) {
    return from[static_cast<size_t>(place)];
  };
  std::vector<int> chain, crossed;
  for (const int place : start) {
    const int x = at(next, place), y = at(other, place);
    chain.push_back(weigh(x, at(next, x)));
    crossed.push_back(weigh(x + y, at(next, y) + at(other, x)));
  }
  expect_values(
      [&] {
        const Array<1, int> x = gather(a, here), y = gather(a, x);
        return Array<1, int>(x + y + y);
      },
      chain);
  expect_values(
      [&] {
        const Array<1, int> x = gather(a, here), y = gather(b, here);
        const Array<1, int> z = gather(a, y) + gather(b, x);
        return Array<1, int>(x + y + z + z);
      },
      crossed);
}

// The four neighbours of a point, of each of several colours, in an image of any width.
TEST(NeighbourGather, OfColoursAroundAPoint) {
  for (const int64_t side : {1, 2, 20, 70}) {
    const Shape<2> shape(side, side);
    const Array<2, float> red = plain_array<2, float>(shape), green = red * 3.0f + 1.0f;
    red.evaluate(), green.evaluate();
    const auto model = plain_model<2, float>(shape);
    const auto turned = [&] {
      const Array<2, float> y = cast<float>(index(shape, 0)), x = cast<float>(index(shape, 1));
      const Array<2, int> i = cast<int>(floor(y * 0.75f + x * 0.5f)),
                          j = cast<int>(floor(x * 0.75f - y * 0.5f));
      Array<2, float> sum(shape, 0.0f);
      for (const Array<2, float>& colour : {red, green})
        for (int down : {0, 1})
          for (int right : {0, 1})
            sum += gather(colour, Boundary::constant(0.0f), i + down, j + right);
      return sum;
    };
    std::vector<float> want;
    for (int64_t y = 0; y < side; ++y)
      for (int64_t x = 0; x < side; ++x) {
        const auto fy = static_cast<float>(y), fx = static_cast<float>(x);
        const auto i = static_cast<int64_t>(std::floor(fy * 0.75f + fx * 0.5f)),
                   j = static_cast<int64_t>(std::floor(fx * 0.75f - fy * 0.5f));
        float sum = 0;
        for (const bool second : {false, true})
          for (int64_t down : {0, 1})
            for (int64_t right : {0, 1}) {
              const Coordinates at{i + down, j + right};
              const bool inside = at[0] >= 0 && at[0] < side && at[1] >= 0 && at[1] < side;
              const float element = look_up(model, at, Boundary::Kind::constant, 0.0f);
              sum += !inside ? 0.0f : second ? element * 3.0f + 1.0f : element;
            }
        want.push_back(sum);
      }
    expect_values(turned, want);
  }
}

TEST(NeighbourGather, ReadsPairs) {
  if (codegen::vector_bits() != 512) GTEST_SKIP() << "the vectors have other lengths";
  const Shape<2> shape(100, 100);
  const auto a = plain_array<2, float>(shape);
  const Array<1, int> i(random_places(500, 0, 98, 5)), j(random_places(500, 0, 98, 6));
  const Array<1, float> sum = gather(a, i, j) + gather(a, i, j + 1);
  const auto plan = cpu_plan(sum);
  const auto kernels = kernels_of(*plan);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_NE(codegen::show_ir(kernels[0]->kernel, false).find("masked.gather.v16i64"),
            std::string::npos);
}

}  // namespace
}  // namespace tutti::test
