// One program on several ranks: a plate that cools, pi by random points, and a sort. The program
// does not mention ranks but where it prints and compares:
//
//   ranks                                   one process
//   TUTTI_RANKS=mpi mpirun -n 4 ranks       four
//
// Started alone, it runs a second time on three threads that are ranks, and compares the bits.
#include <tutti/ranks.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "check.hpp"

using namespace tutti;

struct Results {
  std::vector<float> plate;
  int64_t inside = 0;
  std::vector<int32_t> sorted;
  bool operator==(const Results&) const = default;
};

// The border is kept at 0.
Array<2, float> cool(Array<2, float> plate, int steps) {
  const Boundary cold = Boundary::constant(0.0f);
  for (int i = 0; i < steps; ++i)
    plate =
        plate + 0.2f * (shift(plate, {1, 0}, cold) + shift(plate, {-1, 0}, cold) +
                        shift(plate, {0, 1}, cold) + shift(plate, {0, -1}, cold) - 4.0f * plate);
  return plate;
}

Results run() {
  Results results;
  const Array<2, float> hot(Shape<2>(400, 300), 100.0f);
  results.plate = cool(hot, 20).to_vector();

  const int64_t points = 1'000'000;
  const Random key(42);
  const Array<1, float> x = uniform<float>(key.split(0), Shape<1>(points)),
                        y = uniform<float>(key.split(1), Shape<1>(points));
  results.inside = count(x * x + y * y < 1.0f).to_vector()[0];

  const Array<1, int32_t> numbers = cast<int32_t>(x * 1e6f);
  results.sorted = sort(numbers).to_vector();
  return results;
}

int main() {
  const Results results = run();
  if (ranks::rank() == 0)
    std::printf("%d ranks: the middle of the plate has %.4f degrees, pi is about %.4f\n",
                ranks::size(), static_cast<double>(results.plate[200 * 300 + 150]),
                4.0 * static_cast<double>(results.inside) / 1e6);
  CHECK(std::ranges::is_sorted(results.sorted));
  if (ranks::size() > 1) return ranks::rank() == 0 ? ok() : 0;
  ranks::run_on_threads(3, [&] { CHECK(run() == results); });
  return ok();
}
