// Many small steps that depend on each other. The cheapest path down a grid is Rodinia's
// pathfinder; the others are the alignment of two sequences (Needleman and Wunsch) and the factors
// of a matrix (LU).
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

// ---- the cheapest path, row by row

Array<1, int> cheapest(const Array<2, int>& wall) {
  Array<1, int> cost = wall[0];
  for (int64_t row = 1; row < wall.extent(0); ++row)
    cost = Array<1, int>(wall[row]) + min(min(shift(cost, {1}), cost), shift(cost, {-1}));
  return cost;
}

Workload prepare_pathfinder(int columns) {
  constexpr int rows = 100;
  const Buffer<int> wall = converted<int>(
      random_numbers(static_cast<size_t>(rows) * static_cast<size_t>(columns), 0, 10));
  const Buffer<int> result(static_cast<size_t>(columns)), other(result.size());
  const Array<2, int> grid = in_memory(wall, rows, columns);
  const auto step = [=](const int* from, const int* price, int* to) {
    parallel_rows(
        columns,
        [=](int first, int last) {
          const auto one = [&](int x, int left, int right) {
            to[x] = price[x] + std::min(std::min(from[left], from[x]), from[right]);
          };
          for (int x : {first, last - 1}) one(x, std::max(x - 1, 0), std::min(x + 1, columns - 1));
#pragma omp simd
          for (int x = first + 1; x < last - 1; ++x) one(x, x - 1, x + 1);
        },
        1 << 14);
  };
  return workload(
      [=] { return cheapest(grid); },
      [=] {
        const int* from = wall.data();
        for (int row = 1; row < rows; ++row) {
          int* to = (rows - row) % 2 ? result.data() : other.data();
          step(from, wall.data() + static_cast<size_t>(row) * static_cast<size_t>(columns), to);
          from = to;
        }
      },
      result, 4.0 * static_cast<double>(wall.size()), {wall});
}

// ---- the alignment of two sequences: a row is a running maximum

constexpr int penalty = 10;

Array<1, int> align(const Array<2, int>& similarity) {
  const int64_t rows = similarity.extent(0), columns = similarity.extent(1);
  const Array<1, int> along = index(Shape<1>(columns), 0) * penalty;
  Array<1, int> best = -along - penalty;
  for (int64_t i = 0; i < rows; ++i) {
    const int corner = -penalty * static_cast<int>(i);
    const auto diagonal =
        shift(best, {1}, Boundary::constant(corner)) + Array<1, int>(similarity[i]);
    const auto here = max(diagonal, best - penalty);
    const auto left = max(here, (corner - 2 * penalty) - along);
    best = max_scan(Array<1, int>(left + along)) - along;
  }
  return best;
}

void align(const int* similarity, int* best, int side) {
  for (int j = 0; j < side; ++j) best[j] = -penalty * (j + 1);
  std::vector<int> next(static_cast<size_t>(side));
  for (int i = 0; i < side; ++i) {
    const int* score = similarity + static_cast<size_t>(i) * static_cast<size_t>(side);
    const int corner = -penalty * i;
    next[0] = std::max(corner + score[0], best[0] - penalty);
    for (int j = 1; j < side; ++j)
      next[static_cast<size_t>(j)] = std::max(best[j - 1] + score[j], best[j] - penalty);
    int left = corner - penalty;
    for (int j = 0; j < side; ++j)
      best[j] = left = std::max(next[static_cast<size_t>(j)], left - penalty);
  }
}

Workload prepare_alignment(int side) {
  const Buffer<int> scores =
      converted<int>(random_numbers(static_cast<size_t>(side) * static_cast<size_t>(side), -4, 12));
  const Buffer<int> result(static_cast<size_t>(side));
  const Array<2, int> similarity = in_memory(scores, side, side);
  return workload([=] { return align(similarity); },
                  [=] { align(scores.data(), result.data(), side); }, result,
                  4.0 * static_cast<double>(scores.size()), {scores});
}

// ---- LU in place, without pivots

Array<2, float> factors(Array<2, float> a) {
  const int64_t n = a.extent(0);
  for (int64_t k = 0; k + 1 < n; ++k) {
    a(from(k + 1), k) = Array<1, float>(a(from(k + 1), k)) / a(k, k);
    a(from(k + 1), from(k + 1)) =
        Array<2, float>(a(from(k + 1), from(k + 1))) -
        outer_product(Array<1, float>(a(from(k + 1), k)), Array<1, float>(a(k, from(k + 1))));
  }
  return a;
}

void factors(const float* matrix, float* a, int n) {
  const size_t row = static_cast<size_t>(n);
  std::copy(matrix, matrix + row * row, a);
  for (int k = 0; k + 1 < n; ++k) {
    const float* pivot = a + static_cast<size_t>(k) * row;
    const int rest = n - k - 1;
    parallel_rows(
        rest,
        [=](int first, int last) {
          for (int i = k + 1 + first; i < k + 1 + last; ++i) {
            float* to = a + static_cast<size_t>(i) * row;
            const float l = to[k] /= pivot[k];
#pragma omp simd
            for (int j = k + 1; j < n; ++j) to[j] -= l * pivot[j];
          }
        },
        64);
  }
}

Workload prepare_lu(int side) {
  const size_t row = static_cast<size_t>(side);
  const Buffer<> matrix = random_numbers(row * row, -1, 1), result(row * row);
  for (size_t i = 0; i < row; ++i) matrix[i * row + i] += static_cast<float>(side);
  const Array<2, float> a = in_memory(matrix, side, side);
  return workload([=] { return factors(a); }, [=] { factors(matrix.data(), result.data(), side); },
                  result, 0, {matrix});
}

}  // namespace

Comparison pathfinder_benchmark() {
  return {.name = "pathfinder",
          .description = "the cheapest way down 100 rows (Rodinia)",
          .sizes = {{"10^5", true, [] { return prepare_pathfinder(100'000); }},
                    {"10^6", false, [] { return prepare_pathfinder(1'000'000); }}}};
}
Comparison needleman_wunsch_benchmark() {
  return {.name = "needleman_wunsch",
          .description = "the alignment of two sequences (Rodinia); baseline: one thread",
          .sizes = square_sizes(512, prepare_alignment)};
}
Comparison lu_benchmark() {
  return {.name = "lu",
          .description = "the LU factors of a matrix, column by column (Rodinia)",
          .sizes = {{"256", true, [] { return prepare_lu(256); }},
                    {"1024", false, [] { return prepare_lu(1024); }}},
          .tolerance = 1e-5,
          .reason = "the baseline contracts products and differences"};
}

}  // namespace tutti::bench
