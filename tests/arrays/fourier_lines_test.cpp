// The primitive of Fourier transforms: the bits of the interpreter and of the chain of kernels that
// devices without the primitive run, for lengths with all radices, along all axes.
#include <tutti/explain.hpp>
#include <tutti/fft.hpp>

#include <limits>

#include "api/array/fft_steps.hpp"
#include "engine/stored_graph.hpp"
#include "graph/node.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// Numbers of both signs, some of them zeros of both signs.
template <class T>
std::vector<T> signals(int64_t count, uint32_t seed) {
  std::vector<T> result;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const T value = static_cast<T>(static_cast<int32_t>(seed)) / T{1 << 30};
    result.push_back(seed % 16 == 0 ? T{0} : seed % 16 == 1 ? -T{0} : value);
  }
  return result;
}

template <int D, class T>
Array<D, std::complex<T>> complex_signals(const Shape<D>& shape, uint32_t seed) {
  return Array<D, std::complex<T>>(Array<D, T>(signals<T>(shape.size(), seed), shape),
                                   Array<D, T>(signals<T>(shape.size(), seed + 1), shape));
}

template <class T>
void expect_interpreted_lines() {
  for (const int64_t n : {1,   2,   3,   4,    5,    6,    7,    8,    12,    14,     15,  16,
                          20,  32,  35,  49,   64,   100,  105,  128,  243,   256,    343, 512,
                          625, 768, 840, 1024, 2048, 2401, 4096, 5040, 10000, 1 << 15})
    for (const int64_t lines : {1, 3, 40}) {
      if (n * lines > 1 << 17) continue;
      const auto a = complex_signals<2, T>(Shape<2>(lines, n), static_cast<uint32_t>(n + lines));
      a.evaluate();
      SCOPED_TRACE(std::to_string(lines) + " lines of " + std::to_string(n));
      expect_same([&] { return fft(a).real(); });
      expect_same([&] { return ifft(a).imag(); });
    }
}

TEST(FourierLines, FloatsAsInterpreted) { expect_interpreted_lines<float>(); }
TEST(FourierLines, DoublesAsInterpreted) { expect_interpreted_lines<double>(); }

// Lines that do not fit into a cache, and few of them for several threads.
TEST(FourierLines, LongLinesAsInterpreted) {
  for (const int64_t n : {1 << 16, 1 << 17, 3 * 5 * 7 * 1024}) {
    const auto a = complex_signals<2, float>(Shape<2>(2, n), 5);
    a.evaluate();
    SCOPED_TRACE(n);
    expect_same([&] { return fft(a).imag(); });
    expect_same([&] { return ifft(a).real(); });
  }
}

TEST(FourierLines, AlongOtherAxes) {
  for (const Shape<3> shape : {Shape<3>(6, 5, 8), Shape<3>(64, 3, 37), Shape<3>(2, 100, 70),
                               Shape<3>(1, 4, 1), Shape<3>(7, 1, 9)}) {
    const auto a = complex_signals<3, double>(shape, 9);
    a.evaluate();
    for (int axis = 0; axis < 3; ++axis) {
      SCOPED_TRACE(axis);
      expect_same([&] { return fft(a, axis).real(); });
      expect_same([&] { return ifft(a, axis).imag(); });
    }
    expect_same([&] { return fftn(a).imag(); });
  }
}

// The chain of kernels of GPUs, on the CPU.
template <class T>
void expect_bits_of_steps(const Array<2, std::complex<T>>& a) {
  a.evaluate();
  const detail::ComplexNodes steps = detail::fft_by_steps(detail::nodes_of(a), detail::Location());
  const auto want = Array<2, std::complex<T>>(Array<2, T>(steps.real), Array<2, T>(steps.imag));
  const auto got = fft(a);
  EXPECT_TRUE(same(read(want.real()), read(got.real()))) << a.shape()[1];
  EXPECT_TRUE(same(read(want.imag()), read(got.imag()))) << a.shape()[1];
}

TEST(FourierLines, SameBitsAsAChainOfKernels) {
  for (const int64_t n : {2, 3, 4, 5, 6, 7, 8, 9, 16, 30, 36, 49, 60, 64, 210, 1024, 3125, 8192}) {
    expect_bits_of_steps(complex_signals<2, float>(Shape<2>(5, n), 1));
    expect_bits_of_steps(complex_signals<2, double>(Shape<2>(3, n), 2));
  }
}

TEST(FourierLines, SpecialNumbersAsAChainOfKernels) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const int64_t n : {2, 3, 4, 5, 7, 16, 60, 256}) {
    std::vector<double> real = signals<double>(4 * n, 3), zeros(real.size(), -0.0);
    real[0] = inf;
    real[static_cast<size_t>(n)] = std::numeric_limits<double>::quiet_NaN();
    real[static_cast<size_t>(2 * n)] = std::numeric_limits<double>::denorm_min();
    for (size_t i = static_cast<size_t>(3 * n); i < real.size(); ++i) real[i] = -0.0;
    const Shape<2> shape(4, n);
    expect_bits_of_steps(Array<2, std::complex<double>>(Array<2, double>(real, shape),
                                                        Array<2, double>(zeros, shape)));
  }
}

TEST(FourierLines, OneStepComputesBothParts) {
  const ScopedDevice cpu("cpu");  // on a GPU every stage is a kernel
  const auto a = complex_signals<2, float>(Shape<2>(8, 64), 4);
  a.evaluate();
  const Explanation transform = explain(fft(a));
  ASSERT_EQ(transform.kernels().size(), 1u);
  EXPECT_EQ(transform.kernels()[0].name, "fourier_lines");
  EXPECT_EQ(explain(fft(a, 0)).kernels().size(), 1u);
  EXPECT_EQ(explain(ifft(a)).kernels().size(), 1u);  // divides on the way
}

std::string stored(const detail::NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return engine::store_graph({&node, 1}, "on purpose");
}

TEST(FourierLines, GoesThroughAFile) {
  const auto a = complex_signals<2, float>(Shape<2>(6, 20), 4);
  a.evaluate();
  for (const int axis : {0, 1})
    for (const bool inverse : {false, true}) {
      const auto made = [&] {
        return detail::nodes_of(inverse ? ifft(a, axis) : fft(a, axis)).imag;
      };
      const detail::NodeRef node = made(), again = made();
      const engine::StoredGraph graph = engine::load_graph(stored(node));
      detail::evaluate(graph.roots);
      EXPECT_TRUE(same(read(again), read(graph.roots[0])));
    }
}

TEST(FourierLines, OfNothing) {
  const Array<2, std::complex<float>> none(Shape<2>(0, 8), std::complex<float>(0));
  EXPECT_EQ(fft(none).shape(), Shape<2>(0, 8));
  EXPECT_TRUE(fft(none).to_vector().empty());
}

}  // namespace
}  // namespace tutti::test
