// A fast Fourier transform of the rows of an image: one program for each stage, whose number of
// points is part of the code.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <complex>
#include <numbers>

namespace applications {
using namespace tutti;

using Complex = std::complex<Value1f>;

// Stage by stage, halves of sequences of `length` become whole ones (Stockham's order: no bits are
// reversed).
inline Array<2, Value2f> transform_rows(Array<2, Value2f> x) {
  const int rows = static_cast<int>(x.extent(0)), n = static_cast<int>(x.extent(1));
  for (int length = 1; length < n; length *= 2) {
    const int apart = n / 2;
    const Program stage = BEGIN {
      In<Value2i> at;
      Out<Value2f> result;
      // Element j of the result belongs to sequence j / (2 length), at place j % (2 length).
      const Value1i j = at(1), place = j % (2 * length), low = place % length;
      const Value1i source = j / (2 * length) * length + low;
      const Value2f a = x[Value2i(at(0), source)], b = x[Value2i(at(0), source + apart)];
      const Value1f angle = Value1f(low) * static_cast<float>(-std::numbers::pi / length);
      const Complex turned = Complex(cos(angle), sin(angle)) * Complex(b(0), b(1));
      const Value1f sign = cond(place < length, Value1f(1), Value1f(-1));
      result = a + sign * Value2f(turned.real(), turned.imag());
    }
    END;
    x = Array<2, Value2f>(stage(grid(rows, n))).evaluate();
  }
  return x;
}

}  // namespace applications
