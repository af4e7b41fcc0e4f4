// Binding, composing and bundling programs, and how inputs of different sizes meet.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "programs/samples.hpp"
#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

Program weighted() {  // 100 a + 10 b + c
  return program([](Value1f a, Value1f b, Value1f c) { return 100.0f * a + 10.0f * b + c; });
}

TEST(Algebra, BindsOneInputAfterTheOther) {
  const Program one = weighted()(1.0f), two = one(2.0f);
  EXPECT_EQ(one.inputs(), 2);
  const Value1f r = two(3.0f);
  EXPECT_EQ(float(r), 123.0f);
  const Array<1, float> a = one(Array<1, float>(vector<float>{1, 2}), 5.0f);
  EXPECT_EQ(a.to_vector(), (vector<float>{115, 125}));
}

TEST(Algebra, LooseBindingFollowsVariables) {
  Array<1, float> x(vector<float>{1, 2});
  Value1f y = 7;
  const Program p = ((weighted() << x) << y)(0.0f);
  x = Array<1, float>(vector<float>{3, 4, 5});
  y = 1;
  const Array<1, float> r = p;
  EXPECT_EQ(r.to_vector(), (vector<float>{310, 410, 510}));
}

TEST(Algebra, VariablesOutliveTheirScope) {
  Program p;
  {
    Value1f gain = 3;
    p = program([&](Value1f x) { return gain * x; });
    gain = 4;
  }
  const Value1f r = p(2.0f);
  EXPECT_EQ(float(r), 8.0f);
}

TEST(Algebra, FreeingUndoesLooseBinding) {
  Value1f k = 5;
  const Program p = weighted(), q = (p << k) >> k;
  EXPECT_EQ(q.inputs(), 3);
  const Value1f r = q(1.0f, 2.0f, 3.0f);
  EXPECT_EQ(float(r), 123.0f);
}

TEST(Algebra, CompositionCostsNothing) {
  const Program twice = program([](Value1f x) { return x + x; });
  const Program all = twice << twice << twice;
  EXPECT_EQ(all.operations(), 3);
  const Array<1, float> r = all(Array<1, float>(vector<float>{1, 2}));
  EXPECT_EQ(r.to_vector(), (vector<float>{8, 16}));
  // More inputs than outputs: what is left follows.
  const Program more = weighted() << bundle(twice, twice);
  EXPECT_EQ(more.inputs(), 3);
  const Value1f n = more(1.0f, 2.0f, 3.0f);
  EXPECT_EQ(float(n), 243.0f);
}

TEST(Algebra, InterfaceAdaptation) {
  const Program swap = program([](Value1f a, Value1f b) { return std::tuple(b, a); });
  const Program minus = program([](Value1f a, Value1f b) { return a - b; });
  const Program other = minus << swap;
  EXPECT_EQ(other.operations(), minus.operations());
  const Value1f r = other(1.0f, 10.0f);
  EXPECT_EQ(float(r), 9.0f);
}

// Two programs composed are what one program written by hand is: the same kernels, the same
// operations in them.
TEST(Algebra, ComposedIsHandMerged) {
  const Program halve = halving();
  const Program weigh = program([](Value1f y, Value1i n) { return y * Value1f(n) + 1.0f; });
  const Program merged = BEGIN {
    In<Value1f> x;
    Out<Value1f> r;
    Value1f y = x;
    Value1i n = 0;
    WHILE(y > 1.0f) {
      y *= 0.5f;
      n += 1;
    }
    ENDWHILE;
    r = y * Value1f(n) + 1.0f;
  }
  END;
  const Program composed = weigh << halve;
  EXPECT_EQ(composed.operations(), merged.operations());
  const Array<1, float> x(vector<float>(1000, 77.0f));
  const auto one = explain(composed(x)).kernels(), other = explain(merged(x)).kernels();
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(one[0].bytes_read, other[0].bytes_read);
  EXPECT_EQ(one[0].bytes_written, other[0].bytes_written);
  const Array<1, float> got = composed(x), want = merged(x);
  EXPECT_EQ(got.to_vector(), want.to_vector());
}

TEST(Algebra, BundlesHoldWhatProgramsGive) {
  const Program both = program([](Value1f x, Value3f v) { return std::tuple(x + 1.0f, x * v); });
  Array<1, float> x(vector<float>{1, 2});
  const Bundle outputs = both(x, Value3f(1, 2, 3));
  EXPECT_EQ(outputs.size(), 2);
  x = Array<1, float>(vector<float>{5, 5});
  const Array<1, Value3f> second = outputs[1];
  EXPECT_EQ(second.to_vector(), (vector<Value3f>{{1, 2, 3}, {2, 4, 6}}));
  Array<1, float> first;
  Array<1, Value3f> again;
  bundle(first, again) = outputs;
  EXPECT_EQ(first.to_vector(), (vector<float>{2, 3}));
  const Program twice = program([](Value1f x) { return x + x; });
  EXPECT_EQ((Array<1, float>(twice(outputs[0])).to_vector()), (vector<float>{4, 6}));
  EXPECT_THROW((Array<1, float>(outputs)), TypeError);
  EXPECT_THROW((outputs[2]), ShapeError);
}

// What one program gives is computed at once, even if it is read one after the other.
TEST(Algebra, OutputsAreComputedTogether) {
  const Program both = program([](Value1f x) { return std::tuple(sin(x), cos(x)); });
  const Array<1, float> x(vector<float>(1000, 0.5f));
  Array<1, float> s, c;
  bundle(s, c) = both(x);
  int64_t before = statistics().evaluations;
  s.evaluate();
  c.evaluate();
  EXPECT_EQ(statistics().evaluations, before + 1);
  // What is not held any more is not computed.
  bundle(s, c) = both(x);
  c = Array<1, float>();
  before = statistics().buffers_allocated;
  s.evaluate();
  EXPECT_EQ(statistics().buffers_allocated, before + 1);
}

TEST(Algebra, SmallerInputsRepeatByTheirRule) {
  const Array<1, float> longer(vector<float>{1, 2, 3, 4, 5});
  Array<1, float> two(vector<float>{10, 20});
  const Program add = program([](Value1f a, Value1f b) { return a + b; });
  const auto sum_with = [&](const Boundary& rule) {
    two.boundary(rule);
    return Array<1, float>(add(longer, two)).to_vector();
  };
  EXPECT_EQ(sum_with(Boundary::wrap()), (vector<float>{11, 22, 13, 24, 15}));
  EXPECT_EQ(sum_with(Boundary::clamp()), (vector<float>{11, 22, 23, 24, 25}));
  EXPECT_EQ(sum_with(Boundary::constant(0.0f)), (vector<float>{11, 22, 3, 4, 5}));
}

TEST(Algebra, ProgramsThatIgnoreTheirInputs) {
  const Program constant = program([](Value1f) { return Value1f(7); });
  const Array<2, float> r = constant(Array<2, float>(2, 3));
  EXPECT_EQ(r.shape(), (Shape<2>(2, 3)));
  EXPECT_EQ(r.to_vector(), vector<float>(6, 7));
}

TEST(Algebra, ReduceByPrograms) {
  // Composition of affine maps is associative and not commutative.
  const Program then =
      program([](Value2f f, Value2f g) { return Value2f(g(0) * f(0), g(0) * f(1) + g(1)); });
  for (int n : {1, 2, 31, 32, 33, 1000, 1025}) {
    vector<Value2f> maps;
    double a = 1, b = 0;
    for (int i = 0; i < n; ++i) {
      const Value2f m(i % 3 == 0 ? 0.5f : i % 3 == 1 ? 2.0f : 1.0f, static_cast<float>(i % 5 - 2));
      maps.push_back(m);
      b = m.get(0) * b + m.get(1);
      a = m.get(0) * a;
    }
    const Array<1, Value2f> all(maps);
    expect_same([&] { return reduce(then, all); });
    const Value2f total = reduce(then, all);
    EXPECT_NEAR(total.get(0), a, 1e-3);
    EXPECT_NEAR(total.get(1), b, 1e-3 * (1 + std::abs(b)));
  }
}

TEST(Algebra, ReduceAlongAnAxis) {
  vector<float> x(7 * 70);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37) % 101);
  const Array<2, float> a(x, 7, 70);
  const auto largest = [](auto p, auto q) { return max(p, q); };
  EXPECT_EQ(reduce(largest, a, 0).to_vector(), max_val(a, 0).to_vector());
  EXPECT_EQ(reduce(largest, a, 1).to_vector(), max_val(a, 1).to_vector());
  EXPECT_EQ(float(reduce(largest, a)), float(max_val(a)));
  EXPECT_THROW(reduce(largest, Array<1, float>(0)), ShapeError);
  const Program wrong = program([](Value1f p, Value1f q) { return p > q; });
  EXPECT_THROW(reduce(wrong, a), TypeError);
}

TEST(Algebra, ScanByFunctions) {
  const auto then = [](auto f, auto g) { return Value2f(g(0) * f(0), g(0) * f(1) + g(1)); };
  for (int n : {1, 2, 31, 32, 33, 1000, 2100}) {
    vector<Value2f> maps, want;
    Value2f total(1, 0);
    for (int i = 0; i < n; ++i) {
      maps.emplace_back(i % 2 ? 0.5f : 2.0f, static_cast<float>(i % 5 - 2));
      total = then(total, maps.back());
      want.push_back(total);
    }
    const Array<1, Value2f> all(maps);
    expect_same([&] { return scan(then, all); });
    EXPECT_EQ(scan(then, all).to_vector(), want);  // halves and doubles: exact
  }
  const Array<2, int> rows(vector<int>{1, 2, 3, 4, 5, 6}, 2, 3);
  EXPECT_EQ(scan([](auto a, auto b) { return a + b; }, rows).to_vector(),
            (vector<int>{1, 3, 6, 4, 9, 15}));
}

TEST(Algebra, ReduceByAProgramWithALoop) {
  const Program gcd = BEGIN {
    In<Value1i> a, b;
    Out<Value1i> r;
    Value1i x = a, y = b;
    WHILE(y != 0) {
      Value1i rest = x % y;
      x = y;
      y = rest;
    }
    ENDWHILE;
    r = x;
  }
  END;
  vector<int> x;
  for (int i = 1; i <= 300; ++i) x.push_back(i * 12);
  const Array<1, int> a(x);
  expect_same([&] { return reduce(gcd, a); });
  EXPECT_EQ(int(reduce(gcd, a)), 12);
}

}  // namespace
}  // namespace tutti::test
