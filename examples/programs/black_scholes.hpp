// The Black-Scholes price of European call options.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

inline Scalar<float> cumulative_normal(const Scalar<float>& d) {
  return 0.5f * erfc(-0.70710678f * d);
}

inline Seq<float> black_scholes(const Seq<float>& price, const Seq<float>& strike,
                                const Seq<float>& years, float rate, float volatility) {
  return each(price, strike, years, [&](Scalar<float> s, Scalar<float> x, Scalar<float> t) {
    Scalar<float> spread = volatility * sqrt(t);
    Scalar<float> d = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
    return s * cumulative_normal(d) - x * exp(-rate * t) * cumulative_normal(d - spread);
  });
}

}  // namespace programs
