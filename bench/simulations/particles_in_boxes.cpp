// Forces between particles of neighbouring boxes (Rodinia's lavaMD), and the ten points that are
// nearest to a place (Rodinia's nn).
#include <tutti/keywords.hpp>

#include <numeric>

#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

// ---- particles in boxes: each box has as many, and 27 boxes act on it

constexpr int in_box = 64;
constexpr float reach = 0.5f;

struct Particles {
  Buffer<> x, y, z, charge;
};

Workload prepare_boxes(int side) {
  const int boxes = side * side * side, all = boxes * in_box;
  const auto count = static_cast<size_t>(all);
  const Particles p{random_numbers(count, 0, 1, 1), random_numbers(count, 0, 1, 2),
                    random_numbers(count, 0, 1, 3), random_numbers(count, 0, 1, 4)};
  const Buffer<> result(count);
  const Array<1, float> x = in_memory(p.x, all), y = in_memory(p.y, all), z = in_memory(p.z, all);
  const Array<1, float> charge = in_memory(p.charge, all);
  const Program potential = BEGIN {
    In<Value1i> i;
    Out<Value1f> total = 0.0f;
    const Value1i box = i / in_box;
    const Value1i bx = box % side, by = box / side % side, bz = box / (side * side);
    const Value1f px = x[i], py = y[i], pz = z[i];
    FOR(Value1i dz = -1, dz <= 1, dz += 1) {
      FOR(Value1i dy = -1, dy <= 1, dy += 1) {
        FOR(Value1i dx = -1, dx <= 1, dx += 1) {
          const Value1i nx = bx + dx, ny = by + dy, nz = bz + dz;
          IF(nx >= 0 && nx < side && ny >= 0 && ny < side && nz >= 0 && nz < side) {
            const Value1i begin = ((nz * side + ny) * side + nx) * in_box;
            FOR(Value1i j = begin, j < begin + in_box, j += 1) {
              const Value1f ex = px - x[j], ey = py - y[j], ez = pz - z[j];
              total += charge[j] / (reach + ex * ex + ey * ey + ez * ez);
            }
            ENDFOR;
          }
          ENDIF;
        }
        ENDFOR;
      }
      ENDFOR;
    }
    ENDFOR;
  }
  END;
  const auto box_potential = [=](int box) {
    const int bx = box % side, by = box / side % side, bz = box / (side * side);
    float total[in_box] = {};
    const size_t own = static_cast<size_t>(box) * in_box;
    for (int k = 0; k < 27; ++k) {
      const int nx = bx + k % 3 - 1, ny = by + k / 3 % 3 - 1, nz = bz + k / 9 - 1;
      if (std::min({nx, ny, nz}) < 0 || std::max({nx, ny, nz}) >= side) continue;
      const size_t begin = static_cast<size_t>((nz * side + ny) * side + nx) * in_box;
      for (size_t j = begin; j < begin + in_box; ++j)
#pragma omp simd
        for (size_t i = 0; i < in_box; ++i) {
          const float ex = p.x[own + i] - p.x[j], ey = p.y[own + i] - p.y[j];
          const float ez = p.z[own + i] - p.z[j];
          total[i] += p.charge[j] / (reach + ex * ex + ey * ey + ez * ez);
        }
    }
    std::copy(total, total + in_box, result.begin() + own);
  };
  return workload([=]() -> Array<1, float> { return potential(index(Shape<1>(all), 0)); },
                  [=] {
                    parallel_rows(
                        boxes,
                        [&](int first, int last) {
                          for (int box = first; box < last; ++box) box_potential(box);
                        },
                        1);
                  },
                  result, 0, {p.x, p.y, p.z, p.charge});
}

// ---- the ten nearest of many points

constexpr int nearest_count = 10;

Workload prepare_nearest(int count) {
  const auto size = static_cast<size_t>(count);
  const Buffer<> latitude = random_numbers(size, 0, 90),
                 longitude = random_numbers(size, 0, 180, 2);
  const Buffer<> result(nearest_count), distance(size);
  const Array<1, float> a = in_memory(latitude, count), b = in_memory(longitude, count);
  const auto nearest = [=] {
    const Array<1, float> da = a - 30.0f, db = b - 90.0f;
    return top_k(Array<1, float>(sqrt(da * da + db * db)), nearest_count, Order::ascending).values;
  };
  const auto loops = [=] {
    using Range = tbb::blocked_range<size_t>;
    tbb::parallel_for(Range(0, size, 1 << 15), [=](const Range& range) {
      for (size_t i = range.begin(); i < range.end(); ++i) {
        const float da = latitude[i] - 30.0f, db = longitude[i] - 90.0f;
        distance[i] = std::sqrt(da * da + db * db);
      }
    });
    // Blocks that have nothing below the tenth so far are passed over.
    std::vector<float> best(nearest_count, std::numeric_limits<float>::infinity());
    constexpr size_t block = 256;
    for (size_t i = 0; i < size; i += block) {
      const size_t end = std::min(size, i + block);
      float least = best.back();
      for (size_t k = i; k < end; ++k) least = std::min(least, distance[k]);
      if (least >= best.back()) continue;
      for (size_t k = i; k < end; ++k)
        if (distance[k] < best.back()) {
          best.pop_back();
          best.insert(std::upper_bound(best.begin(), best.end(), distance[k]), distance[k]);
        }
    }
    std::copy(best.begin(), best.end(), result.begin());
  };
  return workload(nearest, loops, result, 8.0 * count, {latitude, longitude});
}

}  // namespace

Comparison particle_boxes_benchmark() {
  return {.name = "particle_boxes",
          .description = "potentials of 64 particles a box and its neighbours (Rodinia's lavaMD)",
          .sizes = {{"4^3", true, [] { return prepare_boxes(4); }},
                    {"10^3", false, [] { return prepare_boxes(10); }}},
          .tolerance = 1e-4,
          .reason = "the baseline contracts products and sums"};
}
Comparison ten_nearest_benchmark() {
  return {.name = "ten_nearest",
          .description = "the ten points nearest to a place (Rodinia's nn)",
          .sizes = {{"2^20", true, [] { return prepare_nearest(1 << 20); }},
                    {"2^24", false, [] { return prepare_nearest(1 << 24); }}}};
}

}  // namespace tutti::bench
