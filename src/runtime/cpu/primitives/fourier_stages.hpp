// One stage of Fourier transforms (numerics/fourier.hpp) over many elements, and transposition, for
// elements whose real and imaginary parts are in arrays of their own. Compiled for several
// generations of vector units; all yield the same bits.
#pragma once
#include <cstdint>

namespace tutti::runtime {

template <class T>
struct ComplexIn {
  const T *re = nullptr, *im = nullptr;
  ComplexIn at(int64_t i) const { return {re + i, im + i}; }
};
template <class T>
struct ComplexOut {
  T *re = nullptr, *im = nullptr;
  ComplexOut at(int64_t i) const { return {re + i, im + i}; }
  operator ComplexIn<T>() const { return {re, im}; }
};

// Where the factors of the outputs are: nowhere, one for each element, or one for a whole run. The
// last stage of a scaled transform has one factor for all, a real number.
enum class Factors : uint8_t { none, of_elements, of_runs, scale };

// A loop around the runs of a stage: how far each round moves.
struct StageLoop {
  int64_t count = 1, in = 0, out = 0, factors = 0;
};

template <class T>
struct StageRun {
  StageRun(int64_t r, Factors k, const ComplexIn<T>& from, const ComplexOut<T>& to)
      : radix(r), kind(k), in(from), out(to) {}

  int64_t radix = 1;
  Factors kind = Factors::none;
  ComplexIn<T> in;
  ComplexOut<T> out;
  ComplexIn<T> factors;
  int64_t in_step = 0, out_step = 0;  // between the inputs of a butterfly, and its outputs
  int64_t factor_step = 1;            // between the factors of outputs
  T scale{};
  int64_t count = 0;  // neighbouring butterflies: a run
  StageLoop outer, middle;
};

void run_stage(const StageRun<float>& run);
void run_stage(const StageRun<double>& run);

// Stores element (row, column) of `in` at (column, row) of `out`. Pitches are distances of rows.
void transpose_rows(const float* in, int64_t in_pitch, float* out, int64_t out_pitch, int64_t rows,
                    int64_t columns);
void transpose_rows(const double* in, int64_t in_pitch, double* out, int64_t out_pitch,
                    int64_t rows, int64_t columns);

}  // namespace tutti::runtime
