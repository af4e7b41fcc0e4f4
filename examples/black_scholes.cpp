// Option prices, against the formula in double precision.
#include "programs/black_scholes.hpp"

#include "check.hpp"
#include "support/sample_numbers.hpp"

namespace {

double call_price(double s, double x, double t, double rate, double volatility) {
  const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
  const double spread = volatility * std::sqrt(t);
  const double d = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread;
  return s * normal(d) - x * std::exp(-rate * t) * normal(d - spread);
}

}  // namespace

int main() {
  SampleNumbers random(3);
  const int options = 10'000;
  const std::vector<float> price = random.floats(options, 5, 30),
                           strike = random.floats(options, 1, 100),
                           years = random.floats(options, 0.25f, 10);
  const std::vector<float> got =
      programs::black_scholes(price, strike, years, 0.02f, 0.30f).to_vector();
  for (size_t i = 0; i < got.size(); ++i)
    CHECK(close(got[i], call_price(price[i], strike[i], years[i], 0.02, 0.30), 1e-4));
  return ok();
}
