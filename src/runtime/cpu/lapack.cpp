#include "runtime/cpu/lapack.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "core/settings/settings.hpp"
#include "runtime/cpu/openblas.hpp"

namespace tutti::runtime {
namespace {

using Float = std::complex<float>;
using Double = std::complex<double>;

template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;
template <class T>
constexpr char letter = std::is_same_v<T, float>    ? 's'
                        : std::is_same_v<T, double> ? 'd'
                        : std::is_same_v<T, Float>  ? 'c'
                                                    : 'z';

// Names without the letter of the type. Those of unitary matrices differ for real and complex ones.
enum class Name : uint8_t { getrf, getrs, potrf, geqrf, orgqr, gesdd, syevd, geev };
constexpr const char* real_names[] = {"getrf", "getrs", "potrf", "geqrf",
                                      "orgqr", "gesdd", "syevd", "geev"};
constexpr const char* complex_names[] = {"getrf", "getrs", "potrf", "geqrf",
                                         "ungqr", "gesdd", "heevd", "geev"};

template <class T>
struct Functions {
  void* found[std::size(real_names)];
  Functions() {
    for (size_t i = 0; i < std::size(real_names); ++i) {
      const char* name = is_complex<T> ? complex_names[i] : real_names[i];
      found[i] = openblas_symbol((letter<T> + std::string(name) + "_").c_str());
    }
  }
  bool complete() const {
    return std::ranges::all_of(found, [](const void* function) { return function != nullptr; });
  }
};
template <class T>
const Functions<T>& functions() {
  static const Functions<T> instance;
  return instance;
}

// Fortran takes addresses. The lengths of texts come last, where compilers expect them.
constexpr size_t one_letter = 1;
template <class T, class... A>
void call(Name name, A... arguments) {
  reinterpret_cast<void (*)(A...)>(functions<T>().found[static_cast<size_t>(name)])(arguments...);
}

// The workspace that a function asks for in the first element of the array that it is given.
template <class T>
int asked_for(const T& first) {
  return std::max(1, static_cast<int>(std::real(first)));
}

}  // namespace

bool has_lapack() {
  if (live_settings().reproducible || live_settings().interpret) return false;
  static const bool complete = functions<float>().complete() && functions<double>().complete() &&
                               functions<Float>().complete() && functions<Double>().complete();
  return complete;
}

template <class T>
void Lapack<T>::factor_lu(int n, T* a, int* pivots) {
  int info = 0;
  call<T>(Name::getrf, &n, &n, a, &n, pivots, &info);
}

template <class T>
void Lapack<T>::solve_lu(int n, int columns, const T* a, const int* pivots, T* b) {
  int info = 0;
  call<T>(Name::getrs, "N", &n, &columns, a, &n, pivots, b, &n, &info, one_letter);
}

template <class T>
int Lapack<T>::factor_cholesky(int n, T* a) {
  int info = 0;
  call<T>(Name::potrf, "U", &n, a, &n, &info, one_letter);
  return info > 0 ? info - 1 : n;
}

template <class T>
void Lapack<T>::factor_qr(int m, int n, int q_columns, T* q, T* r) {
  const int reflections = std::min(m, n), query = -1;
  std::vector<T> scales(static_cast<size_t>(reflections));
  int info = 0;
  T first[2]{};
  call<T>(Name::geqrf, &m, &n, q, &m, scales.data(), &first[0], &query, &info);
  call<T>(Name::orgqr, &m, &q_columns, &reflections, q, &m, scales.data(), &first[1], &query,
          &info);
  const int size = std::max(asked_for(first[0]), asked_for(first[1]));
  std::vector<T> work(static_cast<size_t>(size));
  call<T>(Name::geqrf, &m, &n, q, &m, scales.data(), work.data(), &size, &info);
  for (int64_t column = 0; column < n; ++column)
    for (int64_t row = 0; row < q_columns; ++row)
      r[column * q_columns + row] = row <= column ? q[column * m + row] : T{};
  call<T>(Name::orgqr, &m, &q_columns, &reflections, q, &m, scales.data(), work.data(), &size,
          &info);
}

template <class T>
bool Lapack<T>::singular_values(int m, int n, bool whole, T* a, Real* s, T* u, T* vt) {
  const int64_t least = std::min(m, n), most = std::max(m, n);
  const int query = -1, rows_of_vt = whole ? n : static_cast<int>(least);
  const char* job = whole ? "A" : "S";
  std::vector<int> integers(static_cast<size_t>(8 * least));
  std::vector<Real> reals(
      is_complex<T> ? static_cast<size_t>(least * std::max(5 * least + 7, 2 * most + 2 * least + 1))
                    : 1);
  int info = 0;
  const auto run = [&](T* work, const int* size) {
    if constexpr (is_complex<T>)
      call<T>(Name::gesdd, job, &m, &n, a, &m, s, u, &m, vt, &rows_of_vt, work, size, reals.data(),
              integers.data(), &info, one_letter);
    else
      call<T>(Name::gesdd, job, &m, &n, a, &m, s, u, &m, vt, &rows_of_vt, work, size,
              integers.data(), &info, one_letter);
  };
  T first{};
  run(&first, &query);
  const int size = asked_for(first);
  std::vector<T> work(static_cast<size_t>(size));
  run(work.data(), &size);
  return info == 0;
}

template <class T>
bool Lapack<T>::symmetric_eigenvalues(int n, T* a, Real* values) {
  const int query = -1;
  int info = 0;
  const auto run = [&](T* work, const int* size, Real* reals, const int* reals_size, int* integers,
                       const int* integers_size) {
    if constexpr (is_complex<T>)
      call<T>(Name::syevd, "V", "U", &n, a, &n, values, work, size, reals, reals_size, integers,
              integers_size, &info, one_letter, one_letter);
    else
      call<T>(Name::syevd, "V", "U", &n, a, &n, values, work, size, integers, integers_size, &info,
              one_letter, one_letter);
  };
  T first{};
  Real first_real{};
  int first_integer = 0;
  run(&first, &query, &first_real, &query, &first_integer, &query);
  const int size = asked_for(first), reals_size = asked_for(first_real),
            integers_size = std::max(1, first_integer);
  std::vector<T> work(static_cast<size_t>(size));
  std::vector<Real> reals(static_cast<size_t>(reals_size));
  std::vector<int> integers(static_cast<size_t>(integers_size));
  run(work.data(), &size, reals.data(), &reals_size, integers.data(), &integers_size);
  return info == 0;
}

template <class T>
bool Lapack<T>::eigenvalues(int n, T* a, std::complex<Real>* values, std::complex<Real>* vectors) {
  const char* job = vectors ? "V" : "N";
  const int query = -1, one = 1;
  const auto count = static_cast<size_t>(n);
  int info = 0;
  std::vector<Real> reals(2 * count);  // real elements: both parts of the values
  std::vector<T> pairs(is_complex<T> || !vectors ? 1 : count * count);
  const auto run = [&](T* work, const int* size) {
    if constexpr (is_complex<T>)
      call<T>(Name::geev, "N", job, &n, a, &n, values, pairs.data(), &one, vectors, &n, work, size,
              reals.data(), &info, one_letter, one_letter);
    else
      call<T>(Name::geev, "N", job, &n, a, &n, reals.data(), reals.data() + n, pairs.data(), &one,
              pairs.data(), &n, work, size, &info, one_letter, one_letter);
  };
  T first{};
  run(&first, &query);
  const int size = asked_for(first);
  std::vector<T> work(static_cast<size_t>(size));
  run(work.data(), &size);
  if (info != 0) return false;
  if constexpr (!is_complex<T>) {
    for (size_t i = 0; i < count; ++i) values[i] = {reals[i], reals[count + i]};
    // Two columns are the parts of the vectors of two conjugate values.
    for (size_t i = 0; vectors && i < count; ++i) {
      const bool is_pair = reals[count + i] > 0 && i + 1 < count;
      for (size_t row = 0; row < count; ++row) {
        const T real = pairs[i * count + row], imag = is_pair ? pairs[(i + 1) * count + row] : T{};
        vectors[i * count + row] = {real, imag};
        if (is_pair) vectors[(i + 1) * count + row] = {real, -imag};
      }
      if (is_pair) ++i;
    }
  }
  return true;
}

template struct Lapack<float>;
template struct Lapack<double>;
template struct Lapack<Float>;
template struct Lapack<Double>;

}  // namespace tutti::runtime
