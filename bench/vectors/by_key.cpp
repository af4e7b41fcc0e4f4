// Counts and sums by key, and the nearest of many: what scatters and arg_min are used for. The
// baselines have tables of each thread.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tutti/keywords.hpp>

#include <array>
#include <functional>
#include <mutex>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/workload.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Range = tbb::blocked_range<size_t>;

// Table `partial` of each task, added to `total` in the end.
template <class T, class Body>
void add_tables(size_t count, size_t least, const Buffer<T>& total, const Body& body) {
  std::mutex guard;
  std::fill(total.begin(), total.end(), T{});
  tbb::parallel_for(Range(0, count, least), [&](const Range& range) {
    std::vector<T> partial(total.size(), T{});
    body(range, partial.data());
    const std::lock_guard lock(guard);
    for (size_t k = 0; k < partial.size(); ++k) total[k] += partial[k];
  });
}

// ---- the histogram of an image of bytes

Workload prepare_histogram(int side) {
  const Buffer<uint8_t> pixels = converted<uint8_t>(grey_image(side, side));
  const Buffer<int32_t> result(256);
  const Array<1, uint8_t> image = in_memory(pixels);
  const auto counts = [=] { return histogram(cast<int32_t>(image), 256); };
  return {.tutti = [=] { counts().evaluate(); },
          .baseline =
              [=] {
                add_tables<int32_t>(
                    pixels.size(), 1 << 16, result, [=](const Range& range, int32_t* table) {
                      int32_t tables[4][256] = {};
                      size_t i = range.begin();
                      for (; i + 4 <= range.end(); i += 4)
                        for (size_t k = 0; k < 4; ++k) ++tables[k][pixels[i + k]];
                      for (; i < range.end(); ++i) ++tables[0][pixels[i]];
                      for (int k = 0; k < 256; ++k)
                        table[k] = tables[0][k] + tables[1][k] + tables[2][k] + tables[3][k];
                    });
              },
          .disagreement = [=] { return disagreement(result, counts()); },
          .bytes = static_cast<double>(pixels.size()),
          .inputs = {pixels},
          .outputs = {result}};
}

// ---- sums of floats by key

Workload prepare_sums(size_t count) {
  constexpr size_t keys = 10000;
  const Buffer<> values = random_numbers(count, 0, 1), spread = random_numbers(count, 0, keys, 2);
  const Buffer<int32_t> key(count);
  std::transform(spread.begin(), spread.end(), key.begin(),
                 [](float x) { return std::min(static_cast<int32_t>(x), 9999); });
  const Buffer<> result(keys);
  const Array<1, float> a = in_memory(values);
  const Array<1, int32_t> k = in_memory(key);
  const auto sums = [=] {
    return scatter(Array<1, float>(Shape<1>(keys), 0.0f), k, a, Collision::sum);
  };
  return {.tutti = [=] { sums().evaluate(); },
          .baseline =
              [=] {
                add_tables<float>(count, 1 << 18, result, [=](const Range& range, float* table) {
                  for (size_t i = range.begin(); i < range.end(); ++i) table[key[i]] += values[i];
                });
              },
          .disagreement = [=] { return disagreement(result, sums()); },
          .bytes = 8.0 * static_cast<double>(count),
          .inputs = {values, key},
          .outputs = {result}};
}

// ---- the nearest of many points

Workload prepare_nearest(size_t count) {
  const Buffer<> x = random_numbers(count, 0, 90), y = random_numbers(count, 0, 180, 2);
  const Buffer<int32_t> result(1);
  const Array<1, float> latitude = in_memory(x), longitude = in_memory(y);
  const auto nearest = [=] {
    const Array<1, float> dx = latitude - 30.0f, dy = longitude - 90.0f;
    return arg_min(sqrt(dx * dx + dy * dy)).first;
  };
  return {.tutti = [=] { nearest().evaluate(); },
          .baseline =
              [=] {
                using Best = std::pair<float, size_t>;
                const Best none(std::numeric_limits<float>::infinity(), 0);
                const auto body = [=](const Range& range, Best best) {
                  constexpr size_t block = 256;
                  for (size_t i = range.begin(); i < range.end(); i += block) {
                    const size_t n = std::min(block, range.end() - i);
                    std::array<float, block> distance;
                    float least = none.first;
                    for (size_t k = 0; k < n; ++k) {
                      const float dx = x[i + k] - 30.0f, dy = y[i + k] - 90.0f;
                      distance[k] = std::sqrt(dx * dx + dy * dy);
                      least = std::min(least, distance[k]);
                    }
                    if (least >= best.first) continue;
                    const auto found = std::find(distance.begin(), distance.begin() + n, least);
                    best = {least, i + static_cast<size_t>(found - distance.begin())};
                  }
                  return best;
                };
                result[0] =
                    static_cast<int32_t>(tbb::parallel_reduce(Range(0, count, 1 << 15), none, body,
                                                              [](const Best& a, const Best& b) {
                                                                return b.first < a.first ? b : a;
                                                              })
                                             .second);
              },
          .disagreement = [=] { return disagreement(result, nearest()); },
          .bytes = 8.0 * static_cast<double>(count),
          .inputs = {x, y},
          .outputs = {result}};
}

// ---- a step of k-means: the nearest of the centres for each point, and new centres

constexpr int centres = 16, features = 4;

struct Points {
  Buffer<> coordinates[features];
  Array<1, Value4f> array;
};

Points random_points(size_t count, uint64_t seed) {
  Points points{{random_numbers(count, 0, 1, seed), random_numbers(count, 0, 1, seed + 1),
                 random_numbers(count, 0, 1, seed + 2), random_numbers(count, 0, 1, seed + 3)},
                Array<1, Value4f>(0)};
  std::vector<Value4f> elements;
  for (size_t i = 0; i < count; ++i)
    elements.emplace_back(points.coordinates[0][i], points.coordinates[1][i],
                          points.coordinates[2][i], points.coordinates[3][i]);
  points.array = Array<1, Value4f>(elements);
  points.array.evaluate();
  return points;
}

Workload prepare_k_means(size_t count) {
  const Points points = random_points(count, 1), old = random_points(centres, 7);
  const Buffer<> result(centres * (features + 1));
  const Array<1, Value4f> centre = old.array;
  const Program nearest = BEGIN {
    In<Value4f> point;
    Out<Value1i> which = 0;
    Value1f best = 1e30f;
    FOR(Value1i k = 0, k < centres, k += 1) {
      const Value4f d = point - centre[k];
      const Value1f distance = dot(d, d);
      IF(distance < best) {
        best = distance;
        which = k;
      }
      ENDIF;
    }
    ENDFOR;
  }
  END;
  const auto step = [=] {
    const Array<1, int32_t> which = nearest(points.array);
    const Array<1, Value4f> sums =
        scatter(Array<1, Value4f>(Shape<1>(centres), Value4f(0, 0, 0, 0)), which, points.array,
                Collision::sum);
    return std::pair(sums, histogram(which, centres));
  };
  const auto body = [=](const Range& range, float* table) {
    for (size_t i = range.begin(); i < range.end(); ++i) {
      float best = 1e30f;
      int which = 0;
      for (int k = 0; k < centres; ++k) {
        float distance = 0;
        for (int f = 0; f < features; ++f) {
          const float d = points.coordinates[f][i] - old.coordinates[f][static_cast<size_t>(k)];
          distance += d * d;
        }
        if (distance < best) best = distance, which = k;
      }
      for (int f = 0; f < features; ++f)
        table[which * (features + 1) + f] += points.coordinates[f][i];
      table[which * (features + 1) + features] += 1;
    }
  };
  return {.tutti =
              [=] {
                const auto [sums, counts] = step();
                evaluate(sums, counts);
              },
          .baseline = [=] { add_tables<float>(count, 1 << 14, result, body); },
          .disagreement =
              [=] {
                const auto [sums, counts] = step();
                const std::vector<Value4f> s = sums.to_vector();
                const std::vector<int32_t> n = counts.to_vector();
                std::vector<float> all;
                for (size_t k = 0; k < centres; ++k) {
                  for (int f = 0; f < features; ++f)
                    all.push_back(detail::Element<Value4f>::get(s[k], f));
                  all.push_back(static_cast<float>(n[k]));
                }
                return disagreement(std::span<const float>(result), std::span<const float>(all));
              },
          .bytes = 4.0 * features * static_cast<double>(count),
          .inputs = {points.coordinates[0], points.coordinates[1], points.coordinates[2],
                     points.coordinates[3]},
          .outputs = {result}};
}

std::vector<Size> vector_sizes(Workload (*prepare)(size_t)) {
  return {{"2^20", true, [=] { return prepare(size_t{1} << 20); }},
          {"2^24", false, [=] { return prepare(size_t{1} << 24); }}};
}

}  // namespace

Comparison histogram_benchmark() {
  return {.name = "histogram",
          .description = "the histogram of an image of bytes; baseline: tables of each thread",
          .sizes = square_sizes(1000, prepare_histogram)};
}
Comparison sums_by_key_benchmark() {
  return {
      .name = "sums_by_key",
      .description = "floats added to 10,000 sums; baseline: tables of each thread, in any order",
      .sizes = vector_sizes(prepare_sums),
      .tolerance = 1e-4,
      .reason = "the baseline adds in another order"};
}
Comparison nearest_benchmark() {
  return {.name = "nearest",
          .description = "which of many points is nearest; baseline: blocks of 256",
          .sizes = vector_sizes(prepare_nearest)};
}
Comparison k_means_benchmark() {
  return {.name = "k_means",
          .description = "a step of k-means: 16 centres, 4 features; baseline: a loop, all cores",
          .sizes = vector_sizes(prepare_k_means),
          .tolerance = 1e-3,
          .reason = "the baseline adds in another order, and ties of distances may differ"};
}

}  // namespace tutti::bench
