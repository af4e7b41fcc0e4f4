// Matrix times matrix, against SGEMM.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/matrices/blas.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> left = random_numbers(count, -1, 1, 1);
  const Buffer<> right = random_numbers(count, -1, 1, 2);
  const Buffer<> result(count);
  const Array<2, float> a(left, side, side);
  const Array<2, float> b(right, side, side);
  evaluate(a, b);
  return {
      .tutti = [=] { inner_product(a, b).evaluate(); },
      .baseline =
          [=] {
            blas().sgemm(Blas::row_major, Blas::no_transpose, Blas::no_transpose, side, side, side,
                         1.0f, left.data(), side, right.data(), side, 0.0f, result.data(), side);
          },
      .disagreement = [=] { return disagreement(result, inner_product(a, b)); },
      .quiet = quiet_after_blas,
      .inputs = {left, right},
      .outputs = {result},
  };
}

}  // namespace

Comparison matrix_matrix_benchmark() {
  return {.name = "matrix_matrix",
          .description = "matrix times matrix; baseline SGEMM of OpenBLAS",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(4096, prepare)}};
}

}  // namespace tutti::bench
