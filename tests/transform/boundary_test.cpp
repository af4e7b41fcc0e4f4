// Transformations that reach outside: shift, rotate, expand and pad under every boundary rule.
#include <numeric>

#include "transform/model.hpp"

namespace tutti::test {
namespace {

// Offsets for axis k of a shape: none, near, the whole extent, and far beyond.
template <int D>
std::vector<Coordinates> offsets(const Shape<D>& shape) {
  std::vector<Coordinates> result;
  for (int64_t amount : {0, 1, -2, 15, -17, 1000}) {
    Coordinates all, last(D, 0);
    for (int k = 0; k < D; ++k) all.push_back(k % 2 ? -amount : amount);
    last[D - 1] = amount;
    result.push_back(all);
    result.push_back(last);
  }
  result.push_back(to_coordinates(shape));
  return result;
}

TEST(Shift, FollowsItsRule) {
  for_each_size_of_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_rank([](auto rank) {
      for (const auto& shape : shapes<rank>()) {
        const auto m = plain_model<rank, T>(shape);
        const auto a = plain_array<rank, T>(shape);
        for (const auto& rule : rules<T>()) {
          SCOPED_TRACE(shape_text(a, rule.name));
          for (const Coordinates& by : offsets(shape))
            expect_model([&] { return shift(a, to_shape<rank>(by), rule.boundary); },
                         model::shift(m, by, rule.boundary.kind(), rule.fill));
        }
      }
    });
  });
}

TEST(Shift, ClampsUnlessToldOtherwise) {
  const Array<1, int> a(std::vector<int>{1, 2, 3, 4});
  expect_values([&] { return shift(a, {1}); }, std::vector<int>{1, 1, 2, 3});
  expect_values([&] { return shift(a, {-2}); }, std::vector<int>{3, 4, 4, 4});
  expect_values([&] { return rotate(a, {1}); }, std::vector<int>{4, 1, 2, 3});
  expect_values([&] { return rotate(a, {-5}); }, std::vector<int>{2, 3, 4, 1});
  expect_values([&] { return shift(a, {2}, Boundary::constant(0)); }, std::vector<int>{0, 0, 1, 2});
}

TEST(Shift, RotationsAddUpAroundTheExtent) {
  for (int length : {1, 2, 5, 17, 40}) {
    std::vector<int> numbers(static_cast<size_t>(length));
    std::iota(numbers.begin(), numbers.end(), 1);
    const Array<1, int> a(numbers);
    for (int first : {1, -3, length, 2 * length - 1})
      for (int second : {-1, 4, length - first, -length}) {
        std::vector<int> want(numbers.size());
        for (int i = 0; i < length; ++i) {
          const int from = ((i - first - second) % length + length) % length;
          want[static_cast<size_t>(i)] = numbers[static_cast<size_t>(from)];
        }
        expect_values([&] { return rotate(rotate(a, {first}), {second}); }, want);
        expect_values([&] { return rotate(rotate(a, {first}) + 0, {second}); }, want);
      }
  }
}

TEST(Shift, TakesExtremeOffsets) {
  const Array<1, int> a(std::vector<int>{1, 2, 3});
  constexpr int64_t most = std::numeric_limits<int64_t>::max(),
                    least = std::numeric_limits<int64_t>::min();
  expect_values([&] { return shift(a, {most}); }, std::vector<int>{1, 1, 1});
  expect_values([&] { return shift(a, {least}); }, std::vector<int>{3, 3, 3});
  expect_values([&] { return shift(a, {least}, Boundary::constant(9)); },
                std::vector<int>{9, 9, 9});
  expect_values([&] { return rotate(a, {most}); }, std::vector<int>{3, 1, 2});  // most = 1 modulo 3
  expect_values([&] { return rotate(a, {least}); },
                std::vector<int>{3, 1, 2});  // least = 1 modulo 3
}

TEST(Expand, FollowsItsRule) {
  for_each_size_of_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_rank([](auto rank) {
      for (const auto& shape : shapes<rank>()) {
        const auto m = plain_model<rank, T>(shape);
        const auto a = plain_array<rank, T>(shape);
        for (const auto& rule : rules<T>())
          for (const Margin margin : {Margin{1, 2}, Margin{0, 5}, Margin{40, 3}}) {
            SCOPED_TRACE(shape_text(a, rule.name));
            std::vector<Margin> margins(rank, Margin{1, 0});
            margins[rank - 1] = margin;
            expect_model([&] { return expand(a, PerAxis<Margin>(margins), rule.boundary); },
                         model::expand(m, margins, rule.boundary.kind(), rule.fill));
          }
      }
    });
  });
}

TEST(Expand, WrapsUnlessToldOtherwise) {
  const Array<1, int> a(std::vector<int>{1, 2, 3});
  expect_values([&] { return expand(a, {{2, 4}}); }, std::vector<int>{2, 3, 1, 2, 3, 1, 2, 3, 1});
  expect_values([&] { return pad(a, {{1, 2}}, 7); }, std::vector<int>{7, 1, 2, 3, 7, 7});
}

TEST(Expand, ManyPeriodsFar) {
  const Array<1, int> a(std::vector<int>{1, 2, 3});
  std::vector<int> want;
  for (int i = 0; i < 30001; ++i)
    want.push_back(1 + (i + 2) % 3);  // 10000 elements before: 2 modulo 3
  expect_values([&] { return expand(a, {{10000, 19998}}); }, want);
}

TEST(Pad, TakesATupleForATuple) {
  const Array<1, Value2i> a(std::vector<Value2i>{{1, 2}, {3, 4}});
  expect_values([&] { return pad(a, {{1, 0}}, Value2i{8, 9}); },
                std::vector<Value2i>{{8, 9}, {1, 2}, {3, 4}});
  expect_values([&] { return shift(a, {1}, Boundary::constant(Value2i{8, 9})); },
                std::vector<Value2i>{{8, 9}, {1, 2}});
  expect_values([&] { return shift(a, {-1}, Boundary::constant(5)); },
                std::vector<Value2i>{{3, 4}, {5, 5}});
}

TEST(Boundary, ConstantsConvertToTheElementType) {
  const Array<1, uint8_t> a(std::vector<uint8_t>{1, 2});
  expect_values([&] { return shift(a, {1}, Boundary::constant(1000.5)); },
                std::vector<uint8_t>{255, 1});
  const Array<1, float> b(std::vector<float>{1, 2});
  expect_values([&] { return shift(b, {1}, Boundary::constant(3)); }, std::vector<float>{3, 1});
}

TEST(Boundary, EmptyArraysHaveOnlyConstants) {
  const Array<1, int> none(0);
  expect_values([&] { return shift(none, {1}); }, std::vector<int>{});
  expect_values([&] { return pad(none, {{1, 2}}, 4); }, std::vector<int>{4, 4, 4});
  EXPECT_THROW(expand(none, {{1, 2}}), ShapeError);
}

}  // namespace
}  // namespace tutti::test
