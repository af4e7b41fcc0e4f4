// The tables of a Fourier transform of one length: roots of unity, computed once and kept.
#pragma once
#include <memory>
#include <vector>

#include "tutti/fft.hpp"

namespace tutti::detail {

// One step, which combines `radix` parts of the remaining length. The remaining transforms have the
// length `rest`, and `done` is the product of the radices before.
struct FftStep {
  int64_t radix = 1, rest = 1, done = 1;
  // Whether the step stores the elements of one remaining transform contiguously; the last steps
  // store those of equal position contiguously. So the innermost axis is always the longer one.
  bool by_transform = false;
  ComplexNodes twiddles;            // for each output and position; none in the last step
  std::vector<ComplexNodes> roots;  // by output, for each input but the first; half of odd ones
};

struct FftTables {
  int64_t length = 0;
  std::vector<FftStep> steps;
  // Bluestein's algorithm: the length of the convolution, the chirp, and the transform of its
  // conjugate. 0: not needed.
  int64_t convolved = 0;
  ComplexNodes chirp, filter;
  // For transforms of real numbers only: exp(-2 pi i k / length) for k <= length / 2.
  ComplexNodes half_circle;
};

// Return the tables for transforms of this length, of float or double.
std::shared_ptr<const FftTables> fft_tables(int64_t length, ElementType type);
std::shared_ptr<const FftTables> half_circle(int64_t length, ElementType type);

}  // namespace tutti::detail
