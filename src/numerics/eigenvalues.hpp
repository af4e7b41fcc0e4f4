// Eigenvalues and eigenvectors of any square matrix, on the host: balancing, Householder's
// reflections to Hessenberg form, the QR algorithm to Schur form, and substitution. All arithmetic
// is in double, in a fixed order, with operations that round the same on every machine.
#pragma once
#include <complex>
#include <cstdint>
#include <span>

namespace tutti::ir {

// Takes n * n elements in row-major order and returns n values. Vectors have length 1 and are the
// columns of a row-major matrix; they are not computed if `vectors` is empty. Values of a real
// matrix that are not real are conjugate neighbours, and so are their vectors; vectors of real
// values are real. Returns false if the elements are not finite or the method does not converge.
// Throws std::bad_alloc.
bool eigenvalues(int64_t n, std::span<const double> a, std::span<std::complex<double>> values,
                 std::span<std::complex<double>> vectors);
bool eigenvalues(int64_t n, std::span<const std::complex<double>> a,
                 std::span<std::complex<double>> values, std::span<std::complex<double>> vectors);

}  // namespace tutti::ir
