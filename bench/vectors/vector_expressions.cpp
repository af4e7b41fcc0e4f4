// Long vectors: the expressions of the CUDA Expression Templates paper (its tests 1 to 4), a copy,
// an exponential, a sum of absolute values, and the Black-Scholes formula. The baselines are plain
// threaded loops with ordinary stores, vectorised by the compiler where it can.
#include <cmath>
#include <numbers>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/vectors.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Vector = Array<1, float>;

Vector axpby(const Vector& b, const Vector& c) { return 0.12f * b + 7.54f * c; }

Vector long_expression(const Vector& a, const Vector& b, const Vector& c) {
  return (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
}

Vector normalise(const Vector& b) { return b * (1.0f / sqrt(sum(b * b))); }

// A vector of random numbers, on the host and in Tutti.
struct Operand {
  Operand(size_t count, uint64_t seed) : host(random_numbers(count, -1, 1, seed)), vector(host) {
    vector.evaluate();
  }
  const float* data() const { return host.data(); }

  Buffer<> host;
  Vector vector;
};

// out[i] = element(i) on one side, the vector that expression() builds on the other.
template <class Expression, class Element>
Workload elementwise(size_t count, const std::vector<SharedArray>& inputs, Expression expression,
                     Element element) {
  const Buffer<> out(count);
  return {.tutti = [=] { expression().evaluate(); },
          .baseline = [=] { fill(out, element); },
          .disagreement = [=] { return disagreement(out, expression()); },
          .bytes = (inputs.size() + 1.0) * count * sizeof(float),
          .inputs = inputs,
          .outputs = {out}};
}

Workload prepare_copy(size_t count) {
  const Operand b(count, 2);
  return elementwise(
      count, {b.host}, [=] { return b.vector * 1.0f; }, [b = b.data()](size_t i) { return b[i]; });
}

Workload prepare_add(size_t count) {
  const Operand b(count, 2), c(count, 3);
  return elementwise(
      count, {b.host, c.host}, [=] { return b.vector + c.vector; },
      [b = b.data(), c = c.data()](size_t i) { return b[i] + c[i]; });
}

Workload prepare_axpby(size_t count) {
  const Operand b(count, 2), c(count, 3);
  return elementwise(
      count, {b.host, c.host}, [=] { return axpby(b.vector, c.vector); },
      [b = b.data(), c = c.data()](size_t i) { return 0.12f * b[i] + 7.54f * c[i]; });
}

Workload prepare_long(size_t count) {
  const Operand a(count, 1), b(count, 2), c(count, 3);
  return elementwise(
      count, {a.host, b.host, c.host},
      [=] { return long_expression(a.vector, b.vector, c.vector); },
      [a = a.data(), b = b.data(), c = c.data()](size_t i) {
        return (b[i] - (a[i] + 3.75f * c[i]) + c[i] - 0.24f * b[i]) / 27.51f + a[i] - 0.25f * b[i];
      });
}

Workload prepare_exp(size_t count) {
  const Operand b(count, 2);
  return elementwise(
      count, {b.host}, [=] { return exp(b.vector); },
      [b = b.data()](size_t i) { return std::exp(b[i]); });
}

Workload prepare_normalise(size_t count) {
  const Operand b(count, 2);
  const Buffer<> out(count);
  auto scale = [=] {
    const double squares = add_up(count, [b = b.data()](size_t i) { return b[i] * b[i]; });
    const float inverse = static_cast<float>(1 / std::sqrt(squares));
    fill(out, [b = b.data(), inverse](size_t i) { return b[i] * inverse; });
  };
  return {.tutti = [=] { normalise(b.vector).evaluate(); },
          .baseline = scale,
          .disagreement = [=] { return disagreement(out, normalise(b.vector)); },
          .bytes = 3.0 * count * sizeof(float),
          .inputs = {b.host},
          .outputs = {out}};
}

Workload prepare_abs_sum(size_t count) {
  const Operand b(count, 1);
  const Buffer<> result(1);
  auto add_absolutes = [=] {
    result[0] =
        static_cast<float>(add_up(count, [b = b.data()](size_t i) { return std::fabs(b[i]); }));
  };
  return {.tutti = [=] { sum(abs(b.vector)).evaluate(); },
          .baseline = add_absolutes,
          .disagreement = [=] { return disagreement(result, sum(abs(b.vector))); },
          .bytes = 1.0 * count * sizeof(float),
          .inputs = {b.host},
          .outputs = {result}};
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
  for_ranges(price.size(), [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
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
          .bytes = 5.0 * count * sizeof(float),
          .inputs = {price, strike, years},
          .outputs = {call, put}};
}

Comparison vector_comparison(const char* name, const std::string& formula,
                             Workload (*prepare)(size_t count)) {
  return {.name = name,
          .description = formula + "; baseline a threaded loop",
          .sizes = vector_sizes(prepare),
          .gpu_sizes = {{"1e6", false, [=] { return prepare(1'000'000); }},
                        {"5e7", false, [=] { return prepare(50'000'000); }},
                        {"2^28", false, [=] { return prepare(size_t{1} << 28); }}}};
}

}  // namespace

Comparison vector_copy_benchmark() {
  return vector_comparison("vector_copy", "a = b", prepare_copy);
}

Comparison vector_add_benchmark() {
  return vector_comparison("vector_add", "a = b + c", prepare_add);
}

Comparison vector_axpby_benchmark() {
  return vector_comparison("vector_axpby", "a = 0.12 b + 7.54 c", prepare_axpby);
}

Comparison vector_long_benchmark() {
  return vector_comparison(
      "vector_long", "a = (b - (a + 3.75 c) + c - 0.24 b) / 27.51 + a - 0.25 b", prepare_long);
}

Comparison vector_normalise_benchmark() {
  return vector_comparison("vector_normalise", "a = b / |b|", prepare_normalise);
}

Comparison vector_exp_benchmark() {
  return vector_comparison("vector_exp", "a = exp(b)", prepare_exp);
}

Comparison vector_abs_benchmark() {
  return vector_comparison("vector_abs", "sum of absolute values", prepare_abs_sum);
}

Comparison black_scholes_benchmark() {
  auto prepare = prepare_black_scholes;
  return {.name = "black_scholes",
          .description = "call and put prices of options; baseline a threaded loop over libm",
          .sizes = {{"2^18", true, [=] { return prepare(size_t{1} << 18); }},
                    {"2^22", false, [=] { return prepare(size_t{1} << 22); }}},
          .gpu_sizes = {{"1e8", false, [=] { return prepare(100'000'000); }}}};
}

}  // namespace tutti::bench
