// A fast Fourier transform of the rows of an image: one program for each stage, with complex
// numbers of the standard library.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <complex>
#include <numbers>

namespace applications {
using namespace tutti;

using Complex = std::complex<Value1f>;

// The first half of the n-th roots of unity.
inline Array<1, Value2f> roots_of_unity(int n) {
  const Program root = program([=](Value1i k) {
    const Value1f angle = Value1f(k) * static_cast<float>(-2 * std::numbers::pi / n);
    return Value2f(cos(angle), sin(angle));
  });
  return root(grid(n / 2));
}

// Stage by stage, halves of sequences of `length` become whole ones (Stockham's order: no bits are
// reversed). A row has as many elements as a power of two says.
inline Array<2, Value2f> transform_rows(Array<2, Value2f> x) {
  const int rows = static_cast<int>(x.extent(0)), n = static_cast<int>(x.extent(1));
  const Array<1, Value2f> roots = roots_of_unity(n).evaluate();
  for (int stage = 0; (1 << stage) < n; ++stage) {
    const int length = 1 << stage, apart = n / 2;
    const Program combine = BEGIN {
      In<Value2i> at;
      Out<Value2f> result;
      // Element j of the result belongs to sequence j / (2 length), at place j % (2 length).
      const Value1i j = at(1), low = j & (length - 1);
      const Value1i source = ((j >> (stage + 1)) << stage) + low;
      const Value2f a = x[Value2i(at(0), source)], b = x[Value2i(at(0), source + apart)];
      const Value2f root = roots[low * (apart / length)];
      const Complex turned = Complex(root(0), root(1)) * Complex(b(0), b(1));
      const Value2f t(turned.real(), turned.imag());
      result = cond((j & length) == 0, a + t, a - t);
    }
    END;
    x = Array<2, Value2f>(combine(grid(rows, n))).evaluate();
  }
  return x;
}

}  // namespace applications
