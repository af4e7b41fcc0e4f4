// One pass over a matrix: the sums of its rows, the sums of its columns, its transpose. The
// baselines are threaded loops; the transpose goes in blocks that stay in the cache.
#include <algorithm>
#include <vector>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Matrix = Array<2, float>;

namespace baseline {

void row_sums(const float* matrix, float* out, int rows, int columns) {
  parallel_rows(rows, [=](int first, int last) {
    for (int y = first; y < last; ++y) {
      const float* row = matrix + static_cast<size_t>(y) * columns;
      float total = 0;
#pragma omp simd reduction(+ : total)
      for (int x = 0; x < columns; ++x) total += row[x];
      out[y] = total;
    }
  });
}

// Sums the columns. A task has a range of columns and adds a few rows at a time: adding thousands
// of floats one by one would lose too many digits.
void column_sums(const float* matrix, float* out, int rows, int columns) {
  constexpr int strip = 64, least_columns = 256;
  auto add_columns = [=](int first, int last) {
    std::fill(out + first, out + last, 0.0f);
    std::vector<float> sums(last - first);
    for (int y0 = 0; y0 < rows; y0 += strip) {
      std::fill(sums.begin(), sums.end(), 0.0f);
      for (int y = y0; y < std::min(y0 + strip, rows); ++y) {
        const float* row = matrix + static_cast<size_t>(y) * columns + first;
        float* __restrict to = sums.data();
        for (int x = 0; x < last - first; ++x) to[x] += row[x];
      }
      for (int x = first; x < last; ++x) out[x] += sums[x - first];
    }
  };
  parallel_rows(columns, add_columns, least_columns);
}

void transpose(const float* matrix, float* out, int rows, int columns) {
  constexpr int block = 32;  // two cache lines each way
  auto transpose_blocks = [=](int first, int last) {
    for (int y0 = first * block; y0 < std::min(last * block, rows); y0 += block)
      for (int x0 = 0; x0 < columns; x0 += block)
        for (int x = x0; x < std::min(x0 + block, columns); ++x)
          for (int y = y0; y < std::min(y0 + block, rows); ++y)
            out[static_cast<size_t>(x) * rows + y] = matrix[static_cast<size_t>(y) * columns + x];
  };
  parallel_rows((rows + block - 1) / block, transpose_blocks, 1);
}

}  // namespace baseline

// Makes a workload: the matrix, a result with `results` elements, and both ways to compute it.
template <class Expression>
Workload prepare(int side, size_t results, Expression expression,
                 void (*baseline)(const float*, float*, int, int)) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> numbers = random_numbers(count, -1, 1);
  const Buffer<> out(results);
  const Matrix matrix(numbers, side, side);
  matrix.evaluate();
  return {
      .tutti = [=] { expression(matrix).evaluate(); },
      .baseline = [=] { baseline(numbers.data(), out.data(), side, side); },
      .disagreement = [=] { return disagreement(out, expression(matrix)); },
      .bytes = 1.0 * (count + results) * sizeof(float),
      .inputs = {numbers},
      .outputs = {out},
  };
}

Workload prepare_row_sums(int side) {
  return prepare(side, side, [](const Matrix& a) { return sum(a, 1); }, baseline::row_sums);
}

Workload prepare_column_sums(int side) {
  return prepare(side, side, [](const Matrix& a) { return sum(a, 0); }, baseline::column_sums);
}

Workload prepare_transpose(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  return prepare(side, count, [](const Matrix& a) { return transpose(a); }, baseline::transpose);
}

Comparison comparison(const char* name, const char* description, Workload (*prepare)(int side)) {
  return {.name = name,
          .description = description,
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(16384, prepare)}};
}

}  // namespace

Comparison row_sums_benchmark() {
  return comparison("row_sums", "the sum of each row of a matrix", prepare_row_sums);
}

Comparison column_sums_benchmark() {
  return comparison("column_sums", "the sum of each column of a matrix", prepare_column_sums);
}

Comparison transpose_benchmark() {
  return comparison("transpose", "rows become columns", prepare_transpose);
}

}  // namespace tutti::bench
