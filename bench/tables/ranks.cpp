// Weak scaling: every rank has as much to do as one rank alone. Prints the milliseconds of each
// workload; scripts/ranks_speed runs it with 1, 2 and 4 ranks and compares.
#include <tutti/ranks.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

using namespace tutti;

namespace {

// The least time over some rounds after the first two: other processes may have the cores in
// between. All ranks begin together.
double least_time(int rounds, const std::function<void()>& work) {
  double least = 1e9;
  for (int i = 0; i < rounds + 2; ++i) {
    ranks::barrier();
    const auto start = std::chrono::steady_clock::now();
    work();
    synchronize();
    ranks::barrier();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (i >= 2) least = std::min(least, took.count());
  }
  return least;
}

void time(const char* name, int rounds, const std::function<void()>& work) {
  const double least = least_time(rounds, work);
  if (ranks::rank() == 0) std::printf("%-10s %10.3f\n", name, least);
}

void heat(const Array<2, float>& start) {
  Array<2, float> plate = start;
  const Boundary cold = Boundary::constant(0.0f);
  for (int i = 0; i < 10; ++i)
    plate =
        plate + 0.2f * (shift(plate, {1, 0}, cold) + shift(plate, {-1, 0}, cold) +
                        shift(plate, {0, 1}, cold) + shift(plate, {0, -1}, cold) - 4.0f * plate);
  plate.evaluate();
}

// What docs/scaling.md computes with: a small gather and a change of the layout.
void print_costs(int64_t side) {
  if (ranks::size() == 1) return;
  const double gather = least_time(2000, [] {});  // of the barrier
  const int64_t all = side * ranks::size();
  const Array<2, float> square =
      ranks::distribute(uniform<float>(Random(3), Shape<2>(all, all)), 0);
  const int64_t before = ranks::traffic().bytes;
  constexpr int rounds = 20;
  const double turn = least_time(rounds, [&] { ranks::distribute(square, 1); });
  const double bytes = static_cast<double>(ranks::traffic().bytes - before) / (rounds + 2);
  if (ranks::rank() == 0)
    std::printf("# gather %.1f us, change of layout %.0f MB/s of a rank\n", gather * 1e3,
                bytes / turn / 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t side = argc > 1 ? std::atoll(argv[1]) : 2048;  // of a rank's share
  if (side < 64) {
    std::fprintf(stderr, "usage: ranks [side of a rank's square, at least 64; default 2048]\n");
    return 2;
  }
  const int64_t rows = side * ranks::size(), elements = rows * side;
  const Random key(7);
  Array<2, float> plate = uniform<float>(key, Shape<2>(rows, side)) + 1.0f;
  Array<1, float> line = uniform<float>(key.split(1), Shape<1>(elements));
  evaluate(plate, line);
  time("heat", 20, [&] { heat(plate); });
  time("sum", 500, [&] { static_cast<void>(sum(abs(line) * 2.0f).to_vector()); });
  time("sort", 20, [&] { sort(line).evaluate(); });
  print_costs(side);
}
