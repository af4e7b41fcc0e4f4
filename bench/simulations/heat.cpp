// Time steps of stencils: the heat equation in three dimensions, waves in two, and the temperature
// of a chip (thin layers, and a stack of them). The baselines step from one array to another.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int steps = 8;

template <int D>
Array<D, float> moved(const Array<D, float>& a, int axis, int by,
                      const Boundary& boundary = Boundary::clamp()) {
  Shape<D> to;
  to[axis] = by;
  return shift(a, to, boundary);
}

// Steps between two buffers; gives the one that holds the last state.
template <class Step>
void run_steps(const Buffer<>& start, const Buffer<>& result, const Buffer<>& other,
               const Step& step) {
  const float* from = start.data();
  for (int i = 0; i < steps; ++i) {
    float* to = (steps - i) % 2 ? result.data() : other.data();
    step(from, to);
    from = to;
  }
}

// ---- heat in three dimensions, zero outside

Array<3, float> heat(Array<3, float> x) {
  for (int i = 0; i < steps; ++i) {
    Array<3, float> flow = -6.0f * x;
    for (int axis = 0; axis < 3; ++axis)
      for (int by : {1, -1}) flow += moved(x, axis, by, Boundary::constant(0.0f));
    x = x + 0.1f * flow;
  }
  return x;
}

// A row of a block whose neighbours are given; `none` where they are outside.
void heat_row(const float* at, const float* up, const float* down, const float* front,
              const float* back, float* __restrict out, int count) {
  const auto one = [&](int x, float left, float right) {
    out[x] = at[x] + 0.1f * (-6 * at[x] + up[x] + down[x] + front[x] + back[x] + left + right);
  };
  one(0, 0, at[1]);
  for (int x = 1; x < count - 1; ++x) one(x, at[x - 1], at[x + 1]);
  one(count - 1, at[count - 2], 0);
}

Workload prepare_heat(int side) {
  const size_t row = static_cast<size_t>(side), count = row * row * row;
  const Buffer<> start = random_numbers(count, 0, 1), result(count), other(count), none(row);
  const Array<3, float> state = in_memory(start, side, side, side);
  const auto step = [=](const float* from, float* to) {
    parallel_rows(
        side * side,
        [=](int first, int last) {
          for (int r = first; r < last; ++r) {
            const int z = r / side, y = r % side;
            const float* at = from + static_cast<size_t>(r) * row;
            const auto near = [&](bool inside, int64_t distance) {
              return inside ? at + distance * static_cast<int64_t>(row) : none.data();
            };
            heat_row(at, near(y > 0, -1), near(y + 1 < side, 1), near(z > 0, -side),
                     near(z + 1 < side, side), to + static_cast<size_t>(r) * row, side);
          }
        },
        64);
  };
  return workload([=] { return heat(state); }, [=] { run_steps(start, result, other, step); },
                  result, 8.0 * static_cast<double>(count) * steps, {start});
}

// ---- waves in two dimensions: two states, no movement at the border

Array<2, float> wave(Array<2, float> before, Array<2, float> now) {
  for (int i = 0; i < steps; ++i) {
    Array<2, float> bend = -4.0f * now;
    for (int axis = 0; axis < 2; ++axis)
      for (int by : {1, -1}) bend += moved(now, axis, by, Boundary::constant(0.0f));
    const Array<2, float> next = 2.0f * now - before + 0.2f * bend;
    before = now;
    now = next;
  }
  return now;
}

Workload prepare_wave(int side) {
  const size_t row = static_cast<size_t>(side), count = row * row;
  const Buffer<> start = random_numbers(count, 0, 1), result(count), a(count), b(count), none(row);
  const Array<2, float> state = in_memory(start, side, side);
  const auto step = [=](const float* before, const float* now, float* next) {
    parallel_rows(side, [=](int first, int last) {
      for (int y = first; y < last; ++y) {
        const float *at = now + static_cast<size_t>(y) * row,
                    *old = before + static_cast<size_t>(y) * row;
        const float* up = y > 0 ? at - row : none.data();
        const float* down = y + 1 < side ? at + row : none.data();
        float* to = next + static_cast<size_t>(y) * row;
        const auto one = [&](int x, float left, float right) {
          to[x] = 2 * at[x] - old[x] + 0.2f * (-4 * at[x] + up[x] + down[x] + left + right);
        };
        one(0, 0, at[1]);
#pragma omp simd  // the state before may be the one that is written
        for (int x = 1; x < side - 1; ++x) one(x, at[x - 1], at[x + 1]);
        one(side - 1, at[side - 2], 0);
      }
    });
  };
  return workload([=] { return wave(state, state); },
                  [=] {
                    std::copy(start.begin(), start.end(), a.begin());
                    std::copy(start.begin(), start.end(), b.begin());
                    float *before = a.data(), *now = b.data();
                    for (int i = 0; i < steps; ++i) {
                      step(before, now, before);
                      std::swap(before, now);
                    }
                    std::copy(now, now + count, result.data());
                  },
                  result, 12.0 * static_cast<double>(count) * steps, {start});
}

// ---- the temperature of a chip

Array<2, float> hotspot(Array<2, float> t, const Array<2, float>& power) {
  for (int i = 0; i < steps; ++i) {
    const auto down = moved(t, 0, 1) + moved(t, 0, -1) - 2.0f * t;
    const auto across = moved(t, 1, 1) + moved(t, 1, -1) - 2.0f * t;
    t = t + 0.3f * (power + 0.4f * down + 0.5f * across + 0.1f * (80.0f - t));
  }
  return t;
}

Workload prepare_hotspot(int side) {
  const size_t row = static_cast<size_t>(side), count = row * row;
  const Buffer<> start = random_numbers(count, 60, 90), heat = random_numbers(count, 0, 1, 2);
  const Buffer<> result(count), other(count);
  const Array<2, float> state = in_memory(start, side, side), power = in_memory(heat, side, side);
  const auto step = [=](const float* from, float* to_all) {
    parallel_rows(side, [=](int first, int last) {
      for (int y = first; y < last; ++y) {
        const float *at = clamped_row(from, y, side, side),
                    *up = clamped_row(from, y - 1, side, side);
        const float *down = clamped_row(from, y + 1, side, side),
                    *p = clamped_row(heat.data(), y, side, side);
        float* to = clamped_row(to_all, y, side, side);
        const auto one = [&](int x, float left, float right) {
          to[x] = at[x] + 0.3f * (p[x] + 0.4f * (up[x] + down[x] - 2 * at[x]) +
                                  0.5f * (left + right - 2 * at[x]) + 0.1f * (80 - at[x]));
        };
        one(0, at[0], at[1]);
#pragma omp simd
        for (int x = 1; x < side - 1; ++x) one(x, at[x - 1], at[x + 1]);
        one(side - 1, at[side - 2], at[side - 1]);
      }
    });
  };
  return workload([=] { return hotspot(state, power); },
                  [=] { run_steps(start, result, other, step); }, result,
                  12.0 * static_cast<double>(count) * steps, {start, heat});
}

// ---- the temperature of a stack of eight layers

constexpr int layers = 8;

Array<3, float> hotspot3d(Array<3, float> t, const Array<3, float>& power) {
  for (int i = 0; i < steps; ++i) {
    Array<3, float> next = 0.4f * t + 0.05f * power + 0.01f * 80.0f;
    for (int axis = 0; axis < 3; ++axis)
      next += 0.1f * moved(t, axis, 1) + 0.09f * moved(t, axis, -1);
    t = next;
  }
  return t;
}

Workload prepare_hotspot3d(int side) {
  const size_t row = static_cast<size_t>(side), count = row * row * layers;
  const Buffer<> start = random_numbers(count, 60, 90), heat = random_numbers(count, 0, 1, 2);
  const Buffer<> result(count), other(count);
  const Array<3, float> state = in_memory(start, layers, side, side);
  const Array<3, float> power = in_memory(heat, layers, side, side);
  const auto step = [=](const float* from, float* to_all) {
    parallel_rows(layers * side, [=](int first, int last) {
      for (int r = first; r < last; ++r) {
        const int z = r / side, y = r % side;
        const auto line = [&](int zz, int yy) {
          const int near = std::clamp(zz, 0, layers - 1) * side + std::clamp(yy, 0, side - 1);
          return static_cast<size_t>(near) * row;
        };
        const float *at = from + line(z, y), *p = heat.data() + line(z, y);
        const float *below = from + line(z - 1, y), *above = from + line(z + 1, y);
        const float *up = from + line(z, y - 1), *down = from + line(z, y + 1);
        float* to = to_all + line(z, y);
        const auto one = [&](int x, float left, float right) {
          to[x] = 0.4f * at[x] + 0.05f * p[x] + 0.01f * 80.0f +
                  (0.1f * below[x] + 0.09f * above[x]) + (0.1f * up[x] + 0.09f * down[x]) +
                  (0.1f * left + 0.09f * right);
        };
        one(0, at[0], at[1]);
#pragma omp simd
        for (int x = 1; x < side - 1; ++x) one(x, at[x - 1], at[x + 1]);
        one(side - 1, at[side - 2], at[side - 1]);
      }
    });
  };
  return workload([=] { return hotspot3d(state, power); },
                  [=] { run_steps(start, result, other, step); }, result,
                  12.0 * static_cast<double>(count) * steps, {start, heat});
}

std::vector<Size> cube_sizes(Workload (*prepare)(int side)) {
  return {{"64^3", true, [=] { return prepare(64); }},
          {"256^3", false, [=] { return prepare(256); }}};
}

}  // namespace

Comparison heat3d_benchmark() {
  return {.name = "heat3d",
          .description = "eight steps of the heat equation in three dimensions",
          .sizes = cube_sizes(prepare_heat)};
}
Comparison wave2d_benchmark() {
  return {.name = "wave2d",
          .description = "eight steps of the wave equation in two dimensions",
          .sizes = square_sizes(1024, prepare_wave),
          .tolerance = 1e-5,
          .reason = "the baseline contracts products and sums"};
}
Comparison hotspot_benchmark() {
  return {.name = "hotspot",
          .description = "eight steps of the temperature of a chip (Rodinia)",
          .sizes = square_sizes(1024, prepare_hotspot)};
}
Comparison hotspot3d_benchmark() {
  return {.name = "hotspot3d",
          .description = "eight steps of the temperature of eight layers (Rodinia)",
          .sizes = {{"8x256^2", true, [] { return prepare_hotspot3d(256); }},
                    {"8x1024^2", false, [] { return prepare_hotspot3d(1024); }}}};
}

}  // namespace tutti::bench
