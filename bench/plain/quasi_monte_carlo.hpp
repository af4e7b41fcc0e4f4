// Of examples/applications/quasi_monte_carlo.hpp: a normal number, and the price of one option.
#pragma once
#include "bench/plain/plain.hpp"

namespace tutti::bench::plain {

TUTTI_PLAIN float normal_number(int k, int samples) {
  uint32_t bits = 0;
  for (int i = 0; i < 32; ++i) bits |= ((static_cast<uint32_t>(k) >> i) & 1u) << (31 - i);
  const float u = (static_cast<float>(k) + 0.5f) / static_cast<float>(samples);
  const float v = static_cast<float>(bits >> 8) * 0x1p-24f;
  return sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
}

TUTTI_PLAIN float simulated_price(float spot, float years, const float* normals, int samples) {
  constexpr float strike = 100, rate = 0.03f, volatility = 0.25f;
  const float drift = (rate - 0.5f * volatility * volatility) * years;
  const float spread = volatility * sqrtf(years);
  float total = 0;
  for (int k = 0; k < samples; ++k)
    total += fmaxf(spot * expf(drift + spread * normals[k]) - strike, 0.0f);
  return expf(-rate * years) * total / static_cast<float>(samples);
}

}  // namespace tutti::bench::plain
