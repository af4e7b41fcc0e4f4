// Element types: the C++ types that an array can hold, and how they mix in one expression.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// IEEE 754 binary16. Stored as 16 bits, computed in float and rounded to nearest even.
class half {
 public:
  half() = default;
  half(float value) : bits_(encode(value)) {}
  operator float() const { return decode(bits_); }
  uint16_t bits() const { return bits_; }
  static half from_bits(uint16_t bits) {
    half h;
    h.bits_ = bits;
    return h;
  }

 private:
  static uint16_t encode(float value);
  static float decode(uint16_t bits);
  uint16_t bits_ = 0;
};

// The scalar types of elements: bool, signed and unsigned integers, half, float, double.
enum class ElementType : uint8_t { b8, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 };

const char* name(ElementType type);  // "bool", "int8", ..., "float", "double"

// size_of() returns the bytes of an element in memory; the others classify types.
constexpr int size_of(ElementType type) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
  return sizes[static_cast<int>(type)];
}
constexpr bool is_floating(ElementType type) { return type >= ElementType::f16; }
constexpr bool is_integer(ElementType type) {
  return type >= ElementType::i8 && type <= ElementType::u64;
}
constexpr bool is_signed(ElementType type) {
  return (type >= ElementType::i8 && type <= ElementType::i64) || is_floating(type);
}

// One scalar of any element type.
struct ScalarValue {
  ElementType type = ElementType::f32;
  uint64_t bits = 0;
};
ScalarValue convert(ScalarValue value, ElementType type);  // converts like cast<T>()

template <int N, class T>
class Value;

namespace detail {

template <class T>
struct ElementTraits;  // type: the ElementType of a scalar; not defined for anything else

#define TUTTI_ELEMENT(cpp_type, id)                      \
  template <>                                            \
  struct ElementTraits<cpp_type> {                       \
    static constexpr ElementType type = ElementType::id; \
  };
TUTTI_ELEMENT(bool, b8)
TUTTI_ELEMENT(int8_t, i8)
TUTTI_ELEMENT(int16_t, i16)
TUTTI_ELEMENT(int32_t, i32)
TUTTI_ELEMENT(int64_t, i64)
TUTTI_ELEMENT(uint8_t, u8)
TUTTI_ELEMENT(uint16_t, u16)
TUTTI_ELEMENT(uint32_t, u32)
TUTTI_ELEMENT(uint64_t, u64)
TUTTI_ELEMENT(half, f16)
TUTTI_ELEMENT(float, f32)
TUTTI_ELEMENT(double, f64)
#undef TUTTI_ELEMENT

// long long and char are distinct types with the representation of one of the above.
template <>
struct ElementTraits<long long> : ElementTraits<int64_t> {};
template <>
struct ElementTraits<unsigned long long> : ElementTraits<uint64_t> {};
template <>
struct ElementTraits<char>
    : ElementTraits<std::conditional_t<std::is_signed_v<char>, int8_t, uint8_t>> {};

}  // namespace detail

// A scalar type of array elements, or of their components.
template <class T>
concept ScalarType = requires { detail::ElementTraits<std::remove_cv_t<T>>::type; };

// The ElementType of a C++ type.
template <ScalarType T>
constexpr ElementType element_type = detail::ElementTraits<T>::type;

// Converts a host number to a ScalarValue of its type.
template <ScalarType T>
ScalarValue scalar_value(T value) {
  ScalarValue result{element_type<T>, 0};
  if constexpr (sizeof(T) == 1)
    result.bits = std::bit_cast<uint8_t>(value);
  else if constexpr (sizeof(T) == 2)
    result.bits = std::bit_cast<uint16_t>(value);
  else if constexpr (sizeof(T) == 4)
    result.bits = std::bit_cast<uint32_t>(value);
  else
    result.bits = std::bit_cast<uint64_t>(value);
  return result;
}

namespace detail {

// Returns the value of a ScalarValue of T's type.
template <ScalarType T>
T number(const ScalarValue& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value.bits != 0;
  else if constexpr (sizeof(T) == 1)
    return std::bit_cast<T>(static_cast<uint8_t>(value.bits));
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(static_cast<uint16_t>(value.bits));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(value.bits));
  else
    return std::bit_cast<T>(value.bits);
}

// The components of an element: a scalar has one, Value<N, T> has N of type T.
template <class T>
struct Element {
  using scalar = T;
  using canonical = T;  // the public type: T replaces Value<1, T>
  static constexpr int components = 1;
  static T get(const T& value, int) { return value; }
};
template <int N, class T>
struct Element<Value<N, T>> {
  using scalar = T;
  using canonical = std::conditional_t<N == 1, T, Value<N, T>>;
  static constexpr int components = N;
  static T get(const Value<N, T>& value, int i) { return value.get(i); }
};

// Tuples of host data may be plain arrays.
template <class T, std::size_t N>
struct Element<std::array<T, N>> {
  using scalar = T;
  using canonical = typename Element<Value<static_cast<int>(N), T>>::canonical;
  static constexpr int components = static_cast<int>(N);
  static T get(const std::array<T, N>& value, int i) { return value[static_cast<std::size_t>(i)]; }
};

template <class T>
constexpr int kind = std::is_same_v<T, bool>                                  ? 0
                     : std::is_same_v<T, half> || std::is_floating_point_v<T> ? 2
                                                                              : 1;

// Returns the common type of two element types of arrays: the wider kind wins, then the wider type,
// then unsigned.
template <class A, class B>
constexpr auto promote() {
  if constexpr (std::is_same_v<A, B>)
    return A{};
  else if constexpr (kind<A> != kind<B>)
    return std::conditional_t<(kind<A> > kind<B>), A, B>{};
  else if constexpr (sizeof(A) != sizeof(B))
    return std::conditional_t<(sizeof(A) > sizeof(B)), A, B>{};
  else
    return std::conditional_t<std::is_unsigned_v<A>, A, B>{};
}

// The common type of an array element and a host scalar: the scalar adapts unless its kind is
// wider.
template <class T, class S>
using MixedWithScalar = std::conditional_t<(kind<S> > kind<T>), S, T>;

// Element-wise functions that need a floating-point argument convert integers to double, as in C++.
template <class T>
using Floating = std::conditional_t<kind<T> == 2, T, double>;

// Arithmetic on bool happens in int, as in C++.
template <class T>
using Arithmetic = std::conditional_t<std::is_same_v<T, bool>, int32_t, T>;

// Sums and products of narrow integers have 32 bits.
template <class T>
using Accumulated = std::conditional_t<
    kind<T> == 2 || (sizeof(T) >= 4), T,
    std::conditional_t<std::is_unsigned_v<T> && kind<T> == 1, uint32_t, int32_t>>;

template <class T, class S>
using WithScalar =
    std::conditional_t<Element<T>::components == 1, S, Value<Element<T>::components, S>>;

}  // namespace detail

// The element type, with one-component tuples replaced by their scalar.
template <class T>
using canonical_t = typename detail::Element<T>::canonical;
template <class T>
using scalar_t = typename detail::Element<T>::scalar;
template <class T>
constexpr int components = detail::Element<T>::components;

}  // namespace tutti
TUTTI_END_EXPORTS
