// Option prices by quasi-Monte-Carlo against the closed formula of Black and Scholes.
#include "quasi_monte_carlo.hpp"

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

int main(int argc, char** argv) {
  constexpr int rows = 240, columns = 320, samples = 512;
  const applications::Market market;
  const auto& [strike, rate, volatility] = market;
  const Array<1, float> normals = applications::normal_number(samples)(grid(samples));
  const Program simulated = applications::simulated_price(market, normals);
  const Program exact = program([&](Value1f spot, Value1f years) {
    const Value1f spread = volatility * sqrt(years);
    const Value1f d =
        (log(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / spread;
    const auto normal = [](Value1f x) { return 0.5f * erfc(x * -0.70710678f); };
    return spot * normal(d) - strike * exp(-rate * years) * normal(d - spread);
  });

  const Array<2, float> years = 0.1f + 0.01f * cast<float>(index<2>({rows, columns}, 0));
  const Array<2, float> spot = 60.0f + 0.3f * cast<float>(index<2>({rows, columns}, 1));
  const Array<2, float> prices = simulated(spot, years);
  const float error = max_val(abs(prices - Array<2, float>(exact(spot, years))));
  std::printf("largest difference from the closed formula: %.3f\n", error);
  CHECK(error < 0.6f);
  picture::save(argc, argv, "black_scholes",
                picture::heat(fmod(prices, 10.0f) / 10.0f * 0.5f + prices / 160.0f));
  return ok();
}
