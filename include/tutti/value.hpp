// Value<N, T>: a tuple of N numbers, the element of tuple arrays (float4 images, 3-D points).
#pragma once
#include <array>
#include <cmath>

#include "tutti/types.hpp"

namespace tutti {

template <int N, class T>
class Value {
  static_assert(N >= 1, "a Value has at least one component");
  static_assert(ScalarType<T>, "the components of a Value are numbers or bool");

 public:
  using scalar = T;
  static constexpr int size = N;

  Value() : components_{} {}
  // One number for all components, or one for each.
  template <class S>
  requires std::is_convertible_v<S, T> Value(S all) { components_.fill(static_cast<T>(all)); }
  template <class... S>
  requires(sizeof...(S) == N && N > 1 && (std::is_convertible_v<S, T> && ...)) Value(S... parts)
      : components_{static_cast<T>(parts)...} {}

  T get(int i) const { return components_[i]; }
  void set(int i, T value) { components_[i] = value; }

  operator T() const requires(N == 1) { return components_[0]; }

#define TUTTI_VALUE_OPERATOR(op)                                                         \
  friend Value operator op(const Value& a, const Value& b) requires(N > 1) {             \
    Value r;                                                                             \
    for (int i = 0; i < N; ++i) r.components_[i] = static_cast<T>(a.get(i) op b.get(i)); \
    return r;                                                                            \
  }                                                                                      \
  Value& operator op##=(const Value& b) {                                                \
    for (int i = 0; i < N; ++i)                                                          \
      components_[i] = static_cast<T>(components_[i] op b.components_[i]);               \
    return *this;                                                                        \
  }
  TUTTI_VALUE_OPERATOR(+)
  TUTTI_VALUE_OPERATOR(-)
  TUTTI_VALUE_OPERATOR(*)
  TUTTI_VALUE_OPERATOR(/)
#undef TUTTI_VALUE_OPERATOR

  friend Value operator-(const Value& a) requires(N > 1) {
    Value r;
    for (int i = 0; i < N; ++i) r.components_[i] = static_cast<T>(-a.get(i));
    return r;
  }
  friend bool operator==(const Value& a, const Value& b) requires(N > 1) {
    return a.components_ == b.components_;
  }

 private:
  std::array<T, N> components_;
};

#define TUTTI_VALUE_NAMES(suffix, type)  \
  using Value1##suffix = Value<1, type>; \
  using Value2##suffix = Value<2, type>; \
  using Value3##suffix = Value<3, type>; \
  using Value4##suffix = Value<4, type>;
TUTTI_VALUE_NAMES(f, float)
TUTTI_VALUE_NAMES(d, double)
TUTTI_VALUE_NAMES(h, half)
TUTTI_VALUE_NAMES(i, int32_t)
TUTTI_VALUE_NAMES(ui, uint32_t)
TUTTI_VALUE_NAMES(s, int16_t)
TUTTI_VALUE_NAMES(us, uint16_t)
TUTTI_VALUE_NAMES(b, int8_t)
TUTTI_VALUE_NAMES(ub, uint8_t)
TUTTI_VALUE_NAMES(l, int64_t)
TUTTI_VALUE_NAMES(ul, uint64_t)
TUTTI_VALUE_NAMES(bool, bool)
#undef TUTTI_VALUE_NAMES

}  // namespace tutti
