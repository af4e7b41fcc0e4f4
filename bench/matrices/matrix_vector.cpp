// Matrix times vector, against SGEMV.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/matrices/blas.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> matrix = random_numbers(count, -1, 1, 1);
  const Buffer<> vector = random_numbers(side, -1, 1, 2);
  const Buffer<> result(side);
  const Array<2, float> a(matrix, side, side);
  const Array<1, float> x(vector);
  evaluate(a, x);
  return {
      .tutti = [=] { inner_product(a, x).evaluate(); },
      .baseline =
          [=] {
            blas().sgemv(Blas::row_major, Blas::no_transpose, side, side, 1.0f, matrix.data(), side,
                         vector.data(), 1, 0.0f, result.data(), 1);
          },
      .disagreement = [=] { return disagreement(result, inner_product(a, x)); },
      .bytes = 1.0 * (count + 2 * side) * sizeof(float),
      .quiet = quiet_after_blas,
      .inputs = {matrix, vector},
      .outputs = {result},
  };
}

}  // namespace

Comparison matrix_vector_benchmark() {
  return {.name = "matrix_vector",
          .description = "matrix times vector; baseline SGEMV of OpenBLAS",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(16384, prepare)}};
}

}  // namespace tutti::bench
