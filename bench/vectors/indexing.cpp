// The vector programs of the Barracuda talk: SAXPY, the root of the mean squared error in one pass,
// and two that read overlapping slices of one vector. The baselines are plain threaded loops.
#include <cmath>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/vectors.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Vector = Array<1, float>;

// count elements of a vector, from one on.
Vector slice(const Vector& x, int64_t first, int64_t count) { return section(x, {{first, count}}); }

Vector saxpy(float a, const Vector& x, const Vector& y) { return a * x + y; }

Array<0, float> rmse(const Vector& x, const Vector& y) {
  const Vector difference = x - y;
  return sqrt(sum(difference * difference) / static_cast<float>(x.size()));
}

Vector forward_difference(const Vector& x) {
  const int64_t n = x.size();
  return slice(x, 1, n - 1) - slice(x, 0, n - 1);
}

constexpr int taps = 5;
constexpr float weights[taps] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

Vector moving_average(const Vector& x) {
  const int64_t n = x.size() - (taps - 1);
  Vector average = weights[0] * slice(x, 0, n);
  for (int k = 1; k < taps; ++k) average += weights[k] * slice(x, k, n);
  return average;
}

Workload prepare_saxpy(size_t count) {
  const Buffer<> x = random_numbers(count, -1, 1, 1), y = random_numbers(count, -1, 1, 2);
  const Buffer<> out(count);
  const Vector vx(x), vy(y);
  evaluate(vx, vy);
  return {
      .tutti = [=] { saxpy(2.5f, vx, vy).evaluate(); },
      .baseline =
          [=] { fill(out, [x = x.data(), y = y.data()](size_t i) { return 2.5f * x[i] + y[i]; }); },
      .disagreement = [=] { return disagreement(out, saxpy(2.5f, vx, vy)); },
      .bytes = 3.0 * count * sizeof(float),
      .inputs = {x, y},
      .outputs = {out},
  };
}

Workload prepare_rmse(size_t count) {
  const Buffer<> x = random_numbers(count, -1, 1, 1), y = random_numbers(count, -1, 1, 2);
  const Buffer<> out(1);
  const Vector vx(x), vy(y);
  evaluate(vx, vy);
  auto squared = [x = x.data(), y = y.data()](size_t i) { return (x[i] - y[i]) * (x[i] - y[i]); };
  return {
      .tutti = [=] { rmse(vx, vy).evaluate(); },
      .baseline = [=] { out[0] = static_cast<float>(std::sqrt(add_up(count, squared) / count)); },
      .disagreement = [=] { return disagreement(out, rmse(vx, vy)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {x, y},
      .outputs = {out},
  };
}

Workload prepare_forward_difference(size_t count) {
  const Buffer<> x = random_numbers(count, -1, 1);
  const Buffer<> out(count - 1);
  const Vector vx(x);
  vx.evaluate();
  return {
      .tutti = [=] { forward_difference(vx).evaluate(); },
      .baseline = [=] { fill(out, [x = x.data()](size_t i) { return x[i + 1] - x[i]; }); },
      .disagreement = [=] { return disagreement(out, forward_difference(vx)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {x},
      .outputs = {out},
  };
}

Workload prepare_moving_average(size_t count) {
  const Buffer<> x = random_numbers(count, -1, 1);
  const Buffer<> out(count - (taps - 1));
  const Vector vx(x);
  vx.evaluate();
  auto average = [x = x.data()](size_t i) {
    float total = weights[0] * x[i];
    for (int k = 1; k < taps; ++k) total += weights[k] * x[i + k];
    return total;
  };
  return {
      .tutti = [=] { moving_average(vx).evaluate(); },
      .baseline = [=] { fill(out, average); },
      .disagreement = [=] { return disagreement(out, moving_average(vx)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {x},
      .outputs = {out},
  };
}

Comparison comparison(const char* name, const char* description,
                      Workload (*prepare)(size_t count)) {
  return {.name = name,
          .description = description,
          .sizes = vector_sizes(prepare),
          .gpu_sizes = {{"1e8", false, [=] { return prepare(100'000'000); }}}};
}

}  // namespace

Comparison saxpy_benchmark() { return comparison("saxpy", "a = 2.5 x + y", prepare_saxpy); }

Comparison rmse_benchmark() {
  return comparison("rmse", "root of the mean squared difference of two vectors", prepare_rmse);
}

Comparison forward_difference_benchmark() {
  return comparison("forward_difference", "the differences of neighbours",
                    prepare_forward_difference);
}

Comparison moving_average_benchmark() {
  return comparison("moving_average", "weighted averages of five neighbours",
                    prepare_moving_average);
}

}  // namespace tutti::bench
