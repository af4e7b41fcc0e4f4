// Sum of absolute values of a matrix, against SASUM.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/matrices/blas.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

Array<0, float> absolute_sum(const Array<2, float>& a) { return sum(abs(a)); }

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> numbers = random_numbers(count, -1, 1);
  const Array<2, float> matrix(numbers, side, side);
  matrix.evaluate();
  const Buffer<> result(1);
  return {
      .tutti = [=] { absolute_sum(matrix).evaluate(); },
      .baseline = [=] { result[0] = blas().sasum(side * side, numbers.data(), 1); },
      .disagreement = [=] { return disagreement(result, absolute_sum(matrix)); },
      .bytes = 1.0 * count * sizeof(float),
      .quiet = quiet_after_blas,
      .inputs = {numbers},
      .outputs = {result},
  };
}

}  // namespace

Comparison sum_benchmark() {
  return {.name = "sum",
          .description = "sum of absolute values of a matrix; baseline SASUM of OpenBLAS",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(16384, prepare)}};
}

}  // namespace tutti::bench
