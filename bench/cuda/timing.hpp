// Times of work that a device does on its own: many repetitions between two waits.
#pragma once
#include <functional>
#include <vector>

namespace tutti::bench::cuda {

struct Side {
  std::function<void()> launch;  // asks for one repetition
  std::function<void()> wait;
};

// The median time of a repetition of each side, in milliseconds. The sides run in turns: what the
// machine does meanwhile happens to all of them.
std::vector<double> median_milliseconds(const std::vector<Side>& sides);

}  // namespace tutti::bench::cuda
