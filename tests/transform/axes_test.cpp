// Transformations that stay inside: section, replicate, transpose, drop, add, broadcast, reshape,
// index.
#include "transform/model.hpp"

#include <algorithm>

namespace tutti::test {
namespace {

// Runs check(shape, model, array) for every rank, shape and size of element.
template <class Check>
void everywhere(Check check) {
  for_each_size_of_type([&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_rank([&](auto rank) {
      for (const auto& shape : shapes<rank>()) {
        const auto a = plain_array<rank, T>(shape);
        SCOPED_TRACE(shape_text(a));
        check(shape, plain_model<rank, T>(shape), a);
      }
    });
  });
}

TEST(Section, WithStridesBothWays) {
  everywhere([]<int D, class T>(const Shape<D>& shape, const Model<T>& m, const Array<D, T>& a) {
    for (const int64_t stride : {1, 2, 3, -1, -2, 0}) {
      std::vector<Range> ranges;
      for (int k = 0; k < D; ++k) {
        const int64_t n = shape[k], own = k == D - 1 ? stride : 1;
        const int64_t count = own == 0 ? 4 : (n + std::abs(own) - 1) / std::abs(own);
        ranges.push_back({own < 0 ? n - 1 : own == 0 ? n / 2 : 0, count, own});
      }
      expect_model([&] { return section(a, PerAxis<Range>(ranges)); }, model::section(m, ranges));
      if (shape[0] > 1) {  // part of the first axis, backwards
        ranges[0] = {shape[0] - 1, shape[0] / 2, -1};
        expect_model([&] { return section(a, PerAxis<Range>(ranges)); }, model::section(m, ranges));
      }
    }
  });
}

TEST(Section, OfNothingAndOfOne) {
  const Array<1, int> a(std::vector<int>{1, 2, 3});
  expect_values([&] { return section(a, {{1, 0, 1}}); }, std::vector<int>{});
  expect_values([&] { return section(a, {{2, 2, -2}}); }, std::vector<int>{3, 1});
  constexpr int64_t most = std::numeric_limits<int64_t>::max(),
                    least = std::numeric_limits<int64_t>::min();
  expect_values([&] { return section(a, {{1, 1, least}}); },
                std::vector<int>{2});  // a stride never taken
  expect_values([&] { return section(a, {{most, 0, most}}); }, std::vector<int>{});
  expect_values([&] { return pad(section(a, {{most, 0, most}}), {{1, 1}}, 4); },
                std::vector<int>{4, 4});
}

TEST(Replicate, RepeatsAndCuts) {
  everywhere([]<int D, class T>(const Shape<D>& shape, const Model<T>& m, const Array<D, T>& a) {
    for (const int64_t extra : {0, 1, 20, -1}) {
      Shape<D> wide = shape;
      wide[D - 1] = std::max<int64_t>(1, 2 * shape[D - 1] + extra);
      if (D > 1) wide[0] = shape[0] + 3;
      if (extra < 0) wide[D - 1] = (shape[D - 1] + 1) / 2;
      expect_model([&] { return replicate(a, wide); }, model::replicate(m, to_coordinates(wide)));
    }
  });
}

TEST(Transpose, EveryPermutation) {
  everywhere([]<int D, class T>(const Shape<D>&, const Model<T>& m, const Array<D, T>& a) {
    Coordinates axes;
    for (int k = 0; k < D; ++k) axes.push_back(k);
    do {
      expect_model([&] { return transpose(a, to_shape<D>(axes)); }, model::transpose(m, axes));
    } while (std::next_permutation(axes.begin(), axes.end()));
    std::sort(axes.rbegin(), axes.rend());
    expect_model([&] { return transpose(a); }, model::transpose(m, axes));
  });
}

TEST(Dimensions, DropAndAddEveryAxis) {
  everywhere([]<int D, class T>(const Shape<D>&, const Model<T>& m, const Array<D, T>& a) {
    for (int axis = 0; axis < D; ++axis)
      expect_model([&] { return drop_dimension(a, axis); }, model::drop_dimension(m, axis));
    for (int axis = 0; axis <= D; ++axis)
      for (const int64_t extent : {1, 3, 17})
        expect_model([&] { return add_dimension(a, axis, extent); },
                     model::add_dimension(m, axis, extent));
  });
}

TEST(Broadcast, RepeatsAxesOfOne) {
  everywhere([]<int D, class T>(const Shape<D>&, const Model<T>& m, const Array<D, T>& a) {
    for (int kept = 0; kept < D;
         ++kept) {  // one axis with elements, the others of extent 1, and a new one
      std::vector<Range> ranges(D, Range{0, 1, 1});
      ranges[static_cast<size_t>(kept)] = {0, m.shape[static_cast<size_t>(kept)], 1};
      Coordinates wide = m.shape;
      wide.insert(wide.begin(), 2);
      expect_model(
          [&] { return broadcast(section(a, PerAxis<Range>(ranges)), to_shape<D + 1>(wide)); },
          model::broadcast(model::section(m, ranges), wide));
    }
  });
}

TEST(Reshape, KeepsTheOrder) {
  everywhere([]<int D, class T>(const Shape<D>& shape, const Model<T>& m, const Array<D, T>& a) {
    const int64_t n = shape.size();
    expect_values([&] { return reshape(a, Shape<1>(n)); }, m.data);
    expect_values([&] { return reshape(a, Shape<3>(1, n, 1)); }, m.data);
    expect_values([&] { return reshape(rotate(rotate(a, shape), shape), Shape<2>(n, 1)); }, m.data);
  });
}

TEST(Reshape, OfAnExpression) {
  const Array<2, int> a(std::vector<int>{1, 2, 3, 4, 5, 6}, 2, 3);
  expect_values([&] { return reshape(transpose(a), Shape<2>(2, 3)); },
                std::vector<int>{1, 4, 2, 5, 3, 6});
  expect_values([&] { return shift(reshape(a + 1, Shape<1>(6)), {1}) * 2; },
                std::vector<int>{4, 4, 6, 8, 10, 12});
  const Array<1, int> copy =
      reshape(a, Shape<1>(6));  // shares the buffer of a: writing x += 1 must not
  Array<1, int> x = copy;
  x += 1;
  EXPECT_EQ(x.to_vector(), (std::vector<int>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(a.to_vector(), (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST(Index, IsTheCoordinate) {
  for_each_rank([](auto rank) {
    for (const auto& shape : shapes<rank>())
      for (int axis = 0; axis < rank; ++axis) {
        const auto want = make<int32_t>(to_coordinates(shape), [&](const Coordinates& c) {
          return static_cast<int32_t>(c[static_cast<size_t>(axis)]);
        });
        expect_model([&] { return index<rank>(shape, axis); }, want);
        expect_model([&] { return shift(index<rank>(shape, axis) * 1, Shape<rank>()); }, want);
      }
  });
}

TEST(Index, MovesWithTransformations) {
  const auto i = [] { return index<1>({6}, 0); };
  expect_values([&] { return rotate(i(), {2}); }, std::vector<int>{4, 5, 0, 1, 2, 3});
  expect_values([&] { return section(i(), {{5, 3, -2}}); }, std::vector<int>{5, 3, 1});
  expect_values([&] { return shift(i(), {2}, Boundary::constant(-1)); },
                std::vector<int>{-1, -1, 0, 1, 2, 3});
  expect_values([&] { return replicate(i(), {8}); }, std::vector<int>{0, 1, 2, 3, 4, 5, 0, 1});
}

TEST(Rank, EightIsTheMost) {
  const Shape<8> shape(2, 3, 1, 2, 2, 1, 3, 2);
  const auto m = plain_model<8, float>(shape);
  const auto a = plain_array<8>(shape);
  expect_model([&] { return transpose(a); }, model::transpose(m, {7, 6, 5, 4, 3, 2, 1, 0}));
  const Coordinates by{1, 1, 0, 1, 1, 0, -1, 1};
  expect_model([&] { return rotate(a, to_shape<8>(by)); },
               model::shift(m, by, Boundary::Kind::wrap, 0.0f));
  expect_model([&] { return add_dimension(drop_dimension(a, 4), 0, 2); },
               model::add_dimension(model::drop_dimension(m, 4), 0, 2));
  expect_same([&] { return sum(a * 0.1f, {0, 2, 4, 6}); });
  expect_same([&] { return max_val(a, {1, 7}); });
}

// The rank follows from the number of extents in braces, of any integer type.
TEST(ListedExtents, GiveTheRank) {
  const Array<1, int> a = index({12}, 0);
  const size_t columns = 4;
  const auto matrix = reshape(a, {3, columns});
  static_assert(std::is_same_v<decltype(matrix), const Array<2, int>>);
  EXPECT_EQ((index({3, 4}, 0) * 4 + index({3, 4}, 1)).to_vector(), matrix.to_vector());
  EXPECT_EQ(reshape<2>(a, {3, 4}).to_vector(), matrix.to_vector());
  EXPECT_EQ(broadcast(reshape(matrix, {12}), {2, 12}).shape(), Shape<2>(2, 12));
  static_assert(std::is_same_v<decltype(index<int64_t>({3, 4}, 1)), Array<2, int64_t>>);
  EXPECT_THROW(reshape(a, {5, 5}), ShapeError);
}

}  // namespace
}  // namespace tutti::test
