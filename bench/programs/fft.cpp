// A fast Fourier transform of the rows of an image. The baseline works through one row after the
// other in the cache, with a table of the roots of unity.
#include "applications/fft.hpp"

#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"

namespace tutti::bench {
namespace {

struct Roots {
  std::vector<float> real, imaginary;  // of unity, half of them
};

Roots roots_of(int n) {
  Roots roots;
  for (int k = 0; k < n / 2; ++k) {
    const double angle = -2 * std::numbers::pi * k / n;
    roots.real.push_back(static_cast<float>(std::cos(angle)));
    roots.imaginary.push_back(static_cast<float>(std::sin(angle)));
  }
  return roots;
}

struct Row {
  float *real, *imaginary;
};

// Stockham's order: a stage combines halves of sequences of `length` into whole ones.
void stage(Row in, Row out, int n, int length, const Roots& roots) {
  const int sequences = n / 2 / length;
  for (int s = 0; s < sequences; ++s)
    for (int k = 0; k < length; ++k) {
      const float wr = roots.real[static_cast<size_t>(k * sequences)],
                  wi = roots.imaginary[static_cast<size_t>(k * sequences)];
      const int a = s * length + k, b = a + n / 2, to = 2 * s * length + k;
      const float r = wr * in.real[b] - wi * in.imaginary[b],
                  i = wr * in.imaginary[b] + wi * in.real[b];
      out.real[to] = in.real[a] + r, out.imaginary[to] = in.imaginary[a] + i;
      out.real[to + length] = in.real[a] - r, out.imaginary[to + length] = in.imaginary[a] - i;
    }
}

void transform(Row in, Row out, int n, const Roots& roots, std::vector<float>& scratch) {
  scratch.resize(static_cast<size_t>(4 * n));
  Row from = in, to{scratch.data(), scratch.data() + n},
      other{scratch.data() + 2 * n, scratch.data() + 3 * n};
  for (int length = 1; length < n; length *= 2) {
    if (2 * length == n) to = out;
    stage(from, to, n, length, roots);
    from = to;
    std::swap(to, other);
  }
}

Workload prepare(int side) {
  const auto n = static_cast<size_t>(side) * side;
  const Buffer<> real = random_numbers(n, -1, 1, 1), imaginary = random_numbers(n, -1, 1, 2);
  const Buffer<> out_real(n), out_imaginary(n);
  const Shape<2> shape(side, side);
  const Array<2, Value2f> image =
      join(Array<2, float>(real.data(), shape), Array<2, float>(imaginary.data(), shape));
  const auto roots = std::make_shared<Roots>(roots_of(side));
  const auto transformed = std::make_shared<applications::RowTransform>(side);
  const auto tutti_side = [=] { return (*transformed)(image); };
  const auto rows = [=](int first, int last) {
    std::vector<float> scratch;
    for (int row = first; row < last; ++row) {
      const auto at = static_cast<size_t>(row) * side;
      transform({real.data() + at, imaginary.data() + at},
                {out_real.data() + at, out_imaginary.data() + at}, side, *roots, scratch);
    }
  };
  return {
      .tutti = [=] { tutti_side().evaluate(); },
      .baseline = [=] { parallel_rows(side, rows, 4); },
      .disagreement =
          [=] {
            const Array<2, Value2f> got = tutti_side();
            return std::max(disagreement(out_real, got.component(0)),
                            disagreement(out_imaginary, got.component(1)));
          },
      .inputs = {real, imaginary},
      .outputs = {out_real, out_imaginary},
  };
}

}  // namespace

Comparison fft_benchmark() {
  return {.name = "fft",
          .description = "a fast Fourier transform of each row",
          .sizes = square_sizes(256, prepare),
          .gpu_sizes = {square_size(2048, prepare)},
          .tolerance = 1e-5,
          .reason = "stages add up in another order"};
}

}  // namespace tutti::bench
