// Option pricing by quasi-Monte-Carlo: each element of the array is one option; its program walks
// through normally distributed numbers from a low-discrepancy sequence and averages what the option
// pays.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <numbers>

namespace applications {
using namespace tutti;

struct Market {
  Value1f strike = 100.0f, rate = 0.03f, volatility = 0.25f;
};

// The digits of k in base 2, mirrored at the point: van der Corput's sequence.
inline Value1f corput(Value1ui k) {
  Value1ui bits = k;
  bits = (bits << 16u) | (bits >> 16u);
  bits = ((bits & 0x00ff00ffu) << 8u) | ((bits & 0xff00ff00u) >> 8u);
  bits = ((bits & 0x0f0f0f0fu) << 4u) | ((bits & 0xf0f0f0f0u) >> 4u);
  bits = ((bits & 0x33333333u) << 2u) | ((bits & 0xccccccccu) >> 2u);
  bits = ((bits & 0x55555555u) << 1u) | ((bits & 0xaaaaaaaau) >> 1u);
  return Value1f(bits >> 8u) * 0x1p-24f;
}

// Returns number k of `samples` normally distributed ones, evenly spread. Two uniform numbers make
// a normal one.
inline Program normal_number(int samples) {
  const float two_pi = 2 * std::numbers::pi_v<float>;
  return program([=](Value1i k) {
    const Value1f u = (Value1f(k) + 0.5f) / static_cast<float>(samples);
    return sqrt(-2.0f * log(u)) * cos(two_pi * corput(cast<Value1ui>(k)));
  });
}

// The price of an option with this spot price and time.
inline Program simulated_price(const Market& market, const Array<1, float>& normals) {
  const auto samples = static_cast<int>(normals.size());
  const auto& [strike, rate, volatility] = market;
  return BEGIN {
    In<Value1f> spot, years;
    Out<Value1f> price;
    const Value1f drift = (rate - 0.5f * volatility * volatility) * years;
    const Value1f spread = volatility * sqrt(years);
    Value1f total = 0.0f;
    FOR(Value1i k = 0, k < samples, k += 1) {
      total += max(spot * exp(drift + spread * normals[k]) - strike, 0.0f);
    }
    ENDFOR;
    price = exp(-rate * years) * total / static_cast<float>(samples);
  }
  END;
}

}  // namespace applications
