// How a CPU computes Fourier transforms of one length: its stages in two phases, with their tables.
//
// A line of n elements is a matrix of `rows` * `columns` elements. The first phase transforms its
// columns; the factors of its stages differ from column to column. Then the matrix is transposed.
// The second phase transforms the columns of the result; all have the same factors. So both phases
// compute many neighbouring columns with the same instructions, in the vector lanes.
#pragma once
#include <memory>
#include <vector>

#include "runtime/cpu/primitives/fourier_stages.hpp"

namespace tutti::runtime {

template <class T>
struct FourierStage {
  int64_t radix = 1, rest = 1, done = 1;  // rest and done count rows of the phase
  std::vector<T> re, im;  // first phase: [output - 1][row, column]; second: [row][output - 1]
  ComplexIn<T> factors() const { return {re.data(), im.data()}; }
};

template <class T>
struct FourierPlan {
  int64_t length = 1, rows = 1, columns = 1;  // rows of the first phase; 1: there is none
  std::vector<FourierStage<T>> first, second;
};

// Returns the plan of a length that has stages; with one phase only, or with two if possible. Plans
// that were used last are kept.
template <class T>
std::shared_ptr<const FourierPlan<T>> fourier_plan(int64_t length, bool two_phases);

}  // namespace tutti::runtime
