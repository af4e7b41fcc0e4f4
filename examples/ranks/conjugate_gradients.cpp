// Conjugate gradients for u - Laplace(u) = f on a square with a border of 0, f being random.
// Stencils take halos, dot products the results of tiles; the residuals have the same bits on any
// number of ranks.
#include <tutti/tutti.hpp>

#include <vector>

#include "run_again.hpp"

using namespace tutti;
using Plane = Array<2, double>;

Plane apply(const Plane& u) {
  const Boundary zero = Boundary::constant(0.0);
  return 5.0 * u - shift(u, {1, 0}, zero) - shift(u, {-1, 0}, zero) - shift(u, {0, 1}, zero) -
         shift(u, {0, -1}, zero);
}

double dot(const Plane& a, const Plane& b) { return sum(a * b).item(); }

int main() {
  return finish_or_run_again([] {
    const Shape<2> shape(300, 300);
    Plane u(shape, 0.0), r = uniform<double>(Random(5), shape), p = r;
    double rr = dot(r, r);
    std::vector<double> residuals{rr};
    for (int step = 0; step < 30; ++step) {
      const Plane q = apply(p);
      const double alpha = rr / dot(p, q);
      u = u + alpha * p;
      r = r - alpha * q;
      const double before = rr;
      rr = dot(r, r);
      p = r + rr / before * p;
      evaluate(u, p);
      residuals.push_back(rr);
    }
    if (prints()) std::printf("%d ranks: residual %.6e after 30 steps\n", ranks::size(), rr);
    return residuals;
  });
}
