// Fluids: the lattice Boltzmann method in two dimensions, and fluxes through the faces of an
// unstructured mesh (Rodinia's cfd).
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

// ---- lattice Boltzmann: nine densities a cell, periodic

constexpr int steps = 4;
constexpr int to_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, to_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr float share[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                            1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
using Field = Array<2, float>;
using Cells = std::array<Field, 9>;

Cells step(const Cells& f) {
  Cells moved;
  for (size_t k = 0; k < 9; ++k) moved[k] = rotate(f[k], {to_y[k], to_x[k]});
  Field density = moved[0], uy(density.shape(), 0.0f), ux = uy;
  for (size_t k = 1; k < 9; ++k) {
    density += moved[k];
    if (to_y[k]) uy = to_y[k] > 0 ? uy + moved[k] : uy - moved[k];
    if (to_x[k]) ux = to_x[k] > 0 ? ux + moved[k] : ux - moved[k];
  }
  uy = uy / density, ux = ux / density;
  const Field square = 1.0f - 1.5f * (uy * uy + ux * ux);
  Cells next;
  for (size_t k = 0; k < 9; ++k) {
    const Field along = float(3 * to_y[k]) * uy + float(3 * to_x[k]) * ux;
    const Field still = share[k] * density * (square + along + 0.5f * along * along);
    next[k] = moved[k] + 0.6f * (still - moved[k]);
  }
  return next;
}

void step_row(const float* const* from, float* const* to, int columns) {
#pragma omp simd
  for (int x = 0; x < columns; ++x) {
    float f[9], density = 0, uy = 0, ux = 0;
    for (int k = 0; k < 9; ++k) {
      f[k] = from[k][x];
      density += f[k];
      uy += static_cast<float>(to_y[k]) * f[k];
      ux += static_cast<float>(to_x[k]) * f[k];
    }
    uy /= density, ux /= density;
    const float square = 1 - 1.5f * (uy * uy + ux * ux);
    for (int k = 0; k < 9; ++k) {
      const float along =
          static_cast<float>(3 * to_y[k]) * uy + static_cast<float>(3 * to_x[k]) * ux;
      const float still = share[k] * density * (square + along + 0.5f * along * along);
      to[k][x] = f[k] + 0.6f * (still - f[k]);
    }
  }
}

// The planes of `from` have a margin of one column on either side, which is filled here.
void lattice_step(float* from, float* to, int rows, int columns) {
  const int pitch = columns + 32;
  const size_t plane = static_cast<size_t>(rows) * static_cast<size_t>(pitch);
  const auto row = [=](float* planes, int k, int y) {
    return planes + static_cast<size_t>(k) * plane +
           static_cast<size_t>((y + rows) % rows) * static_cast<size_t>(pitch) + 16;
  };
  parallel_rows(rows, [=](int first, int last) {
    for (int y = first; y < last; ++y)
      for (int k = 0; k < 9; ++k) {
        float* line = row(from, k, y);
        line[-1] = line[columns - 1], line[columns] = line[0];
      }
  });
  parallel_rows(rows, [=](int first, int last) {
    for (int y = first; y < last; ++y) {
      const float* in[9];
      float* out[9];
      for (int k = 0; k < 9; ++k)
        in[k] = row(from, k, y - to_y[k]) - to_x[k], out[k] = row(to, k, y);
      step_row(in, out, columns);
    }
  });
}

Workload prepare_lattice(int rows, int columns) {
  const size_t plane = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  const Buffer<> start = random_numbers(9 * plane, 0.5f, 1), result(9 * plane);
  Cells cells;
  for (size_t k = 0; k < 9; ++k) {
    cells[k] = Field(start.data() + k * plane, Shape<2>(rows, columns));
    cells[k].evaluate();
  }
  const auto run = [=] {
    Cells now = cells;
    for (int i = 0; i < steps; ++i) now = step(now);
    return now;
  };
  const size_t wide = static_cast<size_t>(rows) * static_cast<size_t>(columns + 32);
  const Buffer<> a(9 * wide), b(9 * wide);
  const auto copy = [=](bool in) {
    for (size_t r = 0; r < 9 * static_cast<size_t>(rows); ++r) {
      float* line = a.data() + r * static_cast<size_t>(columns + 32) + 16;
      const size_t own = r * static_cast<size_t>(columns);
      if (in)
        std::copy_n(start.data() + own, columns, line);
      else
        std::copy_n(line, columns, result.data() + own);
    }
  };
  copy(true);
  return {.tutti =
              [=] {
                const Cells c = run();
                evaluate(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]);
              },
          .baseline =
              [=] {
                for (int i = 0; i < steps; i += 2) {
                  lattice_step(a.data(), b.data(), rows, columns);
                  lattice_step(b.data(), a.data(), rows, columns);
                }
              },
          .disagreement =
              [=] {
                copy(true);
                for (int i = 0; i < steps; i += 2) {
                  lattice_step(a.data(), b.data(), rows, columns);
                  lattice_step(b.data(), a.data(), rows, columns);
                }
                copy(false);
                const Cells c = run();
                return disagreement(result, stack(std::vector<Field>(c.begin(), c.end())));
              },
          .bytes = 72.0 * static_cast<double>(plane) * steps,
          .inputs = {start},
          .outputs = {result}};
}

// ---- fluxes of a mesh of cells with four faces each

constexpr int faces = 4, variables = 4;

Workload prepare_mesh(int cells) {
  const auto count = static_cast<size_t>(cells);
  Buffer<int> neighbour(faces * count);
  const Buffer<> normal = random_numbers(2 * faces * count, -1, 1, 5);
  // Neighbours are near, as they are in a mesh whose cells are in a good order.
  const Buffer<> distance = random_numbers(faces * count, -500, 500, 6);
  for (size_t i = 0; i < faces * count; ++i)
    neighbour[i] =
        std::clamp(static_cast<int>(i % count) + static_cast<int>(distance[i]), 0, cells - 1);
  const Buffer<> state = random_numbers(variables * count, 1, 2, 7), result(variables * count);
  const Array<2, float> u = in_memory(state, variables, cells),
                        n = in_memory(normal, 2 * faces, cells);
  const Array<2, int> next = in_memory(neighbour, faces, cells);
  const auto fluxes = [=] {
    using Line = Array<1, float>;
    Line total[variables];
    const auto pressure = [](const Line& d, const Line& x, const Line& y, const Line& e) {
      return 0.4f * (e - 0.5f * (x * x + y * y) / d);
    };
    const Line own[variables] = {u[0], u[1], u[2], u[3]};
    const Line own_p = pressure(own[0], own[1], own[2], own[3]);
    for (int f = 0; f < faces; ++f) {
      const Array<1, int> from = next[f];
      Line other[variables];
      for (int v = 0; v < variables; ++v) other[v] = gather(own[v], from);
      const Line p = pressure(other[0], other[1], other[2], other[3]);
      const Line nx = n[2 * f], ny = n[2 * f + 1];
      const Line speed = 0.5f * (nx * (own[1] / own[0] + other[1] / other[0]) +
                                 ny * (own[2] / own[0] + other[2] / other[0]));
      for (int v = 0; v < variables; ++v) {
        Line flux = speed * (own[v] + other[v]);
        if (v == 1) flux = flux + nx * (own_p + p);
        if (v == 2) flux = flux + ny * (own_p + p);
        total[v] = f ? Line(total[v] + flux) : flux;
      }
    }
    return stack(std::vector<Line>(total, total + variables));
  };
  const auto cell = [=](int i, float* sums) {
    const auto at = [&](int v, int c) {
      return state[static_cast<size_t>(v) * count + static_cast<size_t>(c)];
    };
    const auto pressure = [&](int c) {
      return 0.4f * (at(3, c) - 0.5f * (at(1, c) * at(1, c) + at(2, c) * at(2, c)) / at(0, c));
    };
    for (int f = 0; f < faces; ++f) {
      const size_t face = static_cast<size_t>(f) * count + static_cast<size_t>(i);
      const int c = neighbour[face];
      const float nx = normal[static_cast<size_t>(2 * f) * count + static_cast<size_t>(i)];
      const float ny = normal[static_cast<size_t>(2 * f + 1) * count + static_cast<size_t>(i)];
      const float speed = 0.5f * (nx * (at(1, i) / at(0, i) + at(1, c) / at(0, c)) +
                                  ny * (at(2, i) / at(0, i) + at(2, c) / at(0, c)));
      const float both = pressure(i) + pressure(c);
      for (int v = 0; v < variables; ++v) sums[v] += speed * (at(v, i) + at(v, c));
      sums[1] += nx * both;
      sums[2] += ny * both;
    }
  };
  return workload(fluxes,
                  [=] {
                    parallel_rows(
                        cells,
                        [&](int first, int last) {
#pragma omp simd
                          for (int i = first; i < last; ++i) {
                            float sums[variables] = {};
                            cell(i, sums);
                            for (size_t v = 0; v < variables; ++v)
                              result[v * count + static_cast<size_t>(i)] = sums[v];
                          }
                        },
                        1024);
                  },
                  result, 80.0 * cells, {state, normal, neighbour});
}

}  // namespace

Comparison lattice_boltzmann_benchmark() {
  return {.name = "lattice_boltzmann",
          .description = "four steps of the lattice Boltzmann method, nine densities",
          .sizes = {{"512x1024", true, [] { return prepare_lattice(512, 1024); }},
                    {"1000x3000", false, [] { return prepare_lattice(1000, 3000); }}},
          .tolerance = 1e-5,
          .reason = "the baseline contracts products and sums"};
}
Comparison mesh_fluxes_benchmark() {
  return {.name = "mesh_fluxes",
          .description = "fluxes through the faces of a mesh (Rodinia's cfd)",
          .sizes = {{"10^5", true, [] { return prepare_mesh(100'000); }},
                    {"10^6", false, [] { return prepare_mesh(1'000'000); }}},
          .tolerance = 1e-4,
          .reason = "the baseline contracts products and sums"};
}

}  // namespace tutti::bench
