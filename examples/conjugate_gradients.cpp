// Conjugate gradients: the temperature of a heated plate whose border is kept at zero, -Laplace(u)
// = 1 on the unit square, by vectors that read like the textbook. A step is recorded once and then
// run: four kernels, one launch on a GPU. No number leaves the device but the residuals that are
// printed.
//
// The plate has side x side points inside of its border. A row is stored with one more element,
// always zero, which is the border of this row and of the next. Above the first row and below the
// last, zeros are shifted in. So the five-point formula is a sum of shifts.
#include <tutti/tutti.hpp>

#include <vector>

#include "check.hpp"

using namespace tutti;

constexpr int64_t side = 63, row = side + 1, points = side * row;
constexpr int steps = 160;

// 1 inside of the plate, 0 on its border.
std::vector<double> inside_of_plate() {
  std::vector<double> inside(points, 1.0);
  for (int64_t i = side; i < points; i += row) inside[i] = 0;
  return inside;
}

auto minus_laplace(const Vec<double>& u, const Vec<double>& inside) {
  const Boundary zero = Boundary::constant(0.0);
  return inside * (4.0 * u - shift(u, 1, zero) - shift(u, -1, zero) - shift(u, row, zero) -
                   shift(u, -row, zero));
}

struct Solution {
  std::vector<double> u;
  std::vector<double> residuals;  // before each step
};

Solution solve(const std::vector<double>& plate) {
  const Vec<double> inside(plate);
  Vec<double> u(points), r = inside * (1.0 / (row * row)), p = r;
  Number<double> rr = dot(r, r);
  const auto step = record(
      [&] {
        const Vec<double> q = minus_laplace(p, inside);
        const Number<double> alpha = rr / dot(p, q), before = rr;
        u += alpha * p;
        r -= alpha * q;
        rr = dot(r, r);
        p = r + rr / before * p;
      },
      u, r, p, rr);
  Solution result;
  for (int i = 0; i < steps; ++i) {
    result.residuals.push_back(sqrt(rr));
    step();
  }
  result.u = u.to_vector();
  return result;
}

// The same with loops, to compare with.
Solution solve_plainly(const std::vector<double>& plate) {
  using Numbers = std::vector<double>;
  const auto dot = [](const Numbers& a, const Numbers& b) {
    double total = 0;
    for (int64_t i = 0; i < points; ++i) total += a[i] * b[i];
    return total;
  };
  Numbers u(points), r = plate, q(points);
  for (double& x : r) x *= 1.0 / (row * row);
  Numbers p = r;
  double rr = dot(r, r);
  Solution result;
  for (int step = 0; step < steps; ++step) {
    result.residuals.push_back(std::sqrt(rr));
    const auto at = [&](int64_t i) { return i < 0 || i >= points ? 0.0 : p[i]; };
    for (int64_t i = 0; i < points; ++i)
      q[i] = plate[i] * (4 * p[i] - at(i - 1) - at(i + 1) - at(i - row) - at(i + row));
    const double alpha = rr / dot(p, q);
    for (int64_t i = 0; i < points; ++i) u[i] += alpha * p[i], r[i] -= alpha * q[i];
    const double before = rr;
    rr = dot(r, r);
    for (int64_t i = 0; i < points; ++i) p[i] = r[i] + rr / before * p[i];
  }
  result.u = u;
  return result;
}

int main() {
  const std::vector<double> plate = inside_of_plate();
  const Solution got = solve(plate), want = solve_plainly(plate);
  for (int step = 0; step < steps; step += 10)
    std::printf("step %3d  residual %.3e\n", step, got.residuals[step]);

  // Rounding differs, and grows with the steps: the histories agree until they are at its level.
  for (int step = 0; step < 60; ++step)
    CHECK(close(got.residuals[step] / want.residuals[step], 1.0, 1e-6));
  CHECK(got.residuals.back() < 1e-10 * got.residuals.front());
  CHECK(close(got.u[side / 2 * row + side / 2], 0.0736713, 1e-4));  // known for the middle
  for (int64_t i = 0; i < points; ++i) CHECK(close(got.u[i], want.u[i], 1e-10));

  // After the first steps everything was compiled: steps launch kernels and do nothing else.
  const Statistics before = statistics();
  solve(plate);
  CHECK(statistics().kernels_compiled == before.kernels_compiled);
  CHECK(statistics().plans_built <= before.plans_built + 1);
  return ok();
}
