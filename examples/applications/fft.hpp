// A fast Fourier transform of the rows of an image: one program for all stages, with complex
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
// reversed). A row has n elements, a power of two. The program is captured once; which stage it
// computes is a variable that it reads.
class RowTransform {
 public:
  explicit RowTransform(int n) : n_(n), roots_(roots_of_unity(n).evaluate()) {
    const int apart = n / 2;
    combine_ = BEGIN {
      In<Value2i> at;
      Out<Value2f> result;
      // Element j of the result belongs to sequence j / (2 length), at place j % (2 length).
      const Value1i length = Value1i(1) << stage_, j = at(1), low = j & (length - 1);
      const Value1i source = ((j >> (stage_ + 1)) << stage_) + low;
      const Value2f a = x_[Value2i(at(0), source)], b = x_[Value2i(at(0), source + apart)];
      const Value2f root = roots_[low * (apart >> stage_)];
      const Complex turned = Complex(root(0), root(1)) * Complex(b(0), b(1));
      const Value2f t(turned.real(), turned.imag());
      result = cond((j & length) == 0, a + t, a - t);
    }
    END;
  }
  RowTransform(const RowTransform&) = delete;
  RowTransform& operator=(const RowTransform&) = delete;

  Array<2, Value2f> operator()(const Array<2, Value2f>& rows) {
    x_ = rows;
    for (int stage = 0; (1 << stage) < n_; ++stage) {
      stage_ = stage;
      x_ = combine_(grid(rows.extent(0), n_));
      x_.evaluate();
    }
    return x_;
  }

 private:
  int n_;
  Array<2, Value2f> x_;
  Array<1, Value2f> roots_;
  Value1i stage_ = 0;
  Program combine_;
};

}  // namespace applications
