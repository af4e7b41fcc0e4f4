// The dense matrix product as a program: each element of the result is one run, which walks along a
// row and a column.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

namespace applications {
using namespace tutti;

inline Program matrix_product(const Array<2, float>& a, const Array<2, float>& b,
                              const Value1i& inner) {
  return BEGIN {
    In<Value2i> at;
    Out<Value1f> element = 0.0f;
    FOR(Value1i k = 0, k < inner, k += 1) {
      element = fma(a[Value2i(at(0), k)], b[Value2i(k, at(1))], element);
    }
    ENDFOR;
  }
  END;
}

}  // namespace applications
