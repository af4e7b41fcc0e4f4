// The dense matrix product as a program, against inner_product().
#include "matrix_product.hpp"

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
  const Program product = applications::matrix_product(a, b, inner);
  const Array<2, float> c = product(grid(n, n));
  const float difference = max_val(abs(c - inner_product(a, b))), largest = max_val(abs(c));
  CHECK(difference < 1e-4f * largest);
  picture::save(argc, argv, "matrix_product", picture::heat(0.5f + 0.5f * c / largest));
  return ok();
}
