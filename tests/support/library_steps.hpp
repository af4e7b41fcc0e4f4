// Steps of a recipe that are functions of the library: each builds several nodes, and the recipe
// takes one of the results. Also steps with captured programs and memory of the caller.
#pragma once
#include "support/graph_recipe.hpp"

namespace tutti::test {

// Functions along one axis, and of matrices in the last two axes. Step::numbers holds the function,
// then its arguments in the order of the comments; `axis` is the axis.
enum class Library : uint8_t {
  scan,         // exclusive; reduction
  sort,         // descending
  arg_sort,     // descending
  extreme,      // 0: coordinate, 1: element; reduction
  top,          // count, descending, 0: elements, 1: coordinates
  take,         // inputs: array, indices
  mean,         //
  variance,     // correction
  norm,         // fill: the order
  quantile,     // fill: the fraction
  differences,  // times
  histogram,    // bins
  triangle,     // diagonal, upper
  diagonal,     // which
  matmul,       // inputs: two stacks of matrices
  fft,          // inputs: real, imaginary part; inverse, 0: real part, 1: imaginary part
  real_fft,     // 0: real part, 1: imaginary part
  inverse_fft,  // inputs: real, imaginary part; n
  position,     // of the extreme element; reduction
  complex,      // inputs: real, imaginary part; ComplexFunction, 0: real part, 1: imaginary part
  quotient,     // of complex numbers; inputs: real, imaginary part; 0: real part, 1: imaginary part
  matrix,       // inputs: matrices[, right sides]; Decomposition
  last = matrix
};

// What is kept of the decomposition of matrices.
enum class Decomposition : uint8_t {
  cholesky,
  lu,
  permutation,
  solve,
  determinant,
  triangle,         // of QR
  singular_values,  // takes long for more than a few rows, as the next one
  eigenvalues,
  last = eigenvalues
};

NodeRef library_step(const Step& step, const std::vector<NodeRef>& inputs);

// A vector read where it is: the strides follow from Step::axis (one of `view_layouts`).
constexpr int view_layouts = 6;
NodeRef view_step(const Step& step);

// User-defined operators that no reduction is named after, and programs with control flow.
constexpr int user_operators = 3;
detail::ProgramHandle user_operator(ElementType type, int which);
constexpr int element_programs = 5;
NodeRef program_step(const Step& step, const std::vector<NodeRef>& inputs);

// A program that writes its elements at computed places of a vector.
NodeRef deposit_step(const Step& step, const std::vector<NodeRef>& inputs);

}  // namespace tutti::test
