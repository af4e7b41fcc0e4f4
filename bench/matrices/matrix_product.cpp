// The dense matrix product as a captured program, against loops that a compiler vectorises; what a
// library makes of the product is matrix_matrix.
#include "applications/matrix_product.hpp"

#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"

namespace tutti::bench {
namespace {

void multiply(const float* a, const float* b, float* c, int side, int first, int last) {
  const auto n = static_cast<size_t>(side);
  for (int row = first; row < last; ++row) {
    float* __restrict out = c + static_cast<size_t>(row) * n;
    std::fill(out, out + n, 0.0f);
    for (size_t k = 0; k < n; ++k) {
      const float weight = a[static_cast<size_t>(row) * n + k];
      const float* __restrict from = b + k * n;
      for (size_t column = 0; column < n; ++column) out[column] += weight * from[column];
    }
  }
}

Workload prepare(int side) {
  const auto n = static_cast<size_t>(side) * side;
  const Buffer<> a = random_numbers(n, -1, 1, 1), b = random_numbers(n, -1, 1, 2), c(n);
  const Shape<2> shape(side, side);
  const Array<2, float> left(a.data(), shape), right(b.data(), shape);
  const Value1i inner = side;
  const Program program = applications::matrix_product(left, right, inner);
  const auto tutti_side = [=]() -> Array<2, float> { return program(grid(side, side)); };
  return {
      .tutti = [=] { tutti_side().evaluate(); },
      .baseline =
          [=] {
            parallel_rows(
                side,
                [&](int first, int last) {
                  multiply(a.data(), b.data(), c.data(), side, first, last);
                },
                4);
          },
      .disagreement = [=] { return disagreement(c, tutti_side()); },
      .inputs = {a, b},
      .outputs = {c},
  };
}

}  // namespace

Comparison matrix_product_benchmark() {
  return {.name = "matrix_product",
          .description = "the dense matrix product as a program",
          .sizes = square_sizes(256, prepare),
          .gpu_sizes = {square_size(2048, prepare)},
          .tolerance = 1e-5,
          .reason = "fma rounds once"};
}

}  // namespace tutti::bench
