// Stencils in every spelling: each is one kernel, which a GPU computes by register tiles. All have
// the bits of the interpreter, and equivalent ones those of each other.
#include <map>
#include <random>

#include "support/compare.hpp"
#include "support/numbers.hpp"
#include "support/plan_of.hpp"

namespace tutti::test {
namespace {

using Line = Array<1, float>;
using Image = Array<2, float>;
using Block = Array<3, float>;

// What explain() would report on a GPU.
std::vector<Explanation::Kernel> gpu_kernels(std::span<const detail::NodeRef> roots) {
  return compiler::explain(*plan_of(roots, target::h200));
}

// Ways to write one thing.
template <int D>
using Spellings = std::map<std::string, std::function<Array<D, float>()>>;

template <int D>
void check(const Spellings<D>& spellings) {
  const Elements want = read(spellings.begin()->second());
  for (const auto& [name, build] : spellings) {
    SCOPED_TRACE(name);
    EXPECT_EQ(explain(build()).kernels().size(), 1u);
    const auto kernels = gpu_kernels(build().nodes());
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_NE(kernels[0].strategy.find("register tiles of"), std::string::npos)
        << kernels[0].strategy;
    expect_same(build);
    EXPECT_TRUE(same(want, read(build())));
  }
}

template <class A>
auto heat(const A& left, const A& x, const A& right) {
  return x + 0.1f * (left - 2.0f * x + right);
}

TEST(Stencils, OfALineThatEndsWithItsLastElements) {
  constexpr int n = 5000;
  const Line x = numbers<1>({n});
  const Array<1, int> i = index<1>({n}, 0);
  check<1>({
      {"shift", [&] { return heat(shift(x, {1}), x, shift(x, {-1})); }},
      {"gather", [&] { return heat(gather(x, i - 1), x, gather(x, i + 1)); }},
      {"gather, clamped by hand",
       [&] { return heat(gather(x, max(i - 1, 0)), x, gather(x, min(i + 1, n - 1))); }},
      {"gather, clamped on both sides",
       [&] {
         return heat(gather(x, clamp(i - 1, 0, n - 1)), x, gather(x, clamp(i + 1, 0, n - 1)));
       }},
      {"program",
       [&] {
         const auto p = program([&](Value1i at) { return heat(x[at - 1], x[at], x[at + 1]); });
         return Line(p(grid(n)));
       }},
      {"expand and slice",
       [&] {
         const Line wide = expand(x, {Margin{1, 1}}, Boundary::clamp());
         return heat<Line>(slice(wide, 0, n), slice(wide, 1, n + 1), slice(wide, 2, n + 2));
       }},
  });
}

TEST(Stencils, OfARing) {
  constexpr int n = 5000;
  const Line x = numbers<1>({n});
  const Array<1, int> i = index<1>({n}, 0);
  check<1>({
      {"rotate", [&] { return heat(rotate(x, {1}), x, rotate(x, {-1})); }},
      {"gather, wrapped by hand",
       [&] { return heat(gather(x, (i + (n - 1)) % n), x, gather(x, (i + 1) % n)); }},
  });
}

TEST(Stencils, OfTheInsideOfALine) {
  constexpr int n = 5000;
  const Line x = numbers<1>({n});
  check<1>({
      {"slice", [&] { return heat<Line>(slice(x, 0, n - 2), slice(x, 1, n - 1), slice(x, 2, n)); }},
      {"section",
       [&] {
         return heat<Line>(section(x, {{0, n - 2}}), section(x, {{1, n - 2}}),
                           section(x, {{2, n - 2}}));
       }},
      {"zip_with slices",
       [&] {
         return zip_with([](auto a, auto b, auto c) { return heat(a, b, c); },
                         Line(slice(x, 0, n - 2)), Line(slice(x, 1, n - 1)), Line(slice(x, 2, n)));
       }},
      {"offset",
       [&] { return heat<Line>(slice(x, 0, n - 2), slice(offset(x, 1), 0, n - 2), offset(x, 2)); }},
  });
}

template <class A>
auto laplace(const A& up, const A& down, const A& left, const A& right, const A& x) {
  return x + 0.1f * (up + down + left + right - 4.0f * x);
}

TEST(Stencils, OfAnImage) {
  constexpr int h = 70, w = 300;
  const Image x = numbers<2>({h, w});
  const Array<2, int> r = index<2>({h, w}, 0), c = index<2>({h, w}, 1);
  check<2>({
      {"shift",
       [&] {
         return laplace(shift(x, {1, 0}), shift(x, {-1, 0}), shift(x, {0, 1}), shift(x, {0, -1}),
                        x);
       }},
      {"gather",
       [&] {
         return laplace(gather(x, r - 1, c), gather(x, r + 1, c), gather(x, r, c - 1),
                        gather(x, r, c + 1), x);
       }},
      {"gather, clamped by hand",
       [&] {
         return laplace(gather(x, max(r - 1, 0), c), gather(x, min(r + 1, h - 1), c),
                        gather(x, r, max(c - 1, 0)), gather(x, r, min(c + 1, w - 1)), x);
       }},
      {"program",
       [&] {
         const auto p = program([&](Value2i at) {
           const Value2i down(1, 0), right(0, 1);
           return laplace(x[at - down], x[at + down], x[at - right], x[at + right], x[at]);
         });
         return Image(p(grid(h, w)));
       }},
      {"map of expand and slice",
       [&] {
         const Image wide = expand(x, {Margin{1, 1}, Margin{1, 1}}, Boundary::clamp());
         const auto part = [&](int a, int b) { return Image(slice(wide, {a, b}, {a + h, b + w})); };
         return zip_with(
             [](auto a, auto b, auto d, auto e, auto f) { return laplace(a, b, d, e, f); },
             part(0, 1), part(2, 1), part(1, 0), part(1, 2), part(1, 1));
       }},
  });
}

// The sum of all neighbours, with weights.
template <class Neighbour>
auto weighted(const Neighbour& neighbour) {
  auto total = 8.0f * neighbour(0, 0, 0);
  for (int a = -1; a <= 1; ++a)
    for (int b = -1; b <= 1; ++b)
      for (int c = -1; c <= 1; ++c)
        if (a || b || c)
          total += 1.0f / static_cast<float>(a * a + b * b + c * c) * neighbour(a, b, c);
  return total;
}

TEST(Stencils, OfABlockWith27Points) {
  constexpr int n = 40;
  const Block x = numbers<3>({n, n, n});
  const Array<3, int> i = index<3>({n, n, n}, 0), j = index<3>({n, n, n}, 1),
                      k = index<3>({n, n, n}, 2);
  check<3>({
      {"shift",
       [&] {
         return weighted([&](int a, int b, int c) { return Block(shift(x, {-a, -b, -c})); });
       }},
      {"gather",
       [&] {
         return weighted(
             [&](int a, int b, int c) { return Block(gather(x, i + a, j + b, k + c)); });
       }},
      {"program",
       [&] {
         const auto p = program([&](Value3i at) {
           return weighted([&](int a, int b, int c) { return Value1f(x[at + Value3i(a, b, c)]); });
         });
         return Block(p(grid(n, n, n)));
       }},
  });
}

TEST(Stencils, OfTheInsideOfABlockWith7Points) {
  constexpr int n = 40;
  const Block x = numbers<3>({n, n, n});
  const auto part = [&](int a, int b, int c) {
    return Block(slice(x, {1 + a, 1 + b, 1 + c}, {n - 1 + a, n - 1 + b, n - 1 + c}));
  };
  const auto seven = [](const auto& of) {
    return of(-1, 0, 0) + of(1, 0, 0) + of(0, -1, 0) + of(0, 1, 0) + of(0, 0, -1) + of(0, 0, 1) -
           6.0f * of(0, 0, 0);
  };
  check<3>({
      {"slice", [&] { return seven(part); }},
      {"program",
       [&] {
         const auto p = program([&](Value3i at) {
           return seven(
               [&](int a, int b, int c) { return Value1f(x[at + Value3i(1 + a, 1 + b, 1 + c)]); });
         });
         return Block(p(grid(n - 2, n - 2, n - 2)));
       }},
  });
}

// What a stencil computes goes into a reduction without being stored.
TEST(Stencils, AreFusedIntoReductions) {
  const Image x = numbers<2>({200, 300});
  const auto differences = [&] { return abs(x - shift(x, {0, 1})) + abs(x - shift(x, {1, 0})); };
  EXPECT_EQ(explain(sum(differences())).kernels().size(), 1u);
  EXPECT_EQ(explain(max_val(differences(), 1)).kernels().size(), 1u);
  expect_same([&] { return sum(differences()); });
  expect_same([&] { return max_val(differences(), 1); });
}

// Places as programs write them, some of which are rules of boundaries.
Array<1, int> random_places(std::mt19937& random, const Array<1, int>& i, int n, int depth) {
  if (depth == 0) return i;
  const Array<1, int> e = random_places(random, i, n, depth - 1);
  const int bounds[] = {-1, 0, 1, n - 2, n - 1, n, n + 1};
  const int bound = bounds[random() % std::size(bounds)], by = static_cast<int>(random() % 7) - 3;
  switch (random() % 6) {
    case 0:
      return max(e, bound);
    case 1:
      return min(bound, e);
    case 2:
      return e % std::max(1, bound);
    case 3:
      return by * e;
    case 4:
      return bound - e;
    default:
      return e + by;
  }
}

// What is taken for a rule reads the same elements as the places themselves.
TEST(Stencils, RulesThatWereWrittenOutReadTheSameElements) {
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  std::mt19937 random(1);
  for (int k = 0; k < 3000; ++k) {
    const int n = 1 + static_cast<int>(random() % 9), count = 1 + static_cast<int>(random() % 9);
    const Line x = numbers<1>({n});
    const Array<1, int> places =
        random_places(random, index<1>({count}, 0), n, static_cast<int>(random() % 4));
    const Boundary rules[] = {Boundary::clamp(), Boundary::wrap(), Boundary::constant(-1.0f)};
    const Boundary& rule = rules[random() % 3];
    const Line lazy = gather(x, rule, places);
    const Line direct = gather(x, rule, Array<1, int>(places.to_vector()));
    ASSERT_EQ(direct.to_vector(), lazy.to_vector()) << explain(lazy).graph();
  }
}

}  // namespace
}  // namespace tutti::test
