// Captured programs: control flow, local arrays, calls, what comes from outside; each compiled and
// interpreted, to the bit.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <complex>
#include <numeric>

#include "programs/samples.hpp"
#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

vector<float> ramp(int n, float step = 0.37f) {
  vector<float> x(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<size_t>(i)] = step * static_cast<float>(i - n / 3);
  return x;
}

const Array<1, float>& values() {
  static const Array<1, float> a(ramp(1003));
  return a;
}

TEST(Programs, NestedControlFlow) {
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1i> steps;
    Value1i n = 0;
    Value1f y = abs(x);
    WHILE(y > 0.1f) {
      IF(y > 50.0f) { BREAK; }
      ELSEIF(y > 20.0f) { y *= 0.25f; }
      ELSE {
        FOR(Value1i k = 0, k < 3, k += 1) {
          IF((n & 1) == 0 && k == 1) {
            n += 5;
            CONTINUE;
          }
          ENDIF;
          y -= 0.3f;
          n += 1;
        }
        ENDFOR;
      }
      ENDIF;
      n += 1;
    }
    ENDWHILE;
    steps = n;
  }
  END;
  expect_same([&]() -> Array<1, int> { return p(values()); });
}

TEST(Programs, WhatLoopsGive) {
  const Program collatz = BEGIN {
    In<Value1i> start;
    Out<Value1i> steps = 0;
    Value1i x = start;
    DO {
      IF(x == 1) { BREAK; }
      ENDIF;
      x = cond((x & 1) == 1, 3 * x + 1, x / 2);
      steps += 1;
    }
    UNTIL(x == 1);
  }
  END;
  const Array<1, int> n(vector<int>{1, 2, 3, 27, 97});
  expect_values([&]() -> Array<1, int> { return collatz(n); }, vector<int>{0, 1, 7, 111, 118});
}

TEST(Programs, LoopsOfOneLengthStayUniform) {
  Value1i count = 10;
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = 0.0f;
    FOR(Value1i k = 0, k < count, k += 1) { y = y * x + Value1f(k); }
    ENDFOR;
  }
  END;
  expect_same([&]() -> Array<1, float> { return p(values()); });
  const Array<1, float> ten = p(Array<1, float>(vector<float>{1}));
  EXPECT_EQ(ten.to_vector()[0], 45.0f);
  count = 3;  // seen by the next run
  const Array<1, float> three = p(Array<1, float>(vector<float>{1}));
  EXPECT_EQ(three.to_vector()[0], 3.0f);
}

TEST(Programs, LocalArrays) {
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y;
    LocalArray<float> seen(8);
    FOR(Value1i k = 0, k < 8, k += 1) { seen[k] = x * Value1f(k); }
    ENDFOR;
    Value1i at = cast<Value1i>(x);
    seen[at] = 100.0f;  // outside: nothing
    seen[at + 1] += 1.0f;
    y = seen[at] + seen[(at + 1) & 7] + seen[3];
  }
  END;
  expect_same([&]() -> Array<1, float> { return p(values()); });
}

TEST(Programs, ArraysAreReadUnderTheirBoundary) {
  for (const Boundary& rule : {Boundary::wrap(), Boundary::clamp(), Boundary::constant(-7.0f)}) {
    Array<2, float> table(ramp(35), 5, 7);
    table.boundary(rule);
    const Program p = BEGIN {
      In<Value1f> x;
      Out<Value1f> y = 0.0f;
      FOR(Value1i k = 0, k < cast<Value1i>(abs(x)) && k < 9, k += 1) {
        y += table[Value2i(k - 2, cast<Value1i>(x) + k)];
      }
      ENDFOR;
    }
    END;
    expect_same([&]() -> Array<1, float> { return p(values()); });
  }
}

TEST(Programs, ArraysFromOutsideAreReadWhenTheProgramRuns) {
  Array<1, float> table(vector<float>{1, 2});
  const Program p = program([&](Value1i i) { return table[i]; });
  table = Array<1, float>(vector<float>{10, 20, 30});
  const Array<1, float> r = p(Array<1, int>(vector<int>{0, 2}));
  EXPECT_EQ(r.to_vector(), (vector<float>{10, 30}));
}

TEST(Programs, CallOtherPrograms) {
  const Program square = program([](Value1f x) { return x * x; });
  const Program halve_until = BEGIN {
    In<Value1f> x, limit;
    Out<Value1f> y = x;
    WHILE(y > limit) { y *= 0.5f; }
    ENDWHILE;
  }
  END;
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> total = 0.0f;
    FOR(Value1i k = 1, k < 4, k += 1) {
      Value1f part = halve_until(square(x), Value1f(k));
      total += part;
    }
    ENDFOR;
  }
  END;
  expect_same([&]() -> Array<1, float> { return p(values()); });
  const Array<1, float> r = p(Array<1, float>(vector<float>{2}));
  EXPECT_EQ(r.to_vector()[0], 1 + 2 + 2);
}

TEST(Programs, HostControlFlowShapesThem) {
  const float weights[] = {0, 2, 0, 3};
  const Program p = BEGIN {
    In<Value4f> x;
    Out<Value1f> y = 0.0f;
    for (int i = 0; i < 4; ++i)
      if (weights[i] != 0) y += weights[i] * x(i);
  }
  END;
  EXPECT_EQ(p.operations(), 4);
  const Value1f y = p(Value4f(1, 10, 100, 1000));
  EXPECT_EQ(float(y), 3020.0f);
}

TEST(Programs, ComplexNumbersIterate) {
  const Program mandelbrot = BEGIN {
    In<Value2f> c;
    Out<Value1i> iterations;
    std::complex<Value1f> z(Value1f(0), Value1f(0));
    const std::complex<Value1f> start(c(0), c(1));
    Value1i n = 0;
    WHILE(z.real() * z.real() + z.imag() * z.imag() < 4.0f && n < 50) {
      z = z * z + start;
      n += 1;
    }
    ENDWHILE;
    iterations = n;
  }
  END;
  const Array<2, Value2i> cells = grid(40, 60);
  const Array<2, Value2f> points = join(cast<float>(cells.component(0)) * 0.05f - 1.5f,
                                        cast<float>(cells.component(1)) * 0.04f - 1.2f);
  expect_same([&]() -> Array<2, int> { return mandelbrot(points); });
  EXPECT_EQ(explain(mandelbrot(points)).kernels().size(), 1u);  // the points are fused into it
}

TEST(Programs, FuseWithTheOperationsAround) {
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    WHILE(y > 1.0f) { y *= 0.5f; }
    ENDWHILE;
  }
  END;
  const auto build = [&]() -> Array<1, float> {
    const Array<1, float> inner = p(values() * 3.0f + 1.0f);
    return inner * 2.0f - 1.0f;
  };
  expect_same(build);
  EXPECT_EQ(explain(build()).kernels().size(), 1u);
  const Array<0, float> total = sum(Array<1, float>(p(values())));
  EXPECT_EQ(explain(total).kernels().size(), 1u);
}

TEST(Programs, SeveralOutputsAreOneKernel) {
  const Program p = halving();
  Array<1, float> y;
  Array<1, int> n;
  bundle(y, n) = p(values());
  EXPECT_EQ(explain(y, n).kernels().size(), 1u);
  expect_same([&] {
    bundle(y, n) = p(values());
    return n;
  });
}

TEST(Programs, UnusedOutputsCostNothing) {
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> cheap = x + 1.0f;
    Out<Value1f> expensive = x;
    FOR(Value1i k = 0, k < 100, k += 1) { expensive = sin(expensive); }
    ENDFOR;
  }
  END;
  const Program first = program([](Value1f a, Value1f) { return a; });
  EXPECT_LT((first << p).operations(), p.operations());
}

TEST(Programs, EveryElementType) {
  const auto check = [](auto tag) {
    using T = decltype(tag);
    const Program p = BEGIN {
      In<Value<1, T>> x;
      Out<Value<1, T>> y = x;
      FOR(Value1i k = 0, k < 3, k += 1) {
        IF(y > T(5)) { y = y - T(3); }
        ELSE { y = y + y; }
        ENDIF;
      }
      ENDFOR;
    }
    END;
    vector<T> x;
    for (int i = 0; i < 100; ++i) x.push_back(T(i % 23));
    const Array<1, T> a(x);
    expect_same([&]() -> Array<1, T> { return p(a); });
  };
  check(int8_t{}), check(uint8_t{}), check(int16_t{}), check(uint16_t{}), check(int32_t{});
  check(uint32_t{}), check(int64_t{}), check(uint64_t{}), check(half{}), check(float{});
  check(double{});
}

TEST(Programs, DebuggingTellsEveryElement) {
  const WithSettings s([](Settings& s) { s.debug_programs = true; });
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x * 2.0f;
    trace("twice", y);
  }
  END;
  ::testing::internal::CaptureStderr();
  const Array<1, float> r = p(Array<1, float>(vector<float>{1, 2.5f}));
  r.evaluate();
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("twice [element 1] = 5"), std::string::npos) << told;
  EXPECT_EQ(r.to_vector(), (vector<float>{2, 5}));
}

// A loop that never reads anything is evaluated by itself, all outputs together.
TEST(Programs, LazinessHasBounds) {
  const WithSettings s([](Settings& s) { s.max_pending_operations = 50; });
  const Program p = program([](Value1f x, Value1f y) { return std::tuple(x + y * 0.5f, y - x); });
  Array<1, float> x = values() * 0.01f, y = values() * 0.02f;
  const int64_t before = statistics().evaluations;
  for (int i = 0; i < 100; ++i) bundle(x, y) = p(x, y);
  const int64_t evaluations = statistics().evaluations - before;
  EXPECT_GE(evaluations, 3);
  EXPECT_LE(evaluations, 20);
}

TEST(Programs, NothingIsCompiledAgainForAnotherNumber) {
  Value1f limit = 1;
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    WHILE(y > limit) { y *= 0.5f; }
    ENDWHILE;
  }
  END;
  Array<1, float>(p(values())).evaluate();
  const int64_t before = statistics().kernels_compiled + statistics().kernels_from_disk;
  for (int i = 0; i < 5; ++i) {
    limit = limit + 0.5f;
    Array<1, float>(p(values())).evaluate();
  }
  EXPECT_EQ(statistics().kernels_compiled + statistics().kernels_from_disk, before);
}

}  // namespace
}  // namespace tutti::test
