// The weights of a Gaussian filter. Plain C++17: the CUDA baselines take them from here as well.
#pragma once
#include <array>
#include <cmath>

namespace tutti::bench {

template <int taps>
using Weights = std::array<float, taps>;

template <int taps>
Weights<taps> gaussian(double sigma) {
  std::array<double, taps> exact;
  double total = 0;
  for (int i = 0; i < taps; ++i) {
    const double x = (i - taps / 2) / sigma;
    exact[i] = std::exp(-0.5 * x * x);
    total += exact[i];
  }
  Weights<taps> weights;
  for (int i = 0; i < taps; ++i) weights[i] = static_cast<float>(exact[i] / total);
  return weights;
}

}  // namespace tutti::bench
