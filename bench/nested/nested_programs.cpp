// The programs of the NESL/GPU paper and a sparse product, from examples/programs, against plain
// C++. Lines are counted without comments, blank lines, includes and namespaces; those of NESL and
// CUDA are the paper's (Table 1).
#include <algorithm>
#include <cmath>

#include "bench/nested/nested.hpp"
#include "programs/black_scholes.hpp"
#include "programs/dot_product.hpp"
#include "programs/quickhull.hpp"
#include "programs/quicksort.hpp"
#include "programs/sparse_product.hpp"
#include "support/sample_numbers.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

Workload prepare_dot_product(int count) {
  SampleNumbers random(1);
  const std::vector<float> a = random.floats(count, 0, 1), b = random.floats(count, 0, 1);
  const Seq<float> left = a, right = b;
  return compare_vectors<float>(
      [=] { return std::vector<float>{programs::dot_product(left, right).item()}; },
      [=] {
        double total = 0;
        for (size_t i = 0; i < a.size(); ++i) total += static_cast<double>(a[i]) * b[i];
        return std::vector<float>{static_cast<float>(total)};
      },
      2.0 * count * sizeof(float));
}

Workload prepare_quicksort(int count) {
  const std::vector<int> numbers = SampleNumbers(2).ints(count, 1 << 30);
  const Seq<int> sequence = numbers;
  return compare_vectors<int>([=] { return programs::quicksort(sequence).to_vector(); },
                              [=] {
                                std::vector<int> sorted = numbers;
                                std::sort(sorted.begin(), sorted.end());
                                return sorted;
                              });
}

Workload prepare_black_scholes(int count) {
  SampleNumbers random(3);
  const std::vector<float> price = random.floats(count, 5, 30),
                           strike = random.floats(count, 1, 100),
                           years = random.floats(count, 0.25f, 10);
  const Seq<float> p = price, s = strike, y = years;
  constexpr float rate = 0.02f, volatility = 0.3f;
  return compare_vectors<float>(
      [=] { return programs::black_scholes(p, s, y, rate, volatility).to_vector(); },
      [=] {
        std::vector<float> result(price.size());
        const auto normal = [](float d) { return 0.5f * std::erfc(-0.70710678f * d); };
        parallel_each(count, [&](int k) {
          const auto i = static_cast<size_t>(k);
          const float spread = volatility * std::sqrt(years[i]);
          const float d = (std::log(price[i] / strike[i]) +
                           (rate + 0.5f * volatility * volatility) * years[i]) /
                          spread;
          result[i] =
              price[i] * normal(d) - strike[i] * std::exp(-rate * years[i]) * normal(d - spread);
        });
        return result;
      },
      4.0 * count * sizeof(float));
}

struct Plain {
  float x, y;
};

// Quickhull as one would write it: the points of a side are gathered in front, farthest first.
void plain_side(Plain* first, Plain* last, Plain a, Plain b, std::vector<Plain>& hull) {
  const auto area = [](Plain p, Plain from, Plain to) {
    return (from.x - p.x) * (to.y - p.y) - (from.y - p.y) * (to.x - p.x);
  };
  Plain* outside = std::partition(first, last, [&](Plain p) { return area(p, a, b) > 0; });
  if (outside == first) {
    hull.push_back(a);
    return;
  }
  const Plain farthest = *std::max_element(
      first, outside, [&](Plain p, Plain q) { return area(p, a, b) < area(q, a, b); });
  plain_side(first, outside, a, farthest, hull);
  plain_side(first, outside, farthest, b, hull);
}

// How many corners a hull has, and their sums: hulls that agree in these are the same.
std::vector<float> summary(const std::vector<Plain>& hull) {
  double x = 0, y = 0;
  for (const Plain& p : hull) x += std::abs(p.x), y += std::abs(p.y);
  return {static_cast<float>(hull.size()), static_cast<float>(x), static_cast<float>(y)};
}

Workload prepare_quickhull(int count) {
  SampleNumbers random(4);
  std::vector<std::tuple<float, float>> points;
  while (static_cast<int>(points.size()) < count) {
    const float x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1;
    if (x * x + y * y <= 1) points.emplace_back(x, y);
  }
  const programs::Points sequence = points;
  return compare_vectors<float>(
      [=] {
        std::vector<Plain> hull;
        for (const auto& [x, y] : programs::quickhull(sequence).to_vector()) hull.push_back({x, y});
        return summary(hull);
      },
      [=] {
        std::vector<Plain> all, hull;
        for (const auto& [x, y] : points) all.push_back({x, y});
        const auto left_of = [](Plain p, Plain q) { return p.x < q.x; };
        const Plain left = *std::min_element(all.begin(), all.end(), left_of);
        const Plain right = *std::max_element(all.begin(), all.end(), left_of);
        plain_side(all.data(), all.data() + all.size(), left, right, hull);
        plain_side(all.data(), all.data() + all.size(), right, left, hull);
        return summary(hull);
      });
}

Workload prepare_sparse_product(int rows) {
  SampleNumbers random(5);
  std::vector<int> counts, columns;
  for (int i = 0; i < rows; ++i) {
    counts.push_back(16);
    for (int k = 0; k < 16; ++k) columns.push_back(random.below(rows));
  }
  const std::vector<float> values = random.floats(16 * rows, 0, 1), v = random.floats(rows, 0, 1);
  const Seq<Seq<int>> column = partition(Seq<int>(columns), Seq<int>(counts));
  const Seq<Seq<float>> value = partition(Seq<float>(values), Seq<int>(counts));
  const Seq<float> vector = v;
  return compare_vectors<float>(
      [=] { return programs::sparse_product(column, value, vector).to_vector(); },
      [=] {
        std::vector<float> result(v.size());
        parallel_each(rows, [&](int row) {
          float total = 0;
          for (int k = 16 * row; k < 16 * (row + 1); ++k)
            total += values[static_cast<size_t>(k)] *
                     v[static_cast<size_t>(columns[static_cast<size_t>(k)])];
          result[static_cast<size_t>(row)] = total;
        });
        return result;
      },
      16.0 * rows * (sizeof(int) + sizeof(float)));
}

}  // namespace

Comparison nested_dot_product_benchmark() {
  return {.name = "nested_dot_product",
          .description = "inner product, 2 lines (NESL 8, CUDA 80); baseline: a loop",
          .sizes = {counted_size("10^6", true, 1'000'000, prepare_dot_product),
                    counted_size("10^7", false, 10'000'000, prepare_dot_product)}};
}
Comparison nested_quicksort_benchmark() {
  return {.name = "nested_quicksort",
          .description = "of ints, 13 lines (NESL 12, CUDA's radix sort 136); baseline: std::sort",
          .sizes = {counted_size("10^5", true, 100'000, prepare_quicksort),
                    counted_size("10^6", false, 1'000'000, prepare_quicksort)},
          .gpu_sizes = {counted_size("10^6", false, 1'000'000, quicksort_on_device)}};
}
Comparison nested_black_scholes_benchmark() {
  return {
      .name = "nested_options",
      .description = "Black-Scholes, 12 lines (NESL 37, CUDA 337); baseline: a loop on all cores",
      .sizes = {counted_size("10^6", true, 1'000'000, prepare_black_scholes),
                counted_size("10^7", false, 10'000'000, prepare_black_scholes)},
      .tolerance = 1e-5,
      .reason = "the baseline's erfc, log and exp are those of the C library"};
}
Comparison nested_quickhull_benchmark() {
  return {
      .name = "nested_quickhull",
      .description = "convex hull, 25 lines (NESL 25); baseline: quickhull in place on one core",
      .sizes = {counted_size("10^6", true, 1'000'000, prepare_quickhull),
                counted_size("5*10^6", false, 5'000'000, prepare_quickhull)},
      .gpu_sizes = {counted_size("5*10^6", false, 5'000'000, quickhull_on_device)},
      .tolerance = 0.02,
      .reason = "corners that rounding puts on a side or just outside may differ"};
}
Comparison nested_sparse_product_benchmark() {
  return {.name = "nested_sparse",
          .description =
              "sparse matrix times vector, 16 entries a row, 6 lines; baseline: loops, rows on all "
              "cores",
          .sizes = {counted_size("10^5", true, 100'000, prepare_sparse_product),
                    counted_size("10^6", false, 1'000'000, prepare_sparse_product)}};
}

}  // namespace tutti::bench
