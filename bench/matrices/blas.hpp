// The functions of OpenBLAS that serve as baselines, loaded at run time. Nothing is needed to
// build; a benchmark that finds no OpenBLAS says so.
#pragma once
#include <cstddef>
#include <string>

namespace tutti::bench {

struct Blas {
  float (*sasum)(int count, const float* x, int stride);
  void (*sgemv)(int order, int transpose, int rows, int columns, float alpha, const float* a,
                int a_stride, const float* x, int x_stride, float beta, float* y, int y_stride);
  void (*sgemm)(int order, int transpose_a, int transpose_b, int rows, int columns, int inner,
                float alpha, const float* a, int a_stride, const float* b, int b_stride, float beta,
                float* c, int c_stride);
  // LAPACK, by columns; texts are followed by their lengths.
  void (*sgesv)(const int* rows, const int* columns, float* a, const int* a_stride, int* pivots,
                float* b, const int* b_stride, int* info);
  void (*ssyevd)(const char* job, const char* triangle, const int* rows, float* a,
                 const int* a_stride, float* values, float* work, const int* work_size,
                 int* integers, const int* integers_size, int* info, size_t, size_t);

  static constexpr int row_major = 101;     // CblasRowMajor
  static constexpr int no_transpose = 111;  // CblasNoTrans
};

const Blas& blas();                 // throws if there is none
const std::string& blas_kernels();  // which kernels it chose, once loaded: "SkylakeX"

// OpenBLAS's threads spin for 2^28 ticks after their work (117 ms at 2.3 GHz, version 0.3.21),
// which would take cores from what is timed next.
constexpr double quiet_after_blas = 0.15;

}  // namespace tutti::bench
