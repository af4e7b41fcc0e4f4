#include "faults/programs.hpp"

#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <sstream>

#include "nesl/eval/large_stack.hpp"
#include "nesl/session/session.hpp"
#include "support/compare.hpp"

namespace tutti::test {
namespace {

// All elements count, a text of few is compared.
template <class T>
std::string text_of(const std::vector<T>& elements) {
  uint64_t hash = 0xcbf29ce484222325u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(elements.data());
  for (size_t i = 0; i < elements.size() * sizeof(T); ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  std::string text = std::to_string(elements.size()) + " elements " + std::to_string(hash);
  for (size_t i = 0; i < std::min<size_t>(elements.size(), 4); ++i)
    text += ' ' + std::to_string(elements[i]);
  return text + "\n";
}

std::vector<float> numbers(int64_t count) {
  std::vector<float> result;
  for (int64_t i = 0; i < count; ++i) result.push_back(static_cast<float>(i * 37 % 101 - 50));
  return result;
}
std::vector<int> integers(int64_t count) {
  std::vector<int> result;
  for (int64_t i = 0; i < count; ++i) result.push_back(static_cast<int>(i * 7919 % 1009) - 500);
  return result;
}
Array<2, float> matrix(int64_t rows, int64_t columns) {
  return Array<2, float>(numbers(rows * columns), {rows, columns});
}

std::string elementwise() {
  const Array<1, float> a(numbers(60'000)), b = sqrt(abs(a)) * 3.0f + a;
  // The second is written over its operand, which nothing else needs.
  return text_of(b.to_vector()) + text_of((cond(b > 1.0f, b, -a) * 0.5f).to_vector());
}

std::string stencils() {
  const Array<2, float> a = matrix(300, 301);
  const auto smooth = [](const Array<2, float>& x) {
    return (shift(x, {0, 1}, Boundary::clamp()) + shift(x, {0, -1}, Boundary::clamp()) +
            shift(x, {1, 0}, Boundary::wrap()) + shift(x, {-1, 0}, Boundary::wrap())) *
           0.25f;
  };
  return text_of(smooth(exp(smooth(a) * 0.01f)).to_vector());
}

std::string reductions() {
  const Array<2, float> a = matrix(400, 257);
  return text_of(sum(a, 0).to_vector()) + text_of(max_val(a * a, 1).to_vector()) +
         text_of(std::vector<float>{sum(a).item(), min_val(a).item()});
}

std::string vector_operations() {
  const Array<1, int> a(integers(40'000));
  return text_of(sum_scan(a).to_vector()) + text_of(sort(a).to_vector()) +
         text_of(pack(a, a > 17).to_vector()) + text_of(histogram(a + 500, 1009).to_vector());
}

std::string scans_and_sorts() {
  const Array<1, int> a(integers(40'000));
  return text_of(sum_scan(a * 2).to_vector()) + text_of(sort(a).to_vector());
}

// Rows written over in place, also those that were made by an evaluation before.
std::string written_sections() {
  Array<2, float> a = matrix(100, 64);
  std::string text;
  for (int i = 1; i < 5; ++i) {
    slice(a, {i, 0}, {i + 1, 64}) = sqrt(abs(slice(std::as_const(a), {i - 1, 0}, {i, 64}))) + 1.0f;
    if (i % 2 == 0) text += text_of(a.to_vector());
  }
  slice(a, {0, 3}, {100, 4}) = 7.0f;
  return text + text_of(a.to_vector());
}

// Small whole numbers: exact in every order of summation, with OpenBLAS and without.
std::string products() {
  const Array<2, float> a = matrix(130, 70), b = matrix(70, 90);
  const Array<2, int> c(integers(600), {30, 20}), d(integers(500), {20, 25});
  return text_of(inner_product(a, b).to_vector()) + text_of(inner_product(c, d).to_vector());
}

std::string captured_loops() {
  const Program steps = BEGIN {
    In<Value1i> start;
    Out<Value1i> count = 0;
    Value1i n = abs(start) + 1;
    WHILE(n > 1) {
      n = cond(n % 2 == 1, 3 * n + 1, n / 2);
      count += 1;
    }
    ENDWHILE;
  }
  END;
  const Array<1, int> a(integers(3'000));
  const Array<1, int> result = steps(a);
  return text_of(result.to_vector());
}

std::string recorded_bodies() {
  Vec<float> u(numbers(5'000)), r(numbers(5'000));
  Number<float> total = dot(r, r);
  const auto step = record(
      [&] {
        r = 0.5f * r + 0.25f * shift(u, 1, Boundary::constant(0.0f));
        total = dot(r, r);
        u += r / (total + 1.0f);
      },
      u, r, total);
  step(3);
  return text_of(u.to_vector()) + text_of(r.to_vector()) + std::to_string(total.item());
}

Seq<int> quicksort(Seq<int> a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        const Scalar<int> pivot = a[length(a) / 2];
        const Seq<int> lesser = filter(a, a < pivot), equal = filter(a, a == pivot),
                       greater = filter(a, a > pivot);
        const Seq<Seq<int>> sorted = each(seq(lesser, greater), quicksort);
        return concat(sorted[0], equal, sorted[1]);
      });
}
std::string nested_sequences() { return text_of(quicksort(Seq<int>(integers(700))).to_vector()); }

std::string nesl() {
  const std::string text = R"(
function primes(n) =
  if n == 2 then ([] int)
  else
    let sqr = primes(isqrt(n) + 1);
        composites = {[2 * p:n:p]: p in sqr};
        flags = dist(t, n) <- {(i, f): i in flatten(composites)};
        numbers = {i in [0:n]; fl in flags | fl}
    in drop(numbers, 2);
primes(2000);
{sum(row): row in [[1, 2], [3], [4, 5, 6]]};
)";
  std::string output;
  bool good = true;
  nesl::with_large_stack([&] {
    nesl::Session session([&](const std::string& written) { output += written; });
    good = session.run(std::make_shared<nesl::Source>(nesl::Source{"test.nesl", text}), true);
  });
  if (!good) throw Error("reported: " + output);
  return output;
}

// Solutions are whole numbers: LAPACK and the kernels that stand in for it agree on those.
std::string decomposed() {
  constexpr int64_t n = 50;
  std::vector<float> elements = numbers(n * n), ones(static_cast<size_t>(n), 1.0f);
  for (int64_t i = 0; i < n; ++i) elements[static_cast<size_t>(i * (n + 1))] = 3000;
  const Array<2, float> a(elements, {n, n});
  const Array<1, float> wanted(ones);
  const Array<2, float> symmetric = a + transpose(a), identity = matmul(inverse(a), a),
                        vectors = eigh(symmetric).vectors, lower = cholesky(symmetric);
  const auto whole = [](const auto& x) {
    return text_of(Array<1, int>(cast<int>(round(x))).to_vector());
  };
  return whole(solve(a, matmul(a, wanted))) + whole(reshape(identity, Shape<1>(n * n))) +
         whole(svd(identity).s) + whole(sum(vectors * vectors, 0)) + whole(sum(lower * lower, 1));
}

// By LAPACK. Kernels compute where it has no memory: the first run fills the caches with theirs.
std::string large_matrices() {
  static const std::string by_kernels = [] {
    const WithSettings with([](Settings& s) { s.reproducible = true; });
    return decomposed();
  }();
  return decomposed() + by_kernels;
}

// Sparse, complex, and solved by iteration; deposits at computed places.
std::string complex_systems() {
  using C = std::complex<double>;
  const Array<1, int> row(std::vector<int>{0, 0, 1, 1, 2, 2, 3}),
      column(std::vector<int>{0, 1, 1, 2, 2, 0, 3});
  const Array<1, double> parts(std::vector<double>{4, 1, 5, -1, 6, 2, 3});
  const Array<1, C> values(parts, parts * 0.25);
  const auto a = Sparse<C>::from_triplets(4, 4, row, column, values);
  const Array<1, C> b(Array<1, double>(std::vector<double>{1, 2, 3, 4}),
                      Array<1, double>(std::vector<double>{0, -1, 0, 1}));
  const auto text = [](const Iterated<C>& found) {
    return text_of(real(found.x).to_vector()) + text_of(imag(found.x).to_vector()) +
           std::to_string(found.iterations) + "\n";
  };
  return text(gmres(a, b, 1e-9, 20, 3)) +
         text(conjugate_gradients([](const Array<1, C>& v) -> Array<1, C> { return v * 2.0; }, b,
                                  1e-9, 20));
}

std::string deposits() {
  const Program count = BEGIN {
    In<Value1i> x;
    Write<1, int> bin, mirrored;
    bin(x & 63, 1);
    IF(x > 0) { mirrored(63 - (x & 63), x); }
    ENDIF;
  }
  END;
  const Array<1, int> x(integers(5'000));
  return text_of(scatter(Array<1, int>(64), count(x), Collision::sum).to_vector());
}

// Lines that fit into a cache, columns, and a line in two phases.
std::string fourier_transforms() {
  const auto text = [](const auto& z) {
    return text_of(real(z).to_vector()) + text_of(imag(z).to_vector());
  };
  const auto lines = fft(matrix(60, 48));
  return text(lines) + text(ifft(lines, 0)) + text(fft(Array<1, float>(numbers(40'000))));
}

// Compiled and stored, then found on disk. Where the disk fails, compiled again.
std::string explanation_and_disk_cache() {
  Settings s = settings();
  s.disk_cache = true;
  const Settings before = settings();
  struct Restore {
    const Settings& before;
    ~Restore() { set_settings(before); }
  } restore{before};
  set_settings(s);
  std::string text;
  for (int round = 0; round < 2; ++round) {
    clear_kernel_cache();
    const Array<1, float> a(numbers(1'000)), b = a * 2.0f + abs(a);
    std::ostringstream out;
    out.exceptions(std::ios::badbit);  // streams swallow exceptions otherwise
    out << explain(b);
    text += out.str() + text_of(b.to_vector());
  }
  return text;
}

}  // namespace

const std::vector<FaultProgram>& fault_programs() {
  static const std::vector<FaultProgram> all = {
      {"element-wise", elementwise, true},
      {"stencils", stencils, true},
      {"reductions", reductions, true},
      {"vector operations", vector_operations, false},
      {"matrix products", products, true},
      {"captured loops", captured_loops, true},
      {"recorded bodies", recorded_bodies, true},
      {"nested sequences", nested_sequences, false},
      {"NESL", nesl, false},
      {"explain and disk cache", explanation_and_disk_cache, false},
      {"scans and sorts", scans_and_sorts, true},
      {"written sections", written_sections, true},
      {"large matrices", large_matrices, false},
      {"complex systems", complex_systems, false},
      {"deposits", deposits, false},
      {"Fourier transforms", fourier_transforms, true},
  };
  return all;
}

}  // namespace tutti::test
