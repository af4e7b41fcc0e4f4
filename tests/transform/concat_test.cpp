// Arrays concatenated along an axis: every element against plain C++, the number of stores, errors.
#include <tutti/concat.hpp>

#include "support/errors.hpp"
#include "support/statistics.hpp"
#include "transform/model.hpp"

namespace tutti::test {
namespace {

template <int D, class T>
Model<T> model_of(const Array<D, T>& a) {
  const Shape<D> shape = a.shape();
  return {Coordinates(shape.begin(), shape.end()), a.to_vector()};
}

template <int D, class T>
std::vector<T> by_loops(const std::vector<Array<D, T>>& parts, int axis) {
  std::vector<Model<T>> models;
  Coordinates shape = model_of(parts[0]).shape;
  int64_t total = 0;
  for (const auto& part : parts) {
    models.push_back(model_of(part));
    total += part.extent(axis);
  }
  const auto k = static_cast<size_t>(axis);
  shape[k] = total;
  return make<T>(shape,
                 [&](Coordinates c) {
                   size_t part = 0;
                   while (c[k] >= models[part].shape[k]) c[k] -= models[part++].shape[k];
                   return models[part].at(c);
                 })
      .data;
}

TEST(Concat, EverySizeOfElementAlongEveryAxis) {
  for_each_size_of_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Array<3, T>> parts;
      for (const int64_t extent : {3, 1, 0, 70, 6}) {
        Shape<3> shape(5, 4, 9);
        shape[axis] = extent;
        parts.push_back(plain_array<3, T>(shape));
      }
      expect_values([&] { return concat(parts, axis); }, by_loops(parts, axis));
    }
  });
}

// Long enough for several threads.
TEST(Concat, LongVectorsAndMatrices) {
  const Array<1, float> a = plain_array<1, float>({100000}), b = plain_array<1, float>({70001});
  expect_values([&] { return concat({a, b, a}); }, by_loops<1, float>({a, b, a}, 0));
  const Array<2, double> m = plain_array<2, double>({300, 200}),
                         n = plain_array<2, double>({300, 90});
  expect_values([&] { return concat({m, n}, 1); }, by_loops<2, double>({m, n}, 1));
}

TEST(Concat, ExpressionsAreComputedInPlace) {
  const Array<2, float> a = plain_array<2, float>({60, 70}), b = plain_array<2, float>({20, 70});
  const auto build = [&] {
    return concat({a * 2.0f, transpose(transpose(b)) + 1.0f, sqrt(abs(a))});
  };
  std::vector<float> expected;
  for (const float x : a.to_vector()) expected.push_back(x * 2.0f);
  for (const float x : b.to_vector()) expected.push_back(x + 1.0f);
  for (const float x : a.to_vector()) expected.push_back(std::sqrt(std::abs(x)));
  expect_values(build, expected);
  build().evaluate();
  const Statistics before = statistics();
  build().evaluate();
  const Statistics cost = since(before);
  EXPECT_EQ(cost.buffers_allocated, 1);  // the result itself, and nothing else
  EXPECT_EQ(cost.buffers_reused_in_place, 2);
  EXPECT_EQ(cost.plans_built, 0);
}

TEST(Concat, ResultsAreUsedAndReadAgain) {
  const Array<1, int> a = plain_array<1, int>({1000}), b = plain_array<1, int>({500});
  const Array<1, int> both = concat({a, b});
  const std::vector<int> elements = both.to_vector();
  std::vector<int> doubled = elements;
  for (int& x : doubled) x *= 2;
  expect_values([&] { return concat({a, b}) * 2; }, doubled);
  EXPECT_EQ(both.to_vector(), elements);
  EXPECT_EQ(int(sum(both)), int(sum(a)) + int(sum(b)));
}

TEST(Concat, ManyArrays) {
  std::vector<Array<1, int>> parts;
  std::vector<int> expected;
  for (int i = 0; i < 700; ++i) {  // a chain this long is evaluated on the way
    parts.push_back(Array<1, int>(Shape<1>(i % 5), i) + 1);
    expected.insert(expected.end(), static_cast<size_t>(i % 5), i + 1);
  }
  EXPECT_EQ(concat(parts).to_vector(), expected);
}

TEST(Concat, OfNothing) {
  const Array<2, float> none(0, 5);
  EXPECT_EQ(concat({none, none}).shape(), Shape<2>(0, 5));
  EXPECT_EQ(concat({none, none}, 1).shape(), Shape<2>(0, 10));
  const Array<2, float> some({2, 5}, 3.0f);
  EXPECT_EQ(concat({none, some, none}).to_vector(), some.to_vector());
}

TEST(Concat, Tuples) {
  const Array<1, float> a(std::vector<float>{1, 2}), b(std::vector<float>{3});
  const Array<1, Value2f> both = concat({join(a, a * 10.0f), join(b, b * 10.0f)});
  EXPECT_EQ(both.component(0).to_vector(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(both.component(1).to_vector(), (std::vector<float>{10, 20, 30}));
  const Array<2, float> axis = components_to_axis(both);
  EXPECT_EQ(axis.to_vector(), (std::vector<float>{1, 10, 2, 20, 3, 30}));
  EXPECT_EQ(components_to_axis(both, 0).to_vector(), (std::vector<float>{1, 2, 3, 10, 20, 30}));
  EXPECT_EQ(axis_to_components<2>(axis).component(1).to_vector(), both.component(1).to_vector());
}

// Parts that share most of their computation are computed by one kernel on a CPU, then written.
TEST(Stack, WhatPartsShareIsComputedOnce) {
  const ScopedDevice cpu("cpu");
  const auto a = plain_array<2, float>({50, 60});
  const auto parts = [&] {
    const Array<2, float> shared = exp(sin(a) + rotate(a, {1, 2})) / (1.0f + a * a);
    return std::vector<Array<2, float>>{shared * 2.0f, shared - a, sqrt(shared)};
  };
  int maps = 0;
  const Explanation plan = explain(stack(parts()));
  for (const auto& kernel : plan.kernels()) maps += kernel.name == "map";
  EXPECT_EQ(maps, 1);
  std::vector<float> want;
  for (const auto& part : parts())
    for (float x : part.to_vector()) want.push_back(x);
  expect_values([&] { return stack(parts()); }, want);
}

TEST(Stack, AlongEveryAxis) {
  const Array<2, int> a = plain_array<2, int>({3, 40}), b = a + 1, c = a * 2;
  for (int axis = 0; axis <= 2; ++axis) {
    const Array<3, int> stacked = stack({a, b, c}, axis);
    const Model<int> models[] = {model_of(a), model_of(b), model_of(c)};
    Coordinates shape{3, 40};
    shape.insert(shape.begin() + axis, 3);
    expect_values([&] { return stack({a + 0, b, c}, axis); },
                  make<int>(shape, [&](Coordinates at) {
                    const auto which = static_cast<size_t>(at[static_cast<size_t>(axis)]);
                    at.erase(at.begin() + axis);
                    return models[which].at(at);
                  }).data);
    EXPECT_EQ(stacked.shape()[axis], 3);
  }
  const Array<0, float> x = 1.5f, y = 2.5f;
  EXPECT_EQ(stack({x, y}).to_vector(), (std::vector<float>{1.5f, 2.5f}));
}

TEST(Concat, Errors) {
  const Array<2, float> a(2, 3), b(3, 3), c(2, 4);
  EXPECT_NE(message_of<ShapeError>([&] { concat({a, c}); })
                .find("concat: array 0 has the shape {2, 3}, array 1 has {2, 4}; only axis 0 may "
                      "differ ("),
            std::string::npos)
      << message_of([&] { concat({a, c}); });
  EXPECT_EQ(concat({a, b}).extent(0), 5);
  EXPECT_NE(
      message_of<ShapeError>([&] { concat({a, b}, 2); }).find("axis 2 of arrays of the shape"),
      std::string::npos);
  EXPECT_THROW(concat({a, b}, -1), ShapeError);
  EXPECT_THROW(concat(std::vector<Array<2, float>>()), ShapeError);
  EXPECT_THROW(stack(std::vector<Array<2, float>>()), ShapeError);
  EXPECT_THROW(stack({a, b}), ShapeError);
  EXPECT_THROW(stack({a, a}, 3), ShapeError);
  const detail::NodeRef mixed[] = {a.node(), Array<2, int>(2, 3).node()};
  EXPECT_THROW(detail::concat(mixed, 0, {}), TypeError);
  const Array<1, uint8_t> huge(Shape<1>(int64_t{1} << 46), uint8_t{1});
  EXPECT_THROW(concat({huge, huge, huge}), ShapeError);
  EXPECT_THROW(axis_to_components<2>(a, 1), ShapeError);
}

}  // namespace
}  // namespace tutti::test
