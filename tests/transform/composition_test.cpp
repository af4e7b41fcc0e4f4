// Transformations of transformations, with computation between them: all pairs and many triples of
// a list, against the model applied in the same order. Boundary rules must act where they were
// written.
#include "transform/model.hpp"

namespace tutti::test {
namespace {

template <class T>
struct Step {
  const char* name;
  std::function<Array<2, T>(const Array<2, T>&)> apply;
  std::function<Model<T>(const Model<T>&)> model;
};

template <class T>
T number(int value) {
  return static_cast<T>(static_cast<float>(value));
}

// Every step works on any matrix of at least 2 by 2 and leaves one.
template <class T>
std::vector<Step<T>> steps() {
  using A = Array<2, T>;
  using M = Model<T>;
  using K = Boundary::Kind;
  const T nine = number<T>(9);
  const auto half_of = [](int64_t n) { return (n + 1) / 2; };
  const auto from_the_end = [](int64_t n) { return Range{n - 1, n, -1}; };
  // clang-format off: a step and its model, side by side
  return {
      {"shift_clamp",
       [](const A& a) {
         return shift(a, {1, -2});
       },
       [=](const M& m) {
         return model::shift(m, {1, -2}, K::clamp, nine);
       }},
      {"shift_constant",
       [=](const A& a) {
         return shift(a, {-1, 3}, Boundary::constant(nine));
       },
       [=](const M& m) {
         return model::shift(m, {-1, 3}, K::constant, nine);
       }},
      {"shift_far",
       [=](const A& a) {
         return shift(a, {0, 19}, Boundary::constant(nine));
       },
       [=](const M& m) {
         return model::shift(m, {0, 19}, K::constant, nine);
       }},
      {"rotate",
       [](const A& a) {
         return rotate(a, {2, -5});
       },
       [=](const M& m) {
         return model::shift(m, {2, -5}, K::wrap, nine);
       }},
      {"expand_wrap",
       [](const A& a) {
         return expand(a, {{1, 0}, {2, 20}});
       },
       [=](const M& m) {
         return model::expand(m, {{1, 0}, {2, 20}}, K::wrap, nine);
       }},
      {"expand_clamp",
       [](const A& a) {
         return expand(a, {{0, 1}, {3, 3}}, Boundary::clamp());
       },
       [=](const M& m) {
         return model::expand(m, {{0, 1}, {3, 3}}, K::clamp, nine);
       }},
      {"pad",
       [=](const A& a) {
         return pad(a, {{1, 1}, {1, 2}}, nine);
       },
       [=](const M& m) {
         return model::expand(m, {{1, 1}, {1, 2}}, K::constant, nine);
       }},
      {"every_second",
       [=](const A& a) {
         return section(a, {{0, a.extent(0)}, {0, half_of(a.extent(1)), 2}});
       },
       [=](const M& m) {
         return model::section(m, {{0, m.shape[0]}, {0, half_of(m.shape[1]), 2}});
       }},
      {"backwards",
       [=](const A& a) {
         return section(a, {from_the_end(a.extent(0)), from_the_end(a.extent(1))});
       },
       [=](const M& m) {
         return model::section(m, {from_the_end(m.shape[0]), from_the_end(m.shape[1])});
       }},
      {"replicate",
       [](const A& a) {
         return replicate(a, {a.extent(0) + 1, 2 * a.extent(1) + 3});
       },
       [](const M& m) {
         return model::replicate(m, {m.shape[0] + 1, 2 * m.shape[1] + 3});
       }},
      {"transpose", [](const A& a) { return transpose(a); },
       [](const M& m) {
         return model::transpose(m, {1, 0});
       }},
      {"row_everywhere", [](const A& a) { return add_dimension(drop_dimension(a, 0), 0, 4); },
       [](const M& m) { return model::add_dimension(model::drop_dimension(m, 0), 0, 4); }},
      {"column_everywhere", [](const A& a) { return add_dimension(drop_dimension(a, 1), 1, 18); },
       [](const M& m) { return model::add_dimension(model::drop_dimension(m, 1), 1, 18); }},
      {"reshape", [](const A& a) { return reshape(a, Shape<2>(a.extent(1), a.extent(0))); },
       [](const M& m) {
         return M{{m.shape[1], m.shape[0]}, m.data};
       }},
  };
  // clang-format on
}

// Between two steps something is computed, so that boundary constants cannot be confused with it.
template <class T>
Array<2, T> work(const Array<2, T>& a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return a + number<T>(1);
}
template <class T>
Model<T> work(Model<T> m) {
  for (size_t i = 0; i < m.data.size(); ++i)
    m.data[i] = std::is_same_v<T, bool> ? static_cast<T>(!m.data[i])
                                        : static_cast<T>(m.data[i] + number<T>(1));
  return m;
}

template <class T>
void check(const Shape<2>& shape, const std::vector<Step<T>>& list,
           const std::vector<size_t>& chosen) {
  const Array<2, T> a = plain_array<2, T>(shape);
  std::string text = shape_text(a);
  Model<T> want = plain_model<2, T>(shape);
  for (size_t s : chosen) {
    text += std::string(" ") + list[s].name;
    want = work(list[s].model(want));
  }
  SCOPED_TRACE(text);
  expect_model(
      [&] {
        Array<2, T> x = a;
        for (size_t s : chosen) x = work(list[s].apply(x));
        return x;
      },
      want);
}

template <class T>
void check_triples(int count, unsigned seed) {
  const auto list = steps<T>();
  std::mt19937 random(seed);
  for (int n = 0; n < count; ++n) {
    const Shape<2> shape(2 + random() % 20, 2 + random() % 40);
    check(shape, list, {random() % list.size(), random() % list.size(), random() % list.size()});
  }
}

TEST(Composition, AllPairs) {
  const auto list = steps<float>();
  for (size_t i = 0; i < list.size(); ++i)
    for (size_t j = 0; j < list.size(); ++j)
      for (const Shape<2>& shape : {Shape<2>(3, 17), Shape<2>(5, 33), Shape<2>(18, 2)})
        check(shape, list, {i, j});
}

TEST(Composition, ManyTriples) { check_triples<float>(300, 1); }

template <class T>
class CompositionOf : public testing::Test {};
using OtherTypes = testing::Types<bool, int8_t, half, double>;
TYPED_TEST_SUITE(CompositionOf, OtherTypes);

TYPED_TEST(CompositionOf, OtherElementSizes) { check_triples<TypeParam>(60, 2); }

// Several readers of one array at once, as in a stencil.
TEST(Composition, Stencils) {
  for (const Shape<2>& shape :
       {Shape<2>(1, 1), Shape<2>(2, 3), Shape<2>(17, 16), Shape<2>(20, 100)}) {
    const Array<2, float> a = plain_array(shape);
    for (const Boundary& rule : {Boundary::clamp(), Boundary::wrap(), Boundary::constant(5.0f)}) {
      std::vector<float> want;
      const auto m = plain_model<2, float>(shape);
      for (int64_t r = 0; r < shape[0]; ++r)
        for (int64_t c = 0; c < shape[1]; ++c) {
          const auto at = [&](int64_t y, int64_t x) {
            return look_up(m, {y, x}, rule.kind(), 5.0f);
          };
          want.push_back(at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) -
                         4 * m.at({r, c}));
        }
      expect_values(
          [&] {
            return shift(a, {1, 0}, rule) + shift(a, {-1, 0}, rule) + shift(a, {0, 1}, rule) +
                   shift(a, {0, -1}, rule) - 4 * a;
          },
          want);
    }
  }
}

TEST(Composition, ThreeDimensions) {
  for (const Shape<3>& shape : {Shape<3>(2, 3, 17), Shape<3>(4, 5, 16), Shape<3>(3, 1, 33)}) {
    const Array<3, float> a = plain_array(shape);
    const auto m = plain_model<3, float>(shape);
    expect_model(
        [&] { return transpose(rotate(a, {1, 0, 4}), {2, 0, 1}); },
        model::transpose(model::shift(m, {1, 0, 4}, Boundary::Kind::wrap, 0.0f), {2, 0, 1}));
    expect_model(
        [&] { return shift(transpose(a, {1, 2, 0}), {1, -3, 1}, Boundary::constant(2.0f)); },
        model::shift(model::transpose(m, {1, 2, 0}), {1, -3, 1}, Boundary::Kind::constant, 2.0f));
    expect_model(
        [&] {
          return pad(drop_dimension(expand(a, {{1, 1}, {0, 2}, {3, 0}}), 1), {{1, 0}, {0, 5}},
                     4.0f);
        },
        model::expand(
            model::drop_dimension(
                model::expand(m, {{1, 1}, {0, 2}, {3, 0}}, Boundary::Kind::wrap, 0.0f), 1),
            {{1, 0}, {0, 5}}, Boundary::Kind::constant, 4.0f));
  }
}

// Large enough for several threads, with the boundary in the middle of vectors.
TEST(Composition, Large) {
  const Array<2, float> a = plain_array<2>({700, 1001});
  expect_same([&] {
    return rotate(shift(a, {3, 5}) + a, {-7, 333}) * shift(a, {0, -9}, Boundary::constant(1.0f));
  });
  expect_same(
      [&] { return transpose(a) + section(expand(a, {{301, 0}, {0, 0}}), {{0, 1001}, {0, 700}}); });
  expect_same([&] { return replicate(section(a, {{3, 100, 4}, {7, 300, 3}}), {350, 1100}); });
}

}  // namespace
}  // namespace tutti::test
