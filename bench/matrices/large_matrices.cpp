// Systems of equations and eigenvalues of one large matrix, against the LAPACK of OpenBLAS with the
// same number of threads for its products.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/matrices/blas.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

// A symmetric matrix with a heavy diagonal: pivots and eigenvalues are far apart.
Buffer<> symmetric_matrix(int side) {
  const auto n = static_cast<size_t>(side);
  const Buffer<> numbers = random_numbers(n * n, -1, 1, 1), result(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      result[i * n + j] =
          numbers[i * n + j] + numbers[j * n + i] + (i == j ? static_cast<float>(i) : 0);
  return result;
}

Workload prepare_solve(int side) {
  const auto n = static_cast<size_t>(side);
  const Buffer<> matrix = symmetric_matrix(side), right = random_numbers(n, -1, 1, 2);
  const Buffer<> result(n), work(n * n);
  const Buffer<int> pivots(n);
  const Array<2, float> a(matrix, side, side);
  const Array<1, float> b(right, side);
  evaluate(a, b);
  const auto solved = [=] { return solve(a, b); };
  return {
      .tutti = [=] { solved().evaluate(); },
      .baseline =
          [=] {
            std::copy(matrix.begin(), matrix.end(), work.begin());
            std::copy(right.begin(), right.end(), result.begin());
            const int one = 1;
            int info = 0;
            blas().sgesv(&side, &one, work.data(), &side, pivots.data(), result.data(), &side,
                         &info);
          },
      .disagreement = [=] { return disagreement(result, solved()); },
      .quiet = quiet_after_blas,
      .inputs = {matrix, right},
      .outputs = {result},
  };
}

Workload prepare_eigenvalues(int side) {
  const auto n = static_cast<size_t>(side);
  const Buffer<> matrix = symmetric_matrix(side);
  const Buffer<> result(n), vectors(n * n), work(2 * n * n + 6 * n + 1);
  const Buffer<int> integers(5 * n + 3);
  const Array<2, float> a(matrix, side, side);
  a.evaluate();
  return {
      .tutti = [=] { (void)eigh(a); },
      .baseline =
          [=] {
            std::copy(matrix.begin(), matrix.end(), vectors.begin());
            const auto work_size = static_cast<int>(work.size()),
                       integers_size = static_cast<int>(integers.size());
            int info = 0;
            blas().ssyevd("V", "U", &side, vectors.data(), &side, result.data(), work.data(),
                          &work_size, integers.data(), &integers_size, &info, 1, 1);
          },
      .disagreement = [=] { return disagreement(result, eigh(a).values); },
      .quiet = quiet_after_blas,
      .inputs = {matrix},
      .outputs = {result},
  };
}

}  // namespace

Comparison matrix_solve_benchmark() {
  return {.name = "matrix_solve",
          .description = "a system of linear equations; baseline SGESV of OpenBLAS",
          .sizes = square_sizes(1000, prepare_solve),
          .tolerance = 1e-2,
          .reason = "rounding errors grow with the condition of the matrix"};
}
Comparison matrix_eigenvalues_benchmark() {
  return {.name = "matrix_eigenvalues",
          .description = "eigenvalues and vectors of a symmetric matrix; baseline SSYEVD",
          .sizes = square_sizes(500, prepare_eigenvalues),
          .tolerance = 1e-4,
          .reason = "LAPACK adds up in another order with another number of threads"};
}

}  // namespace tutti::bench
