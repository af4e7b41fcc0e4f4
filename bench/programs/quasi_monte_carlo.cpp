// Options priced by walking through 512 normally distributed numbers: one exp after the other.
#include "applications/quasi_monte_carlo.hpp"

#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "bench/plain/quasi_monte_carlo.hpp"

namespace tutti::bench {
namespace {

constexpr int samples = 512;

Workload prepare(int options) {
  const auto n = static_cast<size_t>(options);
  const Buffer<> spot = random_numbers(n, 60, 160, 1), years = random_numbers(n, 0.1f, 2.5f, 2);
  const Buffer<> prices(n), normals(samples);
  const Array<1, float> spots(spot.data(), Shape<1>(options)),
      times(years.data(), Shape<1>(options));
  const Program normal = applications::normal_number(samples);
  const auto numbers = std::make_shared<Array<1, float>>(samples);
  const Program simulated = applications::simulated_price({}, *numbers);
  const auto tutti_side = [=]() -> Array<1, float> {
    *numbers = normal(grid(samples));
    return simulated(spots, times);
  };
  const auto price = [=](int first, int last) {
    for (int i = first; i < last; ++i)
      prices[i] = plain::simulated_price(spot[i], years[i], normals.data(), samples);
  };
  return {
      .tutti = [=] { tutti_side().evaluate(); },
      .baseline =
          [=] {
            for (int k = 0; k < samples; ++k) normals[k] = plain::normal_number(k, samples);
            parallel_rows(options, price, 64);
          },
      .disagreement = [=] { return disagreement(prices, tutti_side()); },
      .inputs = {spot, years},
      .outputs = {prices},
  };
}

}  // namespace

Comparison quasi_monte_carlo_benchmark() {
  return {.name = "quasi_monte_carlo",
          .description = "options by quasi-Monte-Carlo, 512 samples each",
          .sizes = {{"10000", true, [] { return prepare(10'000); }},
                    {"100000", false, [] { return prepare(100'000); }}},
          .gpu_sizes = {{"2^20", false, [] { return prepare(1 << 20); }}},
          .tolerance = 1e-5,
          .reason = "exp and log of the C library round otherwise"};
}

}  // namespace tutti::bench
