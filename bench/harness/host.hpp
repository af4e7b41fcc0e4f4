// Host memory for inputs and the baselines' results, and how far two results are apart.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "bench/harness/registry.hpp"
#include "tutti/array.hpp"

namespace tutti::bench {

// Zeroed memory, aligned to a cache line. Copies share it, so that closures can hold it by value.
template <class T = float>
class Buffer {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit Buffer(size_t size)
      : size_(size), memory_(static_cast<T*>(::operator new(size * sizeof(T), line)), release) {
    std::uninitialized_value_construct_n(memory_.get(), size);
  }
  size_t size() const { return size_; }
  T* data() const { return memory_.get(); }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  T& operator[](size_t i) const { return data()[i]; }
  operator SharedArray() const { return {{data(), size_ * sizeof(T)}, memory_}; }

 private:
  static constexpr std::align_val_t line{64};
  static void release(T* memory) { ::operator delete(memory, line); }
  size_t size_;
  std::shared_ptr<T> memory_;
};

// max |A - A'| / max |A|, over all components; infinite where only one side has a NaN or infinity.
template <class A, class B>
double disagreement(std::span<const A> expected, std::span<const B> actual) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (expected.size() != actual.size()) return infinity;
  double difference = 0, largest = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    for (int c = 0; c < components<A>; ++c) {
      const double a = detail::Element<A>::get(expected[i], c);
      const double b = detail::Element<B>::get(actual[i], c);
      if (a == b || (std::isnan(a) && std::isnan(b))) {
        if (std::isfinite(a)) largest = std::max(largest, std::abs(a));
        continue;
      }
      if (!std::isfinite(a) || !std::isfinite(b)) return infinity;
      difference = std::max(difference, std::abs(a - b));
      largest = std::max(largest, std::abs(a));
    }
  return difference == 0 ? 0 : difference / largest;
}

template <class A, int D, class T>
double disagreement(const Buffer<A>& expected, const Array<D, T>& actual) {
  const auto values = actual.to_vector();
  return disagreement(std::span<const A>(expected), std::span<const canonical_t<T>>(values));
}

}  // namespace tutti::bench
