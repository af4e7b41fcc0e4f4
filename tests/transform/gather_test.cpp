// gather: any index, under every rule, from arrays and from expressions.
#include "transform/model.hpp"

#include <climits>

namespace tutti::test {
namespace {

// Indices inside, just outside and as far outside as int32 goes.
std::vector<int32_t> wild(int64_t n, int64_t extent, unsigned seed) {
  std::mt19937 random(seed);
  const auto e = static_cast<int32_t>(extent);
  const int32_t special[] = {INT_MIN, INT_MIN + 1, INT_MAX, INT_MAX - 1, -1, -e,
                             -e - 1,  e,           e + 1,   2 * e,       0,  e - 1};
  std::vector<int32_t> result;
  for (int64_t i = 0; i < n; ++i)
    result.push_back(random() % 3 ? static_cast<int32_t>(random() % extent)
                                  : special[random() % std::size(special)]);
  return result;
}

// a[i[0][k], i[1][k], ...] by hand.
template <class T, class I>
std::vector<T> gathered(const Model<T>& m, const std::vector<std::vector<I>>& indices,
                        const Rule<T>& rule) {
  std::vector<T> result;
  for (size_t k = 0; k < indices[0].size(); ++k) {
    Coordinates c;
    for (const auto& index : indices) c.push_back(index[k]);
    result.push_back(look_up(m, c, rule.boundary.kind(), rule.fill));
  }
  return result;
}

// The same with 64 bits: one index array of each width, and indices that 32 bits do not hold.
TEST(Gather, WithWideIndices) {
  for (const auto& rule : rules<float>())
    for (const int64_t n : {1, 17, 100}) {
      const std::vector<int64_t> shape{7, 33};
      const auto m = plain_model<2, float>({7, 33});
      const auto a = plain_array<2, float>({7, 33});
      SCOPED_TRACE(shape_text(a, rule.name));
      const int64_t far[] = {LLONG_MIN,
                             LLONG_MIN + 1,
                             LLONG_MAX,
                             LLONG_MAX - 1,
                             int64_t{1} << 32,
                             -(int64_t{1} << 32) - 5,
                             INT_MAX + int64_t{1},
                             3};
      std::vector<std::vector<int64_t>> host;
      for (size_t k = 0; k < shape.size(); ++k) {
        const auto near = wild(n, shape[k], static_cast<unsigned>(k + n));
        host.emplace_back(near.begin(), near.end());
      }
      std::vector<int32_t> narrow(host[1].begin(), host[1].end());
      for (size_t i = 0; i < host[0].size(); i += 2) host[0][i] = far[i / 2 % std::size(far)];
      const Array<1, int64_t> rows(host[0]);
      const Array<1, int32_t> columns(narrow);
      expect_values([&] { return gather(a, rule.boundary, rows, columns); },
                    gathered(m, host, rule));
      std::swap(host[0], host[1]);
      const auto turned = model::transpose(m, {1, 0});
      expect_values([&] { return gather(transpose(a), rule.boundary, columns, rows); },
                    gathered(turned, host, rule));
    }
}

TEST(Gather, WithWildIndices) {
  for_each_size_of_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_rank([](auto rank) {
      constexpr int D = rank;
      for (const auto& shape : shapes<D>())
        for (const auto& rule : rules<T>())
          for (const int64_t n : {1, 17, 100}) {
            const auto m = plain_model<D, T>(shape);
            const auto a = plain_array<D, T>(shape);
            SCOPED_TRACE(shape_text(a, rule.name));
            std::vector<std::vector<int32_t>> host;
            std::vector<Array<1, int32_t>> i;
            for (int k = 0; k < D; ++k) {
              host.push_back(wild(n, shape[k], static_cast<unsigned>(k + n)));
              i.emplace_back(host.back());
            }
            const auto build = [&] {
              if constexpr (D == 1) return gather(a, rule.boundary, i[0]);
              if constexpr (D == 2) return gather(a, rule.boundary, i[0], i[1]);
              if constexpr (D == 3) return gather(a, rule.boundary, i[0], i[1], i[2]);
              if constexpr (D == 4) return gather(a, rule.boundary, i[0], i[1], i[2], i[3]);
            };
            expect_values(build, gathered(m, host, rule));
          }
    });
  });
}

TEST(Gather, ClampsUnlessToldOtherwise) {
  const Array<1, int> a(std::vector<int>{10, 11, 12}), i(std::vector<int>{2, -5, 7, 1});
  expect_values([&] { return gather(a, i); }, std::vector<int>{12, 10, 12, 11});
}

TEST(Gather, ResultHasTheShapeOfTheIndices) {
  const Array<1, int> a(std::vector<int>{10, 11, 12});
  const Array<2, int> i(std::vector<int>{2, 1, 0, 0, 1, 2}, 3, 2);
  EXPECT_EQ(gather(a, i).shape(), (Shape<2>{3, 2}));
  expect_values([&] { return gather(a, i); }, std::vector<int>{12, 11, 10, 10, 11, 12});
}

TEST(Gather, FromExpressionsWithComputedIndices) {
  const Array<2, float> a = plain_array<2>({20, 33});
  const auto i = [] { return index<2>({20, 33}, 0); };
  const auto j = [] { return index<2>({20, 33}, 1); };
  // The identity, a transpose by hand, a lens, a gather of a gather, and one below a shift.
  expect_values([&] { return gather(a, i(), j()); }, plain<float>(660));
  expect_same([&] { return gather(a * 2.0f + shift(a, {1, 1}), Boundary::wrap(), j(), i()); });
  expect_same(
      [&] { return gather(a, Boundary::constant(-1), i() + cast<int>(a) / 9 - 5, j() * 2 - 7); });
  expect_same(
      [&] { return gather(gather(sqrt(a), i() + 1, j()), Boundary::wrap(), i(), j() - 3) * a; });
  expect_same([&] { return shift(gather(a, i(), j() + 2), {3, -2}, Boundary::constant(0)); });
}

// Indices that have been evaluated are numbers, whatever they were computed from.
TEST(Gather, AtPlacesThatHaveBeenEvaluated) {
  const Array<1, int> a(std::vector<int>{10, 11, 12, 13, 14}), one(std::vector<int>{1, 1, 1});
  const Array<1, int> two = one + one;
  EXPECT_EQ(two.to_vector(), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(gather(a, index<1>({3}, 0) + two).to_vector(), (std::vector<int>{12, 13, 14}));
  const Array<1, int> places = index<1>({3}, 0) + 1;
  EXPECT_EQ(places.to_vector(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(gather(a, places).to_vector(), (std::vector<int>{11, 12, 13}));
}

TEST(Gather, OfReductionsAndConstants) {
  const Array<2, float> a = plain_array<2>({20, 33});
  const Array<1, int> i(wild(50, 20, 3));
  expect_same([&] { return gather(sum(a, 1), Boundary::wrap(), i); });
  expect_same(
      [&] { return gather(Array<1, float>(Shape<1>(5), 2.0f), Boundary::constant(9.0f), i); });
  expect_values([&] { return gather(Array<1, int>(0), Boundary::constant(4), Array<1, int>(3)); },
                std::vector<int>{4, 4, 4});
}

TEST(Gather, OfTuples) {
  const Array<1, Value3f> a(std::vector<Value3f>{{1, 2, 3}, {4, 5, 6}});
  const Array<1, int> i(std::vector<int>{1, 0, 5});
  expect_values([&] { return gather(a, Boundary::constant(Value3f{7, 8, 9}), i); },
                std::vector<Value3f>{{4, 5, 6}, {1, 2, 3}, {7, 8, 9}});
}

// Whole tuples at computed indices, often enough that a GPU interleaves their components.
template <class T>
void check_large_tuples() {
  constexpr int rows = 61, columns = 83;
  std::vector<std::array<scalar_t<T>, components<T>>> pixels(rows * columns);
  for (size_t i = 0; i < pixels.size(); ++i)
    for (size_t c = 0; c < pixels[i].size(); ++c)
      pixels[i][c] = static_cast<scalar_t<T>>((i * 37 + c * 1001) % 511);
  Array<2, T> image(pixels, rows, columns);
  image.evaluate();
  const auto turned = [&] {
    const auto y = index<2>({rows, columns}, 0), x = index<2>({rows, columns}, 1);
    const auto from_y = (y * 9 - x * 4) / 10 + 7, from_x = (x * 9 + y * 4) / 10 - 11;
    const auto at = [&](int down, int right) {
      return gather(image, Boundary::constant(T(3)), from_y + down, from_x + right);
    };
    return at(0, 0) + at(0, 1) * at(1, 0) - at(1, 1);
  };
  for (int i = 0; i < 3; ++i) expect_same(turned);
  image = image * T(2);  // in place, if nothing else holds it
  image.evaluate();
  expect_same(turned);
}

TEST(Gather, OfManyTuples) {
  check_large_tuples<Value2f>();
  check_large_tuples<Value3f>();
  check_large_tuples<Value4f>();
  check_large_tuples<Value<2, double>>();
  check_large_tuples<Value<3, double>>();
  check_large_tuples<Value<4, int>>();
  check_large_tuples<Value<4, uint8_t>>();
}

}  // namespace
}  // namespace tutti::test
