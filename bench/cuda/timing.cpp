// Times of work that a device does on its own.
#include "bench/cuda/timing.hpp"

#include <algorithm>
#include <chrono>

namespace tutti::bench::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int warm_up_calls = 3;           // the first compiles, copies and allocates
constexpr int rounds = 11;                 // of every side
constexpr double round_milliseconds = 10;  // a wait of 10 us is a thousandth of that
constexpr int most_repetitions = 1000;     // about what fits into a stream's queue

double milliseconds(const Side& side, int repetitions) {
  const auto start = Clock::now();
  for (int i = 0; i < repetitions; ++i) side.launch();
  side.wait();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / repetitions;
}

int repetitions_of(const Side& side) {
  for (int i = 0; i < warm_up_calls; ++i) side.launch();
  side.wait();
  const double one = milliseconds(side, 10);
  return static_cast<int>(std::clamp(round_milliseconds / one, 1.0, 1.0 * most_repetitions));
}

}  // namespace

std::vector<double> median_milliseconds(const std::vector<Side>& sides) {
  std::vector<int> repetitions;
  for (const Side& side : sides) repetitions.push_back(repetitions_of(side));
  std::vector<std::vector<double>> times(sides.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < sides.size(); ++i)
      times[i].push_back(milliseconds(sides[i], repetitions[i]));
  std::vector<double> medians;
  for (std::vector<double>& t : times) {
    std::nth_element(t.begin(), t.begin() + rounds / 2, t.end());
    medians.push_back(t[rounds / 2]);
  }
  return medians;
}

}  // namespace tutti::bench::cuda
