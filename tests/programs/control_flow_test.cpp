// Control flow of programs against the same loops in plain C++.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <functional>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

// The program gives for each number what the function does.
void expect_function(const Program& p, const std::function<int(int)>& f,
                     const Location& where = Location::current()) {
  vector<int> numbers, want;
  for (int i = 0; i < 203; ++i) numbers.push_back(i * 37 % 61);
  for (int n : numbers) want.push_back(f(n));
  const Array<1, int> a(numbers);
  expect_values([&]() -> Array<1, int> { return p(a); }, want, where);
}

TEST(ControlFlow, BreakAndContinueOfNestedLoops) {
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s = 0;
        FOR(Value1i i = 0, i < n, i++) {
          IF(i % 3 == 0) { CONTINUE; }
          ENDIF;
          IF(i > 40) { BREAK; }
          ENDIF;
          FOR(Value1i j = i, j > 0, --j) {
            IF(j == 5) { BREAK; }
            ELSEIF(j % 2 == 0) { CONTINUE; }
            ENDIF;
            s += j;
          }
          ENDFOR;
          s += 100;
        }
        ENDFOR;
      } END,
      [](int n) {
        int s = 0;
        for (int i = 0; i < n; ++i) {
          if (i % 3 == 0) continue;
          if (i > 40) break;
          for (int j = i; j > 0; --j) {
            if (j == 5) break;
            if (j % 2 == 0) continue;
            s += j;
          }
          s += 100;
        }
        return s;
      });
}

TEST(ControlFlow, EveryLoopInEveryOther) {
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s = 0;
        Value1i a = n;
        WHILE(a > 0) {
          Value1i b = a;
          WHILE(b > 0) {
            DO {
              b -= 2;
              s += 1;
              IF(b < a / 2) { BREAK; }
              ENDIF;
              IF(b % 5 == 0) { CONTINUE; }
              ENDIF;
              s += b & 1;
            }
            UNTIL(s % 7 == 0);
            IF(s > 500) { BREAK; }
            ENDIF;
            b -= 1;
          }
          ENDWHILE;
          IF(s > 500) { BREAK; }
          ENDIF;
          a -= 2;
        }
        ENDWHILE;
      } END,
      [](int n) {
        int s = 0, a = n;
        while (a > 0) {
          int b = a;
          while (b > 0) {
            do {
              b -= 2;
              s += 1;
              if (b < a / 2) break;
              if (b % 5 == 0) continue;
              s += b & 1;
            } while (s % 7 != 0);
            if (s > 500) break;
            b -= 1;
          }
          if (s > 500) break;
          a -= 2;
        }
        return s;
      });
}

// Control flow of its own, wherever it is called.
Value1bool odd(Value1i k) {
  Value1bool result = false;
  IF((k & 1) == 1) { result = true; }
  ENDIF;
  return result;
}

TEST(ControlFlow, FunctionsInConditions) {
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s = 0;
        FOR(Value1i i = 0, i < n && !odd(s), i += 1) { s += i; }
        ENDFOR;
        WHILE(odd(s) || s < 3) { s += 1; }
        ENDWHILE;
        IF(odd(n)) { s = -s; }
        ELSEIF(odd(n / 2)) { s = 2 * s; }
        ELSE { s += 1; }
        ENDIF;
        DO { s += 3; }
        UNTIL(odd(s));
      } END,
      [](int n) {
        int s = 0;
        for (int i = 0; i < n && !(s & 1); ++i) s += i;
        while ((s & 1) || s < 3) ++s;
        if (n & 1)
          s = -s;
        else if ((n / 2) & 1)
          s = 2 * s;
        else
          s += 1;
        do {
          s += 3;
        } while (!(s & 1));
        return s;
      });
}

TEST(ControlFlow, WriteMasksUnderConditions) {
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s;
        Value3i y(0, 0, 0);
        FOR(Value1i k = 0, k < n, k += 1) {
          y(0, 1) += Value2i(1, 2);
          IF((k & 1) == 1) {
            y(2)--;
            CONTINUE;
          }
          ENDIF;
          y(1, 2) = y(2, 1);
          y(2, 0)(1) += k;
        }
        ENDFOR;
        s = y(0) + 100 * y(1) + 10000 * y(2);
      } END,
      [](int n) {
        int y[3] = {};
        for (int k = 0; k < n; ++k) {
          y[0] += 1;
          y[1] += 2;
          if (k & 1) {
            --y[2];
            continue;
          }
          std::swap(y[1], y[2]);
          y[0] += k;
        }
        return y[0] + 100 * y[1] + 10000 * y[2];
      });
}

TEST(ControlFlow, LocalArraysAreSorted) {
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s = 0;
        LocalArray<Value1i> a(8);
        FOR(Value1i i = 0, i < 8, i += 1) { a[i] = (n * (i + 3)) % 11; }
        ENDFOR;
        FOR(Value1i i = 0, i < 8, i += 1) {
          FOR(Value1i j = 0, j < 7 - i, j += 1) {
            IF(a[j] > a[j + 1]) {
              Value1i t = a[j];
              a[j] = a[j + 1];
              a[j + 1] = t;
            }
            ENDIF;
          }
          ENDFOR;
        }
        ENDFOR;
        FOR(Value1i i = 0, i < 8, i += 1) { s = s * 11 + a[i]; }
        ENDFOR;
      } END,
      [](int n) {
        int a[8];
        for (int i = 0; i < 8; ++i) a[i] = n * (i + 3) % 11;
        std::sort(a, a + 8);
        uint32_t s = 0;
        for (int x : a) s = s * 11 + static_cast<uint32_t>(x);
        return static_cast<int>(s);
      });
}

TEST(ControlFlow, LocalArraysOfTuples) {
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s;
        LocalArray<Value2i> h(4);
        FOR(Value1i i = 0, i < n, i += 1) {
          h[i & 3] = h[(i + 1) & 3](1, 0) + Value2i(1, i);
          h[(i + 2) & 3](1) -= i;
          h[(i + 2) & 3] *= 3;
        }
        ENDFOR;
        s = h[n & 3](0) + 10 * h[n & 3](1);
      } END,
      [](int n) {
        uint32_t h[4][2] = {};
        for (int k = 0; k < n; ++k) {
          const auto i = static_cast<uint32_t>(k);
          const uint32_t a = h[(i + 1) & 3][1] + 1, b = h[(i + 1) & 3][0] + i;
          h[i & 3][0] = a;
          h[i & 3][1] = b - 0;
          h[(i + 2) & 3][1] -= i;
          h[(i + 2) & 3][0] *= 3;
          h[(i + 2) & 3][1] *= 3;
        }
        return static_cast<int>(h[n & 3][0] + 10 * h[n & 3][1]);
      });
}

TEST(ControlFlow, ProgramsInLoops) {
  const Program by_three = BEGIN {
    In<Value1i> x;
    Out<Value1i> rest = x, times = 0;
    WHILE(rest > 3) {
      rest -= 3;
      times += 1;
    }
    ENDWHILE;
  }
  END;
  const Program halved = program([](Value1i x) { return x / 2; });
  expect_function(
      BEGIN {
        In<Value1i> n;
        Out<Value1i> s = 0;
        FOR(Value1i i = 0, i < n, i += 5) {
          Value1i rest, times;
          bundle(rest, times) = by_three(i + n);
          s += rest * times;
          s = halved(s);
          IF(i > 20) {
            bundle(rest, times) = by_three(halved(n));
            s += rest;
          }
          ENDIF;
        }
        ENDFOR;
      } END,
      [](int n) {
        const auto divide = [](int x, int& times) {
          for (times = 0; x > 3; x -= 3) ++times;
          return x;
        };
        int s = 0, times = 0;
        for (int i = 0; i < n; i += 5) {
          const int rest = divide(i + n, times);
          s = (s + rest * times) / 2;
          if (i > 20) s += divide(n / 2, times);
        }
        return s;
      });
}

// An input is a variable of the program like others; what was passed stays as it is.
TEST(ControlFlow, InputsAreAssigned) {
  expect_function(
      BEGIN {
        InOut<Value1i> n;
        Value1i k = n;
        n = n + 1;
        WHILE(k > 0) {
          k -= 1;
          n += k;
        }
        ENDWHILE;
      } END,
      [](int n) { return n + 1 + n * (n - 1) / 2; });
}

}  // namespace
}  // namespace tutti::test
