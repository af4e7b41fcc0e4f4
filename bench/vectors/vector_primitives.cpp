// Scan, pack, sort, segmented sums and sparse products, against oneTBB. The baselines write into
// memory that is there; sorting needs its input copied each time, on both sides.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <cmath>
#include <random>

#include "bench/harness/host.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/workload.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Range = tbb::blocked_range<size_t>;

Buffer<int32_t> random_integers(size_t count) {
  const Buffer<int32_t> result(count);
  std::mt19937 random(1);
  for (int32_t& x : result) x = static_cast<int32_t>(random());
  return result;
}

// Prefix sums of map(i), stored by store(i, sum before, sum).
template <class Map, class Store>
int32_t tbb_scan(size_t count, Map map, Store store) {
  return tbb::parallel_scan(
      Range(0, count), 0,
      [=](const Range& range, int32_t sum, bool is_final) {
        for (size_t i = range.begin(); i < range.end(); ++i) {
          const int32_t before = sum;
          sum += map(i);
          if (is_final) store(i, before, sum);
        }
        return sum;
      },
      [](int32_t a, int32_t b) { return a + b; });
}

Workload prepare_scan(size_t count) {
  const Buffer<int32_t> numbers = random_integers(count), result(count);
  const Array<1, int32_t> a = in_memory(numbers);
  return {.tutti = [=] { sum_scan(a).evaluate(); },
          .baseline =
              [=] {
                tbb_scan(
                    count, [=](size_t i) { return numbers[i]; },
                    [=](size_t i, int32_t, int32_t sum) { result[i] = sum; });
              },
          .disagreement = [=] { return disagreement(result, sum_scan(a)); },
          .bytes = 8.0 * static_cast<double>(count),
          .inputs = {numbers},
          .outputs = {result}};
}

Workload prepare_pack(size_t count) {
  const Buffer<int32_t> numbers = random_integers(count), result(count);
  const Array<1, int32_t> a = in_memory(numbers);
  const auto packed = [=] { return pack(a, Array<1, bool>(a > 0)); };
  return {.tutti = [=] { packed().evaluate(); },
          .baseline =
              [=] {
                tbb_scan(
                    count, [=](size_t i) { return numbers[i] > 0; },
                    [=](size_t i, int32_t before, int32_t sum) {
                      if (sum > before) result[static_cast<size_t>(before)] = numbers[i];
                    });
              },
          .disagreement =
              [=] {
                const std::vector<int32_t> got = packed().to_vector();
                return disagreement(std::span<const int32_t>(result.data(), got.size()),
                                    std::span<const int32_t>(got));
              },
          .bytes = 6.0 * static_cast<double>(count),
          .inputs = {numbers},
          .outputs = {result}};
}

Workload prepare_sort(size_t count) {
  const Buffer<int32_t> numbers = random_integers(count), result(count);
  const Array<1, int32_t> a = in_memory(numbers);
  return {.tutti = [=] { sort(a).evaluate(); },
          .baseline =
              [=] {
                std::copy(numbers.begin(), numbers.end(), result.begin());
                tbb::parallel_sort(result.begin(), result.end());
              },
          .disagreement = [=] { return disagreement(result, sort(a)); },
          .inputs = {numbers},
          .outputs = {result}};
}

// Keys are all different, so that the baseline, which is not stable, gives the same.
Workload prepare_sort_pairs(size_t count) {
  struct Pair {
    int32_t key, value;
  };
  const Buffer<int32_t> keys(count), values(count), result(count);
  for (size_t i = 0; i < count; ++i) {
    keys[i] = static_cast<int32_t>(i * 2654435761u);
    values[i] = static_cast<int32_t>(i);
  }
  const Buffer<Pair> pairs(count);
  const Array<1, int32_t> k = in_memory(keys), v = in_memory(values);
  return {.tutti = [=] { sort_by(k, v).evaluate(); },
          .baseline =
              [=] {
                for (size_t i = 0; i < count; ++i) pairs[i] = {keys[i], values[i]};
                tbb::parallel_sort(pairs.begin(), pairs.end(),
                                   [](const Pair& a, const Pair& b) { return a.key < b.key; });
                for (size_t i = 0; i < count; ++i) result[i] = pairs[i].value;
              },
          .disagreement = [=] { return disagreement(result, sort_by(k, v)); },
          .inputs = {keys, values},
          .outputs = {result}};
}

std::vector<size_t> equal_lengths(size_t segments, size_t length) {
  return std::vector<size_t>(segments, length);
}

// Many short ones and a few very long ones, about `average` elements each.
std::vector<size_t> power_law_lengths(size_t segments, double average = 100) {
  std::vector<size_t> result(segments);
  for (size_t s = 0; s < segments; ++s) {
    const double place = static_cast<double>(s * 2654435761u % segments + 1);
    result[s] =
        static_cast<size_t>(0.3 * average * std::pow(place / static_cast<double>(segments), -0.7));
  }
  return result;
}

Buffer<int32_t> offsets_of(const std::vector<size_t>& lengths) {
  const Buffer<int32_t> ends(lengths.size() + 1);
  ends[0] = 0;
  for (size_t s = 0; s < lengths.size(); ++s)
    ends[s + 1] = ends[s] + static_cast<int32_t>(lengths[s]);
  return ends;
}

Workload prepare_segments(const std::vector<size_t>& lengths) {
  const size_t segments = lengths.size();
  const Buffer<int32_t> ends = offsets_of(lengths);
  const Buffer<> numbers(static_cast<size_t>(ends[segments])), result(segments);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i % 3);  // sums are exact in any order
  const Array<1, float> a = in_memory(numbers);
  const Array<1, int32_t> offsets = in_memory(ends);
  return {.tutti = [=] { segmented_sum(a, offsets).evaluate(); },
          .baseline =
              [=] {
                tbb::parallel_for(Range(0, segments), [=](const Range& range) {
                  for (size_t s = range.begin(); s < range.end(); ++s) {
                    float sum = 0;
                    for (auto i = ends[s]; i < ends[s + 1]; ++i)
                      sum += numbers[static_cast<size_t>(i)];
                    result[s] = sum;
                  }
                });
              },
          .disagreement = [=] { return disagreement(result, segmented_sum(a, offsets)); },
          .bytes = 4.0 * static_cast<double>(numbers.size() + 2 * segments),
          .inputs = {numbers, ends},
          .outputs = {result}};
}

// A matrix with these numbers of entries in its rows, in columns all over the vector. Entries and
// numbers are small and whole: the sums are exact in any order.
Workload prepare_sparse_product(const std::vector<size_t>& lengths) {
  const Buffer<int32_t> ends = offsets_of(lengths);
  const size_t rows = lengths.size(), entries = static_cast<size_t>(ends[rows]);
  const Buffer<> numbers(entries), vector(rows), result(rows);
  const Buffer<int32_t> columns(entries);
  for (size_t i = 0; i < entries; ++i) {
    numbers[i] = static_cast<float>(i % 3);
    columns[i] = static_cast<int32_t>(i * 2654435761u % rows);
  }
  for (size_t i = 0; i < rows; ++i) vector[i] = static_cast<float>(i % 5);
  const Array<1, float> a = in_memory(numbers), x = in_memory(vector);
  const Array<1, int32_t> offsets = in_memory(ends), column = in_memory(columns);
  const auto product = [=] { return segmented_sum(a * gather(x, column), offsets); };
  return {.tutti = [=] { product().evaluate(); },
          .baseline =
              [=] {
                tbb::parallel_for(Range(0, rows), [=](const Range& range) {
                  for (size_t r = range.begin(); r < range.end(); ++r) {
                    float sum = 0;
                    for (auto i = static_cast<size_t>(ends[r]);
                         i < static_cast<size_t>(ends[r + 1]); ++i)
                      sum += numbers[i] * vector[static_cast<size_t>(columns[i])];
                    result[r] = sum;
                  }
                });
              },
          .disagreement = [=] { return disagreement(result, product()); },
          .bytes = 8.0 * static_cast<double>(entries) + 12.0 * static_cast<double>(rows),
          .inputs = {numbers, columns, ends, vector},
          .outputs = {result}};
}

std::vector<Size> vector_sizes(Workload (*prepare)(size_t)) {
  return {{"2^20", true, [=] { return prepare(size_t{1} << 20); }},
          {"2^25", false, [=] { return prepare(size_t{1} << 25); }}};
}
std::vector<Size> gpu_sizes(Workload (*prepare)(size_t)) {
  return {{"1e8", false, [=] { return prepare(100'000'000); }}};
}

}  // namespace

Comparison scan_benchmark() {
  return {.name = "scan",
          .description = "prefix sums of int32; baseline tbb::parallel_scan",
          .sizes = vector_sizes(prepare_scan),
          .gpu_sizes = gpu_sizes(prepare_scan)};
}
Comparison pack_benchmark() {
  return {.name = "pack",
          .description = "the positive ones of int32 numbers; baseline tbb::parallel_scan",
          .sizes = vector_sizes(prepare_pack),
          .gpu_sizes = gpu_sizes(prepare_pack)};
}
Comparison sort_benchmark() {
  return {.name = "sort",
          .description = "int32 keys; baseline tbb::parallel_sort",
          .sizes = vector_sizes(prepare_sort),
          .gpu_sizes = gpu_sizes(prepare_sort)};
}
Comparison sort_pairs_benchmark() {
  return {.name = "sort_pairs",
          .description = "int32 values by int32 keys; baseline tbb::parallel_sort of pairs",
          .sizes = vector_sizes(prepare_sort_pairs),
          .gpu_sizes = gpu_sizes(prepare_sort_pairs)};
}
Comparison segmented_sum_benchmark() {
  return {
      .name = "segmented_sum",
      .description = "float sums of segments; baseline a loop for each, tbb::parallel_for",
      .sizes = {{"2^17x8", true, [] { return prepare_segments(equal_lengths(1 << 17, 8)); }},
                {"3e6x10", false, [] { return prepare_segments(equal_lengths(3'000'000, 10)); }},
                {"3e5x100", false, [] { return prepare_segments(equal_lengths(300'000, 100)); }},
                {"3x1e7", false, [] { return prepare_segments(equal_lengths(3, 10'000'000)); }}},
      .gpu_sizes = {
          {"1e6x100", false, [] { return prepare_segments(equal_lengths(1'000'000, 100)); }},
          {"1e7x10", false, [] { return prepare_segments(equal_lengths(10'000'000, 10)); }},
          {"10x1e7", false, [] { return prepare_segments(equal_lengths(10, 10'000'000)); }},
          {"1e6 power law", false, [] { return prepare_segments(power_law_lengths(1'000'000)); }}}};
}
Comparison sparse_product_benchmark() {
  const auto equal = [](size_t rows) { return prepare_sparse_product(equal_lengths(rows, 16)); };
  const auto skewed = [](size_t rows) {
    return prepare_sparse_product(power_law_lengths(rows, 16));
  };
  return {.name = "sparse_product",
          .description =
              "sparse matrix times vector; baseline a loop for each row, "
              "tbb::parallel_for",
          .sizes = {{"1e5x16", true, [=] { return equal(100'000); }},
                    {"1e6x16", false, [=] { return equal(1'000'000); }},
                    {"1e6 power law", false, [=] { return skewed(1'000'000); }}},
          .gpu_sizes = {{"1e6x16", false, [=] { return equal(1'000'000); }},
                        {"1e6 power law", false, [=] { return skewed(1'000'000); }}}};
}

}  // namespace tutti::bench
