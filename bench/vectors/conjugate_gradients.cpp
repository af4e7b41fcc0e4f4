// Conjugate gradients on a 2-D Poisson problem, twenty steps from the beginning: as vectors that
// are assigned to, and the same body recorded. The baselines fuse what a person would: three loops
// a step.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/vectors.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

constexpr int steps = 20;

// The last column is the border of its row and of the next.
Buffer<> inside_of_plate(int side) {
  Buffer<> inside(static_cast<size_t>(side) * side);
  for (size_t i = 0; i < inside.size(); ++i) inside[i] = i % side == size_t(side) - 1 ? 0.0f : 1.0f;
  return inside;
}

struct Solver {
  Solver(const Buffer<>& inside, const Buffer<>& right, int side)
      : row(side),
        inside(inside),
        right(right),
        u(right.size()),
        r(right.size()),
        p(right.size()) {}

  void start() {
    u = 0.0f;
    r = right * inside;
    p = right * inside;
    rr = dot(r, r);
  }

  void step() {
    const Boundary zero = Boundary::constant(0.0f);
    const Vec<float> q = inside * (4.0f * p - shift(p, 1, zero) - shift(p, -1, zero) -
                                   shift(p, row, zero) - shift(p, -row, zero));
    const Number<float> alpha = rr / dot(p, q), before = rr;
    u += alpha * p;
    r -= alpha * q;
    rr = dot(r, r);
    p = r + rr / before * p;
  }

  int64_t row;
  Vec<float> inside, right, u, r, p;
  Number<float> rr;
};

class PlainSolver {
 public:
  PlainSolver(const Buffer<>& inside, const Buffer<>& right, int side)
      : side_(side),
        inside_(inside),
        right_(right),
        r_(right.size()),
        p_(right.size()),
        q_(right.size()) {}

  void solve(const Buffer<>& u) {
    fill(u, [](size_t) { return 0.0f; });
    fill(r_, [this](size_t i) { return right_[i] * inside_[i]; });
    fill(p_, [this](size_t i) { return r_[i]; });
    double rr = add_up(u.size(), [this](size_t i) { return r_[i] * r_[i]; });
    for (int k = 0; k < steps; ++k) rr = step(u, rr);
  }

 private:
  double step(const Buffer<>& u, double rr) {
    const double pq = add_ranges([this](size_t first, size_t last) { return apply(first, last); });
    const auto alpha = static_cast<float>(rr / pq);
    const double next = add_ranges([&](size_t first, size_t last) {
      float total = 0;
#pragma omp simd reduction(+ : total)
      for (size_t i = first; i < last; ++i) {
        u[i] += alpha * p_[i];
        r_[i] -= alpha * q_[i];
        total += r_[i] * r_[i];
      }
      return total;
    });
    const auto beta = static_cast<float>(next / rr);
    for_ranges(u.size(), [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i) p_[i] = r_[i] + beta * p_[i];
    });
    return next;
  }

  // q = A p of a range; the sum of p q there.
  float apply(size_t first, size_t last) {
    const size_t n = q_.size(), side = side_;
    const float* __restrict p = p_.data(), * __restrict inside = inside_.data();
    float* __restrict q = q_.data();
    const auto at = [=](size_t i) { return i < n ? p[i] : 0.0f; };  // below zero is above n
    const size_t low = std::clamp(side, first, last), high = std::clamp(n - side, low, last);
    const auto careful = [&](size_t i) {
      q[i] = inside[i] * (4 * p[i] - at(i - 1) - at(i + 1) - at(i - side) - at(i + side));
      return p[i] * q[i];
    };
    float total = 0;
    for (size_t i = first; i < low; ++i) total += careful(i);
#pragma omp simd reduction(+ : total)
    for (size_t i = low; i < high; ++i) {
      q[i] = inside[i] * (4 * p[i] - p[i - 1] - p[i + 1] - p[i - side] - p[i + side]);
      total += p[i] * q[i];
    }
    for (size_t i = high; i < last; ++i) total += careful(i);
    return total;
  }

  template <class F>
  double add_ranges(const F& sum_of) {
    using Indices = tbb::blocked_range<size_t>;
    return tbb::parallel_reduce(
        Indices(0, q_.size(), grain), 0.0,
        [&](const Indices& range, double before) {
          return before + sum_of(range.begin(), range.end());
        },
        std::plus<>(), tbb::simple_partitioner());
  }

  size_t side_;
  Buffer<> inside_, right_, r_, p_, q_;
};

template <class Step>
Workload compare(int side, const std::shared_ptr<Solver>& solver, const Buffer<>& inside,
                 const Buffer<>& right, Step step) {
  const Buffer<> out(right.size());
  const auto plain = std::make_shared<PlainSolver>(inside, right, side);
  auto solve = [=] {
    solver->start();
    for (int k = 0; k < steps; ++k) step();
  };
  return {.tutti = solve,
          .baseline = [=] { plain->solve(out); },
          .disagreement =
              [=] {
                solve();
                return disagreement(out, solver->u.array());
              },
          .inputs = {inside, right},
          .outputs = {out}};
}

Workload prepare_assigned(int side) {
  const Buffer<> inside = inside_of_plate(side), right = random_numbers(inside.size(), 0, 1);
  const auto solver = std::make_shared<Solver>(inside, right, side);
  return compare(side, solver, inside, right, [=] { solver->step(); });
}

Workload prepare_recorded(int side) {
  const Buffer<> inside = inside_of_plate(side), right = random_numbers(inside.size(), 0, 1);
  const auto solver = std::make_shared<Solver>(inside, right, side);
  Solver& s = *solver;
  return compare(side, solver, inside, right, record([&s] { s.step(); }, s.u, s.r, s.p, s.rr));
}

Comparison comparison(const char* name, const char* description, Workload (*prepare)(int side)) {
  Comparison result{.name = name,
                    .description = description,
                    .sizes = {},
                    .tolerance = 1e-3,
                    .reason = "sums are added in other orders, and differences grow step by step"};
  for (int side : {64, 256, 1024}) {
    result.sizes.push_back(square_size(side, prepare));
    result.gpu_sizes.push_back(square_size(side, prepare));
  }
  result.sizes.front().small = true;
  result.gpu_sizes.push_back(square_size(4096, prepare));
  return result;
}

}  // namespace

Comparison gradients_benchmark() {
  return comparison("gradients", "20 steps of conjugate gradients with Vec", prepare_assigned);
}
Comparison gradients_recorded_benchmark() {
  return comparison("gradients_recorded", "20 steps of conjugate gradients, recorded",
                    prepare_recorded);
}

}  // namespace tutti::bench
