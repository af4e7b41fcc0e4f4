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
#include <vector>

using namespace tutti;

namespace {

constexpr int rounds = 7;

// The median over some rounds after the first two; all ranks begin together.
void time(const char* name, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds + 2; ++i) {
    ranks::barrier();
    const auto start = std::chrono::steady_clock::now();
    work();
    synchronize();
    ranks::barrier();
    if (i >= 2)
      times.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count());
  }
  std::ranges::sort(times);
  if (ranks::rank() == 0) std::printf("%-10s %10.3f\n", name, times[times.size() / 2]);
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

// What docs/scaling.md computes with: the least time of a small gather and of a large message, over
// many, since other processes may have the cores in between.
void print_costs(int64_t side) {
  const auto least = [](int times, const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < times; ++i) {
      const auto start = std::chrono::steady_clock::now();
      work();
      best = std::min(
          best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count());
    }
    return best;
  };
  if (ranks::size() == 1) return;
  const double gather = least(2000, [] { ranks::barrier(); });
  Array<2, float> square =
      uniform<float>(Random(3), Shape<2>(side * ranks::size(), side * ranks::size()));
  square = ranks::distribute(square, 0);
  const int64_t before = ranks::traffic().bytes;
  const double turn = least(10, [&] { ranks::distribute(square, 1); });
  const double megabytes = static_cast<double>(ranks::traffic().bytes - before) / 10 / 1e6;
  if (ranks::rank() == 0)
    std::printf("%-10s %10.4f ms\n%-10s %10.1f MB/s and rank\n", "gather", gather, "redistribute",
                megabytes / turn * 1e3);
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
  time("heat", [&] { heat(plate); });
  time("sum", [&] { static_cast<void>(sum(abs(line) * 2.0f).to_vector()); });
  time("sort", [&] { sort(line).evaluate(); });
  print_costs(side);
}
