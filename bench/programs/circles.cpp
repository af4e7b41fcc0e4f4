// Circles of one size in an image of edges: a convolution with a large mask that is mostly zero.
#include "applications/circles.hpp"

#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"

namespace tutti::bench {
namespace {

constexpr float circle_size = 12;

struct Tap {
  int row, column;
};

std::vector<Tap> circle_taps() {
  std::vector<Tap> taps;
  const int reach = static_cast<int>(circle_size) + 2;
  for (int r = -reach; r <= reach; ++r)
    for (int c = -reach; c <= reach; ++c)
      if (std::abs(std::hypot(r, c) - circle_size) < 0.5) taps.push_back({r, c});
  return taps;
}

// Computes a row, one stencil offset after the other. Offsets beyond the sides are left out.
void respond(const float* image, float* out, int side, int row, const std::vector<Tap>& taps) {
  float* result = out + static_cast<size_t>(row) * side;
  std::fill(result, result + side, 0.0f);
  for (const Tap& tap : taps) {
    const int y = row + tap.row;
    if (y < 0 || y >= side) continue;
    const float* from = image + static_cast<size_t>(y) * side + tap.column;
    const int first = std::max(0, -tap.column), last = std::min(side, side - tap.column);
    for (int x = first; x < last; ++x) result[x] += from[x];
  }
}

Workload prepare(int side) {
  const Buffer<> strength = grey_image(side, side), response(strength.size());
  Array<2, float> image(strength.data(), Shape<2>(side, side));
  image.boundary(Boundary::constant(0.0f));
  const Program program = applications::CircleMask(circle_size).response(image);
  const auto tutti_side = [=]() -> Array<2, float> { return program(grid(side, side)); };
  const std::vector<Tap> taps = circle_taps();
  const Buffer<Tap> tap_list(taps.size());
  std::copy(taps.begin(), taps.end(), tap_list.begin());
  return {
      .tutti = [=] { tutti_side().evaluate(); },
      .baseline =
          [=] {
            parallel_rows(
                side,
                [&](int first, int last) {
                  for (int row = first; row < last; ++row)
                    respond(strength.data(), response.data(), side, row, taps);
                },
                4);
          },
      .disagreement = [=] { return disagreement(response, tutti_side()); },
      .inputs = {strength, tap_list},
      .outputs = {response},
  };
}

}  // namespace

Comparison circles_benchmark() {
  return {.name = "circles",
          .description = "a convolution with a circle: 68 of 841 taps are not zero",
          .sizes = square_sizes(512, prepare),
          .gpu_sizes = {square_size(4096, prepare)}};
}

}  // namespace tutti::bench
