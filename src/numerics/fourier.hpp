// The arithmetic of Fourier transforms of lines, part of the numerical contract. A line of n
// elements passes through one stage for each radix of n (decimation in frequency). Before a stage,
// the line holds `done` sequences of radix * rest elements each, `done` being the product of the
// radices before it. The stage combines the elements p, p + rest, p + 2 rest, ... of a sequence:
//
//   radix 2   x0 + x1, x0 - x1
//   radix 4   (x0 + x2) + (x1 + x3), (x0 - x2) - i (x1 - x3), and the same with - and +
//   others    m = x0 + c1 (x1 + x[r-1]) + c2 (x2 + x[r-2]) + ..., from left to right;
//             v = s1 (x1 - x[r-1]) + s2 (x2 - x[r-2]) + ...; outputs k and r - k are m - i v, m + i
//             v with the cosines c and sines s of 2 pi j k / r, for k <= r / 2; output 0 is m alone
//
// Output k is multiplied by exp(-2 pi i p k / (radix * rest)), as (a.re w.re - a.im w.im,
// a.re w.im + a.im w.re), unless k = 0 or rest = 1. Nothing is contracted. It becomes element p of
// the sequence with the number k * done + (the number of the sequence before). After all stages,
// these numbers are the frequencies. Scaled results are multiplied by 1 / n.
//
// Layout, grouping of stages and the number of lanes do not change a result.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace tutti::ir {

struct Root {
  double real, imag;
};

// Returns a point of the circle from the cosine and the sine of an angle of at most pi / 4. It is
// exp(-i (octant pi / 4 + angle)), and for odd octants exp(-i ((octant + 1) pi / 4 - angle)).
template <class T>
std::pair<T, T> in_octant(int64_t octant, T c, T s) {
  switch (octant) {
    case 0:
      return {c, -s};
    case 1:
      return {s, -c};
    case 2:
      return {-s, -c};
    case 3:
      return {-c, -s};
    case 4:
      return {-c, s};
    case 5:
      return {-s, c};
    case 6:
      return {s, c};
    default:
      return {c, s};
  }
}

// Returns exp(-2 pi i t / n) for 0 <= t < n. The angle is reduced to the first octant of the circle
// exactly. Tables hold these values, rounded to the type of the elements.
Root root_of_unity(int64_t t, int64_t n);

// Returns the radices of the stages, in order; none if n has a prime factor above 7 or is 1.
std::vector<int64_t> radices_of(int64_t n);

inline bool has_stages(int64_t n) { return n == 1 || (n > 1 && !radices_of(n).empty()); }

}  // namespace tutti::ir
