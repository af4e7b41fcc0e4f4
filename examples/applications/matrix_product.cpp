// The dense matrix product as a program: each element of the result is one run, which walks along a
// row and a column.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

int main(int argc, char** argv) {
  constexpr int n = 256;
  const auto coordinates = [](int axis) { return cast<float>(index<2>({n, n}, axis)); };
  Array<2, float> a = sin(coordinates(0) * coordinates(1) * 0.002f),
                  b = cos((coordinates(0) - coordinates(1)) * 0.05f);
  evaluate(a, b);
  Value1i inner = n;
  const Program product = BEGIN {
    In<Value2i> at;
    Out<Value1f> element = 0.0f;
    FOR(Value1i k = 0, k < inner, k += 1) {
      element = fma(a[Value2i(at(0), k)], b[Value2i(k, at(1))], element);
    }
    ENDFOR;
  }
  END;
  const Array<2, float> c = product(grid(n, n));
  const float difference = max_val(abs(c - inner_product(a, b))), largest = max_val(abs(c));
  CHECK(difference < 1e-4f * largest);
  picture::save(argc, argv, "matrix_product", picture::heat(0.5f + 0.5f * c / largest));
  return ok();
}
