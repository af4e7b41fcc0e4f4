// The code of README.md, docs/guide.md, docs/python.md and docs/interchange.md, compiled and run.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <sstream>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

// README: the blur of the first page.
Array<2, float> blur(const Array<2, float>& image, std::span<const float> kernel) {
  const int taps = static_cast<int>(kernel.size());
  Array<2, float> x(image.shape(), 0.0f), y(image.shape(), 0.0f);
  for (int i = 0; i < taps; ++i) x += shift(image, {0, i}) * kernel[i];
  for (int i = 0; i < taps; ++i) y += shift(x, {i, 0}) * kernel[i];
  return y;
}

TEST(Readme, Blur) {
  const Array<2, float> image({20, 30}, 2.0f);
  const std::array<float, 3> kernel{0.25f, 0.5f, 0.25f};
  EXPECT_EQ(blur(image, kernel).to_vector(), std::vector<float>(600, 2.0f));
}

TEST(Readme, UsingIt) {
  testing::internal::CaptureStdout();
  std::vector<float> data{1, -2, 3, 4, 5, -6};
  Array<2, float> a(data, 2, 3);
  Array<2, float> b({2, 3}, 2.0f);
  auto c = sqrt(abs(rotate(a + b, {0, 1})));
  float total = sum(c);
  Array<1, float> rows = sum(c, 1);
  std::cout << explain(c);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(explain(sqrt(abs(rotate(a + b, {0, 1})))).kernels().size(), 1u);
  std::ostringstream out;
  out << explain(rows + 1.0f);
  EXPECT_NE(out.str().find("kernel 1"), std::string::npos);
  EXPECT_NEAR(rows.to_vector()[0] + rows.to_vector()[1], total, 1e-5f);
}

// docs/guide.md: the table of ways to get an array.
TEST(Guide, RowsWrittenInALoop) {
  const int n = 40;
  Array<2, float> a({n, n}, 4.0f);
  for (int i = 1; i < n; ++i)  // each row from the one above it; one plan for all rows
    slice(a, {i, 0}, {i + 1, n}) = slice(std::as_const(a), {i - 1, 0}, {i, n}) * 0.5f + 1.0f;
  EXPECT_EQ(a.to_vector()[3 * n], 2.25f);
}

TEST(Guide, ToGetAnArray) {
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

// docs/guide.md: vectors.
TEST(Guide, Vectors) {
  const std::vector<float> hb{1, 2, 3}, hc{4, 5, 6};
  const int n = 3;
  Vec<float> a(n), b(hb), c(hc);
  a = 0.12f * b + 7.54f * c;
  a = a / norm2(a);
  Number<float> s = dot(a, b);
  float on_the_host = s;
  Array<1, float> lazy = a.array();
  EXPECT_NEAR(on_the_host, sum(lazy * Array<1, float>(hb)).item(), 1e-5f);
  EXPECT_NEAR(norm2(a), 1.0f, 1e-5f);
}

// docs/guide.md: random numbers.
TEST(Guide, RandomNumbers) {
  const Random key(42);
  const Shape<1> points(1'000'000);
  Array<1, float> x = uniform(key.split(0), points), y = uniform(key.split(1), points);
  float pi = 4.0f * int(count(x * x + y * y < 1.0f)) / points.size();
  EXPECT_NEAR(pi, 3.1416f, 0.01f);
}

// docs/guide.md: recorded bodies.
TEST(Guide, RecordedBodies) {
  const auto minus_laplace = [](const Vec<double>& p) {
    const Boundary zero = Boundary::constant(0.0);
    return 2.0 * p - shift(p, 1, zero) - shift(p, -1, zero);
  };
  Vec<double> u(9), r(9, 1.0), p = r;
  Number<double> rr = dot(r, r);
  // As it stands there.
  // clang-format off
  auto step = record([&] {
    const Vec<double> q = minus_laplace(p);
    const Number<double> alpha = rr / dot(p, q), before = rr;
    u += alpha * p;
    r -= alpha * q;
    rr = dot(r, r);
    p = r + rr / before * p;
  }, u, r, p, rr);
  // clang-format on
  EXPECT_EQ(step.explain().kernels().size(), 4u);
  step(5);
  EXPECT_NEAR(u.to_vector()[4], 12.5, 1e-9);  // of the parabola i (10 - i) / 2
  u = 0.0, r = 1.0, p = r, rr = dot(r, r);
  step(100);
  EXPECT_EQ(u.size(), 9);
}

// docs/guide.md: when things are computed.
TEST(Guide, TimeSteps) {
  const auto life = [](const Array<2, int>& board) { return rotate(board, {1, 0}); };
  const Array<2, int> board(std::vector<int>{1, 2, 3, 4}, 2, 2);
  EXPECT_EQ(time_steps(board, 1000, life, {.together = 4}).to_vector(), board.to_vector());
}

// docs/guide.md: functions on arrays.
TEST(Guide, FunctionsOnArrays) {
  const Array<1, float> x(std::vector<float>{1, 5, 2}), y = x + 2.0f;
  auto difference = zip_with([](auto a, auto b) { return a - b; }, x, y);
  Array<0, float> rmse = sqrt(sum(map([](auto d) { return d * d; }, difference)) / float(x.size()));
  Array<1, float> running = scan([](auto a, auto b) { return max(a, b); }, x);
  Array<2, float> table = outer([](auto a, auto b) { return a * b; }, x, y);
  EXPECT_EQ(float(rmse), 2.0f);
  EXPECT_EQ(running.to_vector(), (std::vector<float>{1, 5, 5}));
  EXPECT_EQ(table.to_vector()[4], 35.0f);
}

TEST(Guide, OperatorsOnTuples) {
  using Step = Value<2, float>;
  auto then = [](Step f, Step g) { return Step(f(0) * g(0), f(1) * g(0) + g(1)); };
  Array<1, Step> steps =
      join(Array<1, float>(Shape<1>(6), 0.5f), Array<1, float>(Shape<1>(6), 1.0f));
  Array<1, int> runs(std::vector<int>{0, 2, 6});
  Array<1, Step> so_far = scan(then, steps, runs);
  Array<1, Step> each_run = segmented_reduce(then, steps, runs, Step(1.0f, 0.0f));
  EXPECT_EQ(so_far.component(1).to_vector(), (std::vector<float>{1, 1.5f, 1, 1.5f, 1.75f, 1.875f}));
  EXPECT_EQ(each_run.component(1).to_vector(), (std::vector<float>{1.5f, 1.875f}));
}

// docs/guide.md: how element types mix.
TEST(Guide, MixedTypes) {
  const Array<1, float> f(std::vector<float>{1, 2});
  const Array<1, int> i(std::vector<int>{1, 2});
  static_assert(std::is_same_v<decltype(f * 2), Array<1, float>>);
  static_assert(std::is_same_v<decltype(f * 0.5), Array<1, float>>);
  static_assert(std::is_same_v<decltype(i * 0.5f), Array<1, float>>);
  static_assert(std::is_same_v<decltype(i + f), Array<1, float>>);
  EXPECT_EQ((i * 0.5f).to_vector(), (std::vector<float>{0.5f, 1}));
}

// docs/interchange.md: rows with a pitch.
TEST(Interchange, Pitch) {
  const auto load = [] { return std::vector<float>(768 * 1024, 2.0f); };
  std::vector<float> pixels = load();
  auto image = Array<2, float>::view(pixels.data(), {768, 1000}, {1024, 1});
  auto blurred = (image + shift(image, {0, 1})) * 0.5f;
  EXPECT_EQ(explain(blurred).kernels().size(), 1u);
  EXPECT_EQ(blurred.to_vector(), std::vector<float>(768 * 1000, 2.0f));
}

// docs/python.md: the table of the quick start.
TEST(Python, QuickStart) {
  testing::internal::CaptureStdout();
  auto x = cast<double>(index(Shape<1>(1'000'000), 0)) / 999'999.0;
  auto y = sqrt(x) * 2.0 + 1.0;
  double total = sum(y);
  std::cout << explain(y);
  EXPECT_NEAR(total, 1e6 * (4.0 / 3 + 1), 2);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("sqrt"), std::string::npos);
  EXPECT_EQ(as_mdspan(y)(0), 1.0);
  const struct {
    const float* data_handle() const { return numbers; }
    static constexpr size_t rank() { return 2; }
    size_t extent(size_t) const { return 2; }
    size_t stride(size_t axis) const { return axis == 0 ? 2 : 1; }
    using element_type [[maybe_unused]] = const float;
    float numbers[4] = {1, 2, 3, 4};
  } span_or_matrix;
  EXPECT_EQ((Array<2, float>::view(span_or_matrix).to_vector()), (std::vector<float>{1, 2, 3, 4}));
}

// Guide: programs.
TEST(Guide, Programs) {
  Value1f limit = 1.0f;
  // As it stands there.
  // clang-format off
  Program halvings = BEGIN {
    In<Value1f> x;
    Out<Value1i> count = 0;
    Value1f rest = x;
    WHILE (rest >= limit) {
      rest *= 0.5f;
      count += 1;
    } ENDWHILE;
  } END;
  // clang-format on
  Array<1, int> n = halvings(Array<1, float>(std::vector<float>{0.5f, 1, 2, 1000}));
  EXPECT_EQ(n.to_vector(), (std::vector<int>{0, 1, 2, 10}));
  Program scaled = program([&](Value3f v) { return limit * normalize(v); });
  const Value3f v = scaled(Value3f(0, 3, 0));
  EXPECT_EQ(v, Value3f(0, 1, 0));
}

}  // namespace
