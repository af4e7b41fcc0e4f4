// Forces between bodies, against all pairs.
#include "programs/barnes_hut.hpp"

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(9);
  std::vector<std::tuple<float, float, float>> bodies;
  for (int i = 0; i < 600; ++i)
    bodies.emplace_back(random.uniform(), random.uniform(), 0.5f + random.uniform());
  const programs::Step step = programs::barnes_hut(bodies, 5, 0.4f);
  const auto sorted = step.bodies.to_vector();
  const auto forces = step.forces.to_vector();
  double error = 0, size = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    double fx = 0, fy = 0;
    for (const auto& [x, y, mass] : sorted) {
      const double dx = x - std::get<0>(sorted[i]), dy = y - std::get<1>(sorted[i]);
      const double r2 = dx * dx + dy * dy + programs::softening;
      fx += mass * dx / (r2 * std::sqrt(r2));
      fy += mass * dy / (r2 * std::sqrt(r2));
    }
    error += std::hypot(std::get<0>(forces[i]) - fx, std::get<1>(forces[i]) - fy);
    size += std::hypot(fx, fy);
  }
  CHECK(error < 0.01 * size);
  return ok();
}
