// Long vectors: the expressions of the CUDA Expression Templates paper (its tests 1 to 3), a sum of
// absolute values, and the Black-Scholes formula. The baselines are plain threaded loops with
// ordinary stores, vectorised by the compiler where it can.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "bench/inputs.hpp"
#include "bench/registry.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Vector = Array<1, float>;
using Indices = tbb::blocked_range<size_t>;
constexpr size_t grain = 1 << 14;  // 64 KiB of each vector a task

Vector axpby(const Vector& b, const Vector& c) { return 0.12f * b + 7.54f * c; }

Vector long_expression(const Vector& a, const Vector& b, const Vector& c) {
  return (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
}

namespace baseline {

// out[i] = f(i) for all i, on all cores.
template <class F>
void fill(const Buffer<>& out, const F& f) {
  tbb::parallel_for(Indices(0, out.size(), grain), [&](const Indices& range) {
    float* __restrict to = out.data();
    for (size_t i = range.begin(); i < range.end(); ++i) to[i] = f(i);
  });
}

float absolute_sum(const float* numbers, size_t count) {
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (size_t i = 0; i < count; ++i) total += std::fabs(numbers[i]);
  return total;
}

double parallel_absolute_sum(const float* numbers, size_t count) {
  auto add_range = [=](const Indices& range, double total) {
    return total + absolute_sum(numbers + range.begin(), range.size());
  };
  // Pieces of one size, however many threads there are: sums of floats stay short and exact enough.
  return tbb::parallel_reduce(Indices(0, count, grain), 0.0, add_range, std::plus<>(),
                              tbb::simple_partitioner());
}

}  // namespace baseline

std::vector<Size> vector_sizes(Workload (*prepare)(size_t count)) {
  return {{"2^20", true, [=] { return prepare(size_t{1} << 20); }},
          {"2^25", false, [=] { return prepare(size_t{1} << 25); }}};
}

// Three vectors, on the host and in Tutti.
struct Operands {
  explicit Operands(size_t count)
      : host{random_numbers(count, -1, 1, 1), random_numbers(count, -1, 1, 2),
             random_numbers(count, -1, 1, 3)},
        a(host[0]),
        b(host[1]),
        c(host[2]) {
    evaluate(a, b, c);
  }
  Buffer<> host[3];
  Vector a, b, c;
};

Workload prepare_add(size_t count) {
  const Operands x(count);
  const Buffer<> out(count);
  auto add = [=] {
    const float *b = x.host[1].data(), *c = x.host[2].data();
    baseline::fill(out, [=](size_t i) { return b[i] + c[i]; });
  };
  return {.tutti = [=] { (x.b + x.c).evaluate(); },
          .baseline = add,
          .disagreement = [=] { return disagreement(out, x.b + x.c); },
          .bytes = 3.0 * count * sizeof(float)};
}

Workload prepare_axpby(size_t count) {
  const Operands x(count);
  const Buffer<> out(count);
  auto combine = [=] {
    const float *b = x.host[1].data(), *c = x.host[2].data();
    baseline::fill(out, [=](size_t i) { return 0.12f * b[i] + 7.54f * c[i]; });
  };
  return {.tutti = [=] { axpby(x.b, x.c).evaluate(); },
          .baseline = combine,
          .disagreement = [=] { return disagreement(out, axpby(x.b, x.c)); },
          .bytes = 3.0 * count * sizeof(float)};
}

Workload prepare_long(size_t count) {
  const Operands x(count);
  const Buffer<> out(count);
  auto compute = [=] {
    const float *a = x.host[0].data(), *b = x.host[1].data(), *c = x.host[2].data();
    baseline::fill(out, [=](size_t i) {
      return (b[i] - (a[i] + 3.75f * c[i]) + c[i] - 0.24f * b[i]) / 27.51f + a[i] - 0.25f * b[i];
    });
  };
  return {.tutti = [=] { long_expression(x.a, x.b, x.c).evaluate(); },
          .baseline = compute,
          .disagreement = [=] { return disagreement(out, long_expression(x.a, x.b, x.c)); },
          .bytes = 4.0 * count * sizeof(float)};
}

Workload prepare_abs_sum(size_t count) {
  const Buffer<> numbers = random_numbers(count, -1, 1);
  const Buffer<> result(1);
  const Vector vector(numbers);
  vector.evaluate();
  auto add_up = [=] {
    result[0] = static_cast<float>(baseline::parallel_absolute_sum(numbers.data(), count));
  };
  return {.tutti = [=] { sum(abs(vector)).evaluate(); },
          .baseline = add_up,
          .disagreement = [=] { return disagreement(result, sum(abs(vector))); },
          .bytes = 1.0 * count * sizeof(float)};
}

// European options. Interest and volatility are the same for all.
constexpr float interest = 0.02f, volatility = 0.3f;
constexpr float root_half = std::numbers::sqrt2_v<float> / 2;

struct Prices {
  Vector call, put;
};

Vector normal_distribution(const Vector& x) { return 0.5f * (1.0f + erf(x * root_half)); }

Prices black_scholes(const Vector& price, const Vector& strike, const Vector& years) {
  const Vector deviation = volatility * sqrt(years);
  const Vector d1 =
      (log(price / strike) + (interest + 0.5f * volatility * volatility) * years) / deviation;
  const Vector d2 = d1 - deviation;
  const Vector discounted = strike * exp(-interest * years);
  const Vector n1 = normal_distribution(d1), n2 = normal_distribution(d2);
  return {price * n1 - discounted * n2, discounted * (1.0f - n2) - price * (1.0f - n1)};
}

namespace baseline {

float normal_distribution(float x) { return 0.5f * (1.0f + std::erf(x * root_half)); }

void black_scholes(const Buffer<>& price, const Buffer<>& strike, const Buffer<>& years,
                   const Buffer<>& call, const Buffer<>& put) {
  tbb::parallel_for(Indices(0, price.size(), grain), [&](const Indices& range) {
    for (size_t i = range.begin(); i < range.end(); ++i) {
      const float deviation = volatility * std::sqrt(years[i]);
      const float drift = (interest + 0.5f * volatility * volatility) * years[i];
      const float d1 = (std::log(price[i] / strike[i]) + drift) / deviation;
      const float d2 = d1 - deviation;
      const float discounted = strike[i] * std::exp(-interest * years[i]);
      const float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
      call[i] = price[i] * n1 - discounted * n2;
      put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
    }
  });
}

}  // namespace baseline

Workload prepare_black_scholes(size_t count) {
  const Buffer<> price = random_numbers(count, 5, 30, 1), strike = random_numbers(count, 1, 100, 2),
                 years = random_numbers(count, 0.25f, 10, 3);
  const Buffer<> call(count), put(count);
  const Vector p(price), k(strike), t(years);
  evaluate(p, k, t);
  return {.tutti =
              [=] {
                const Prices prices = black_scholes(p, k, t);
                evaluate(prices.call, prices.put);
              },
          .baseline = [=] { baseline::black_scholes(price, strike, years, call, put); },
          .disagreement =
              [=] {
                const Prices prices = black_scholes(p, k, t);
                return std::max(disagreement(call, prices.call), disagreement(put, prices.put));
              },
          .bytes = 5.0 * count * sizeof(float)};
}

}  // namespace

Comparison vector_add_benchmark() {
  return {.name = "vector_add",
          .description = "a = b + c; baseline a threaded loop",
          .sizes = vector_sizes(prepare_add)};
}

Comparison vector_axpby_benchmark() {
  return {.name = "vector_axpby",
          .description = "a = 0.12 b + 7.54 c; baseline a threaded loop",
          .sizes = vector_sizes(prepare_axpby)};
}

Comparison vector_long_benchmark() {
  return {
      .name = "vector_long",
      .description = "a = (b - (a + 3.75 c) + c - 0.24 b) / 27.51 + a - 0.25 b; a threaded loop",
      .sizes = vector_sizes(prepare_long)};
}

Comparison vector_abs_benchmark() {
  return {.name = "vector_abs",
          .description = "sum of absolute values; baseline a threaded loop",
          .sizes = vector_sizes(prepare_abs_sum)};
}

Comparison black_scholes_benchmark() {
  return {.name = "black_scholes",
          .description = "call and put prices of options; baseline a threaded loop over libm",
          .sizes = {{"2^18", true, [] { return prepare_black_scholes(size_t{1} << 18); }},
                    {"2^22", false, [] { return prepare_black_scholes(size_t{1} << 22); }}}};
}

}  // namespace tutti::bench
