// Sampling modes: arrays are read beyond and between their elements by the modes that they have
// when a program runs.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

// Both forms of a program: straight code, and statements.
Program reading(const Array<1, float>& table, bool in_a_loop) {
  if (!in_a_loop) return program([&](Value1i i) { return table[i]; });
  return BEGIN {
    In<Value1i> i;
    Out<Value1f> y = 0.0f;
    FOR(Value1i k = 0, k < 2, k += 1) { y += 0.5f * table[i]; }
    ENDFOR;
  }
  END;
}
Program sampling(const Array<1, float>& table, bool in_a_loop) {
  if (!in_a_loop) return program([&](Value1f x) { return table(x); });
  return BEGIN {
    In<Value1f> x;
    Out<Value1f> y = 0.0f;
    FOR(Value1i k = 0, k < 2, k += 1) { y += 0.5f * table(x); }
    ENDFOR;
  }
  END;
}

TEST(Modes, BoundariesAreThoseOfTheRun) {
  for (const bool in_a_loop : {false, true}) {
    Array<1, float> table(vector<float>{0, 10, 20, 30});
    const Program p = reading(table, in_a_loop);
    const Array<1, int> at(vector<int>{-1, 4, 5});
    const auto read_as = [&](const Boundary& rule) {
      table.boundary(rule);
      expect_same([&]() -> Array<1, float> { return p(at); });
      return Array<1, float>(p(at)).to_vector();
    };
    EXPECT_EQ(read_as(Boundary::clamp()), (vector<float>{0, 30, 30}));
    EXPECT_EQ(read_as(Boundary::wrap()), (vector<float>{30, 0, 10}));
    EXPECT_EQ(read_as(Boundary::constant(-5.0f)), (vector<float>{-5, -5, -5}));
    EXPECT_EQ(read_as(Boundary::constant(7.0f)), (vector<float>{7, 7, 7}));
    EXPECT_EQ(read_as(Boundary::clamp()), (vector<float>{0, 30, 30}));
  }
}

TEST(Modes, InterpolationIsThatOfTheRun) {
  for (const bool in_a_loop : {false, true}) {
    Array<1, float> table(vector<float>{0, 10, 20, 30});
    const Program p = sampling(table, in_a_loop);
    const int nearest = p.operations();
    const Array<1, float> at(vector<float>{0.25f, 0.5f});
    const auto read_as = [&](Interpolation mode) {
      table.interpolation(mode);
      expect_same([&]() -> Array<1, float> { return p(at); });
      return Array<1, float>(p(at)).to_vector();
    };
    EXPECT_EQ(read_as(Interpolation::nearest), (vector<float>{10, 20}));
    EXPECT_EQ(read_as(Interpolation::linear), (vector<float>{5, 15}));
    EXPECT_GT(p.operations(), nearest);  // only what the mode needs is computed
    EXPECT_EQ(read_as(Interpolation::nearest), (vector<float>{10, 20}));
    EXPECT_EQ(p.operations(), nearest);
  }
}

TEST(Modes, OfProgramsInPrograms) {
  Array<1, float> table(vector<float>{1, 2});
  const Program inner = reading(table, true);
  const Program outer = BEGIN {
    In<Value1i> i;
    Out<Value1f> y = 0.0f;
    WHILE(y < 2.0f) {
      Value1f z = inner(i);
      y += z;
    }
    ENDWHILE;
  }
  END;
  const Program twice = program([](Value1f x) { return x + x; }) << outer;
  table.boundary(Boundary::constant(5.0f));
  EXPECT_EQ(float(Value1f(outer(3))), 5.0f);
  table.boundary(Boundary::wrap());
  EXPECT_EQ(float(Value1f(twice(3))), 4.0f);
}

TEST(Modes, OfArraysBoundLoosely) {
  Array<1, float> two(vector<float>{10, 20});
  const Array<1, float> longer(vector<float>{1, 2, 3});
  const Program add = program([](Value1f a, Value1f b) { return a + b; });
  const Program loose = add << two, tight = add(two);
  two.boundary(Boundary::wrap());
  EXPECT_EQ((Array<1, float>(loose(longer)).to_vector()), (vector<float>{11, 22, 13}));
  EXPECT_EQ((Array<1, float>(tight(longer)).to_vector()), (vector<float>{11, 22, 23}));
}

TEST(Modes, OfSeveralOutputs) {
  Array<1, float> table(vector<float>{1, 2});
  const Program p = BEGIN {
    In<Value1i> i;
    Out<Value1f> y = 0.0f, z = 0.0f;
    FOR(Value1i k = 0, k < i, k += 1) {
      y += table[k];
      z -= table[k];
    }
    ENDFOR;
  }
  END;
  table.boundary(Boundary::constant(100.0f));
  Array<1, float> y, z;
  bundle(y, z) = p(Array<1, int>(vector<int>{1, 3}));
  EXPECT_EQ(explain(y, z).kernels().size(), 1u);
  EXPECT_EQ(y.to_vector(), (vector<float>{1, 103}));
  EXPECT_EQ(z.to_vector(), (vector<float>{-1, -103}));
}

}  // namespace
}  // namespace tutti::test
