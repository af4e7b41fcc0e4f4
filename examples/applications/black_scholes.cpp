// Option pricing by quasi-Monte-Carlo: each element of the array is one option; its program walks
// through a low-discrepancy sequence and averages what the option pays. Compared with the closed
// formula of Black and Scholes.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <numbers>

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

// The digits of k in base 2, mirrored at the point: van der Corput's sequence.
Value1f corput(Value1ui k) {
  Value1ui bits = k;
  bits = (bits << 16u) | (bits >> 16u);
  bits = ((bits & 0x00ff00ffu) << 8u) | ((bits & 0xff00ff00u) >> 8u);
  bits = ((bits & 0x0f0f0f0fu) << 4u) | ((bits & 0xf0f0f0f0u) >> 4u);
  bits = ((bits & 0x33333333u) << 2u) | ((bits & 0xccccccccu) >> 2u);
  bits = ((bits & 0x55555555u) << 1u) | ((bits & 0xaaaaaaaau) >> 1u);
  return Value1f(bits >> 8u) * 0x1p-24f;
}

int main(int argc, char** argv) {
  constexpr int rows = 240, columns = 320, samples = 512;
  Value1f strike = 100.0f, rate = 0.03f, volatility = 0.25f;
  const float two_pi = 2 * std::numbers::pi_v<float>;

  const Program simulated = BEGIN {
    In<Value1f> spot, years;
    Out<Value1f> price;
    const Value1f drift = (rate - 0.5f * volatility * volatility) * years;
    const Value1f spread = volatility * sqrt(years);
    Value1f total = 0.0f;
    FOR(Value1i k = 0, k < samples, k += 1) {
      // Two uniform numbers make a normal one.
      const Value1f u = (Value1f(k) + 0.5f) / float(samples), v = corput(cast<Value1ui>(k));
      const Value1f normal = sqrt(-2.0f * log(u)) * cos(two_pi * v);
      total += max(spot * exp(drift + spread * normal) - strike, 0.0f);
    }
    ENDFOR;
    price = exp(-rate * years) * total / float(samples);
  }
  END;
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
