// The ray tracer: loops in loops, left at different times by neighbouring rays.
#include "applications/ray_tracer.hpp"

#include "bench/harness/host.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "bench/plain/ray_tracer.hpp"

namespace tutti::bench {
namespace {

using plain::Sphere;

Buffer<Sphere> spheres_of(const applications::Scene& scene) {
  const auto balls = scene.spheres.to_vector();
  const auto colours = scene.colours.to_vector();
  const Buffer<Sphere> result(balls.size());
  for (size_t i = 0; i < balls.size(); ++i) {
    const auto& b = balls[i];
    const auto& c = colours[i];
    result[i] = {{b.get(0), b.get(1), b.get(2)}, b.get(3), {c.get(0), c.get(1), c.get(2)}};
  }
  return result;
}

// The share of pixels that differ: on the edges of shadows and squares a last bit decides.
double differing(const Buffer<plain::Vec3>& want, const std::vector<Value3f>& got) {
  size_t count = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const float apart = std::abs(want[i].x - got[i].get(0)) + std::abs(want[i].y - got[i].get(1)) +
                        std::abs(want[i].z - got[i].get(2));
    count += !(apart < 1e-3f);
  }
  return static_cast<double>(count) / static_cast<double>(got.size());
}

Workload prepare(int side) {
  const auto scene = std::make_shared<applications::Scene>(applications::spheres_around_a_sphere());
  const Program program = applications::ray_tracer(*scene, side, side);
  const Buffer<Sphere> spheres = spheres_of(*scene);
  const Buffer<plain::Vec3> pixels(static_cast<size_t>(side) * side);
  const auto tutti_side = [=]() -> Array<2, Value3f> { return program(grid(side, side)); };
  const auto rows = [=](int first, int last) {
    for (int row = first; row < last; ++row)
      for (int column = 0; column < side; ++column)
        pixels[static_cast<size_t>(row) * side + column] = plain::traced(
            spheres.data(), static_cast<int>(spheres.size()), row, column, side, side);
  };
  return {
      .tutti = [=] { tutti_side().evaluate(); },
      .baseline = [=] { parallel_rows(side, rows, 1); },
      .disagreement = [=] { return differing(pixels, tutti_side().to_vector()); },
      .inputs = {spheres},
      .outputs = {pixels},
  };
}

}  // namespace

Comparison ray_tracer_benchmark() {
  return {.name = "ray_tracer",
          .description = "spheres that mirror each other: five mirrors, ten spheres, shadows",
          .sizes = square_sizes(256, prepare),
          .gpu_sizes = {square_size(4096, prepare)},
          .tolerance = 2e-3,
          .reason = "the share of pixels that differ: on edges a last bit decides"};
}

}  // namespace tutti::bench
