// Measures the benefit of planning time steps together. Prints the time of a step for several
// numbers of steps, on a line, an image, a volume and a board of the Game of Life. Prints a table
// as CSV.
//   time_steps [elements]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tutti/tutti.hpp"

namespace {

using namespace tutti;

constexpr int steps = 24;
constexpr int choices[] = {1, 2, 3, 4, 6, 8, 0};  // steps together; 0: as many as pays

template <int D>
Array<D, float> heat(const Array<D, float>& x) {
  Array<D, float> flow = -2.0f * D * x;
  for (int axis = 0; axis < D; ++axis)
    for (int by : {-1, 1}) {
      Shape<D> to;
      to[axis] = by;
      flow += shift(x, to);
    }
  return x + 0.05f * flow;
}

Array<2, float> life(const Array<2, float>& board) {
  const auto rows = rotate(board, {1, 0}) + board + rotate(board, {-1, 0});
  const auto neighbours = rotate(rows, {0, 1}) + rows + rotate(rows, {0, -1}) - board;
  return cond(neighbours == 3.0f || (neighbours == 2.0f && board == 1.0f), 1.0f, 0.0f);
}

template <class F>
double best_seconds(const F& run) {
  using Clock = std::chrono::steady_clock;
  run();
  double best = 1e30;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto start = Clock::now();
    run();
    synchronize();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

template <int D, class Step>
void measure(const char* name, int64_t side, const Step& step) {
  Shape<D> shape;
  for (int axis = 0; axis < D; ++axis) shape[axis] = side;
  const Array<D, float> start = cast<float>(index<D>(shape, D - 1) % 7 == 0);
  start.evaluate();
  std::printf("%s,%lld", name, static_cast<long long>(side));
  for (int together : choices) {
    const auto run = [&] { time_steps(start, steps, step, {.together = together}).evaluate(); };
    std::printf(",%.4f", best_seconds(run) / steps * 1e3);
    std::fflush(stdout);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int64_t elements = argc > 1 ? std::atoll(argv[1]) : int64_t{1} << 24;
    if (elements < 1000) throw std::runtime_error("at least a thousand elements");
    const auto side = [&](int rank) {
      return static_cast<int64_t>(std::lround(std::pow(static_cast<double>(elements), 1.0 / rank)));
    };
    std::printf("# %s: milliseconds a step\nsteps,side", device().description.c_str());
    for (int together : choices) std::printf(together ? ",%d together" : ",default", together);
    std::printf("\n");
    measure<1>("heat 1-D", side(1), heat<1>);
    measure<2>("heat 2-D", side(2), heat<2>);
    measure<3>("heat 3-D", side(3), heat<3>);
    measure<2>("life", side(2), life);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "time_steps: %s\n", error.what());
    return 2;
  }
}
