// Random numbers with the same bits on every device, for any number of threads. The Philox4x32-10
// generator of Salmon, Moraes, Dror and Shaw (SC 2011) computes each element from a key and the
// element's index. So random arrays fuse with their uses and need no memory.
//
//   const Random key(42);
//   Array<2, float> noise = normal(key.split(0), Shape<2>(1000, 1000));
//
// The same key always yields the same numbers. Use split() to make independent keys.
#pragma once
#include <array>
#include <cstdint>
#include <source_location>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/error.hpp"
#include "tutti/transform.hpp"
#include "tutti/value.hpp"
#include "tutti/value_functions.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// A key of the generator.
class Random {
 public:
  explicit Random(uint64_t seed) : key_(seed) {}
  // Returns key `number` of those derived from this one; it is independent of all others.
  Random split(uint64_t number) const;
  uint64_t key() const { return key_; }

 private:
  uint64_t key_;
};

namespace detail {

// Returns the upper and lower 32 bits of a product, for host numbers, arrays and Values.
struct Product {
  static std::array<uint32_t, 2> of(uint32_t a, uint64_t factor) {
    const uint64_t product = a * factor;
    return {static_cast<uint32_t>(product >> 32), static_cast<uint32_t>(product)};
  }
  template <int D>
  static std::array<Array<D, uint32_t>, 2> of(const Array<D, uint32_t>& a, uint64_t factor) {
    const Array<D, uint64_t> product = cast<uint64_t>(a) * factor;
    return {cast<uint32_t>(product >> uint64_t{32}), cast<uint32_t>(product)};
  }
  static std::array<Value<1, uint32_t>, 2> of(const Value<1, uint32_t>& a, uint64_t factor) {
    using Narrow = Value<1, uint32_t>;
    const Value<1, uint64_t> product = cast<Value<1, uint64_t>>(a) * factor;
    return {cast<Narrow>(product >> uint64_t{32}), cast<Narrow>(product)};
  }
};

template <class U>
std::array<U, 4> philox(std::array<U, 4> counter, uint64_t key) {
  auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const auto [high0, low0] = Product::of(counter[0], 0xD2511F53u);
    const auto [high2, low2] = Product::of(counter[2], 0xCD9E8D57u);
    counter = {high2 ^ counter[1] ^ low, low2, high0 ^ counter[3] ^ high, low0};
    low += 0x9E3779B9u;
    high += 0xBB67AE85u;
  }
  return counter;
}

// The last word of a counter, which separates blocks of numbers from blocks of keys.
constexpr uint32_t for_numbers = 0, for_keys = 1;

// The row-major index of each element, and the index of its block.
template <int D>
struct Numbering {
  // 2^share elements share a block.
  Numbering(const Shape<D>& shape, uint32_t share, const std::source_location& where)
      : zero(shape, 0u), number(zero), block(zero), block_high(zero) {
    if (shape.size() <= int64_t{UINT32_MAX}) {
      for (int axis = 0; axis < D; ++axis)
        number = number * static_cast<uint32_t>(shape[axis]) +
                 cast<uint32_t>(tutti::index(shape, axis, where));
      block = number >> share;
      return;
    }
    Array<D, uint64_t> wide(shape, uint64_t{0});
    for (int axis = 0; axis < D; ++axis)
      wide = wide * static_cast<uint64_t>(shape[axis]) +
             cast<uint64_t>(tutti::index(shape, axis, where));
    number = cast<uint32_t>(wide & uint64_t{UINT32_MAX});
    wide = wide >> uint64_t{share};
    block = cast<uint32_t>(wide & uint64_t{UINT32_MAX});
    block_high = cast<uint32_t>(wide >> uint64_t{32});
  }
  std::array<Array<D, uint32_t>, 4> words(const Random& key) const {
    return philox<Array<D, uint32_t>>({block, block_high, zero, zero + for_numbers}, key.key());
  }
  Array<D, bool> has_bit(uint32_t bit) const { return (number & bit) != 0u; }

  Array<D, uint32_t> zero, number, block, block_high;
};

// Returns the word that the last two bits of the index of an element select.
template <class U, class Flag>
U chosen_word(const std::array<U, 4>& words, const Flag& second_bit, const Flag& first_bit) {
  return cond(second_bit, cond(first_bit, words[3], words[2]), cond(first_bit, words[1], words[0]));
}
template <int D>
Array<D, uint64_t> joined(const Array<D, uint32_t>& high, const Array<D, uint32_t>& low) {
  return (cast<uint64_t>(high) << uint64_t{32}) | cast<uint64_t>(low);
}

// Returns numbers between 0 and 1, both excluded, with the full resolution of the type.
template <int D>
Array<D, double> inside(const Array<D, uint64_t>& bits) {
  return (cast<double>(bits >> uint64_t{12}) + 0.5) * 0x1p-52;
}
template <int D>
Array<D, float> inside(const Array<D, uint32_t>& bits) {
  return (cast<float>(bits >> 9u) + 0.5f) * 0x1p-23f;
}

template <class T>
concept RandomFloat = std::is_same_v<T, float> || std::is_same_v<T, double>;
// Numbers that do not say what the elements are: integers, or a float beside a double.
template <class A, class B>
concept UndecidedNumbers =
    std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !(std::is_same_v<A, B> && RandomFloat<A>);

}  // namespace detail

inline Random Random::split(uint64_t number) const {
  const std::array<uint32_t, 4> words = detail::philox<uint32_t>(
      {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32), 0u, detail::for_keys},
      key_);
  return Random(words[0] | uint64_t{words[1]} << 32);
}

// Returns 32 random bits for each element. Element i is word i % 4 of block i / 4.
template <int D>
Array<D, uint32_t> random_bits(
    const Random& key, const Shape<D>& shape,
    const std::source_location& where = std::source_location::current()) {
  const detail::Numbering<D> numbering(shape, 2, where);
  return detail::chosen_word(numbering.words(key), numbering.has_bit(2), numbering.has_bit(1));
}

// Returns 64 random bits for each element: two words of a block.
template <int D>
Array<D, uint64_t> random_bits64(
    const Random& key, const Shape<D>& shape,
    const std::source_location& where = std::source_location::current()) {
  const detail::Numbering<D> numbering(shape, 1, where);
  const auto words = numbering.words(key);
  const Array<D, bool> second = numbering.has_bit(1);
  return detail::joined(Array<D, uint32_t>(cond(second, words[2], words[0])),
                        Array<D, uint32_t>(cond(second, words[3], words[1])));
}

// Returns numbers from 0 up to, but not including, 1: multiples of 2^-24, or of 2^-53.
template <detail::RandomFloat T = float, int D>
Array<D, T> uniform(const Random& key, const Shape<D>& shape,
                    const std::source_location& where = std::source_location::current()) {
  if constexpr (std::is_same_v<T, float>)
    return cast<float>(random_bits(key, shape, where) >> 8u) * 0x1p-24f;
  else
    return cast<double>(random_bits64(key, shape, where) >> uint64_t{11}) * 0x1p-53;
}
// Returns numbers from `low` to `high`. `high` itself may occur by rounding.
template <detail::RandomFloat T, int D>
Array<D, T> uniform(const Random& key, const Shape<D>& shape, T low, T high,
                    const std::source_location& where = std::source_location::current()) {
  return uniform<T>(key, shape, where) * (high - low) + low;
}
template <detail::RandomFloat T = float, int D, class L, class H>
requires detail::UndecidedNumbers<L, H>
Array<D, T> uniform(const Random& key, const Shape<D>& shape, L low, H high,
                    const std::source_location& where = std::source_location::current()) {
  return uniform<T>(key, shape, static_cast<T>(low), static_cast<T>(high), where);
}

// Returns integers from `low` up to, but not including, `high`. Their probabilities differ by at
// most (high - low) / 2^32, relatively.
template <class T = int32_t, int D>
requires std::is_integral_v<T>
Array<D, T> integers(const Random& key, const Shape<D>& shape, int64_t low, int64_t high,
                     const std::source_location& where = std::source_location::current()) {
  const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  if (low >= high || count > uint64_t{1} << 32)
    throw ShapeError("integers from " + std::to_string(low) + " to " + std::to_string(high) +
                     ": there must be at least one and at most 2^32 of them" +
                     detail::at(detail::Location(where)));
  if (low < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
      (sizeof(T) < 8 && high - 1 > static_cast<int64_t>(std::numeric_limits<T>::max())))
    throw TypeError("integers from " + std::to_string(low) + " to " + std::to_string(high) +
                    " do not fit the type of the elements" + detail::at(detail::Location(where)));
  const Array<D, uint64_t> chosen =
      (cast<uint64_t>(random_bits(key, shape, where)) * count) >> uint64_t{32};
  return cast<T>(chosen + static_cast<uint64_t>(low));
}

// Returns normally distributed numbers, by the Box-Muller transform: two elements share a radius.
template <detail::RandomFloat T = float, int D>
Array<D, T> normal(const Random& key, const Shape<D>& shape, T mean = 0, T deviation = 1,
                   const std::source_location& where = std::source_location::current()) {
  constexpr bool single = std::is_same_v<T, float>;
  const detail::Numbering<D> numbering(shape, single ? 2 : 1, where);
  const auto words = numbering.words(key);
  constexpr T turn = static_cast<T>(6.283185307179586476925286766559);
  const auto normal_of = [&](const Array<D, T>& radius, const Array<D, T>& angle) {
    const Array<D, T> length = sqrt(log(radius) * T{-2});
    const Array<D, T> unit = cond(numbering.has_bit(1), sin(angle * turn), cos(angle * turn));
    return length * unit * deviation + mean;
  };
  if constexpr (single) {
    const Array<D, bool> second = numbering.has_bit(2);
    return normal_of(detail::inside(cond(second, words[2], words[0])),
                     detail::inside(cond(second, words[3], words[1])));
  } else {
    return normal_of(detail::inside(detail::joined(words[0], words[1])),
                     detail::inside(detail::joined(words[2], words[3])));
  }
}
template <detail::RandomFloat T = float, int D, class M, class S = M>
requires detail::UndecidedNumbers<M, S>
Array<D, T> normal(const Random& key, const Shape<D>& shape, M mean, S deviation = S{1},
                   const std::source_location& where = std::source_location::current()) {
  return normal<T>(key, shape, static_cast<T>(mean), static_cast<T>(deviation), where);
}

// Returns exponentially distributed numbers: waiting times of events with this rate, above 0.
template <detail::RandomFloat T = float, int D>
Array<D, T> exponential(const Random& key, const Shape<D>& shape, T rate = 1,
                        const std::source_location& where = std::source_location::current()) {
  if (!(rate > 0))
    throw ShapeError("exponential: a rate of " + std::to_string(rate) + " is not above 0" +
                     detail::at(detail::Location(where)));
  if constexpr (std::is_same_v<T, float>)
    return log(detail::inside(random_bits(key, shape, where))) / -rate;
  else
    return log(detail::inside(random_bits64(key, shape, where))) / -rate;
}
template <detail::RandomFloat T = float, int D, detail::Integer I>
Array<D, T> exponential(const Random& key, const Shape<D>& shape, I rate,
                        const std::source_location& where = std::source_location::current()) {
  return exponential<T>(key, shape, static_cast<T>(rate), where);
}

// Returns flags that are set with this probability, rounded to 2^-32.
template <int D>
Array<D, bool> bernoulli(const Random& key, const Shape<D>& shape, double probability,
                         const std::source_location& where = std::source_location::current()) {
  if (!(probability >= 0 && probability <= 1))
    throw ShapeError("bernoulli: a probability of " + std::to_string(probability) +
                     " is not between 0 and 1" + detail::at(detail::Location(where)));
  return cast<uint64_t>(random_bits(key, shape, where)) <
         static_cast<uint64_t>(probability * 0x1p32);
}

// Returns the numbers from 0 to n - 1 in random order.
inline Array<1, int32_t> permutation(
    const Random& key, int64_t n,
    const std::source_location& where = std::source_location::current()) {
  return sort_permutation(random_bits64(key, Shape<1>(n), where), Order::ascending, where);
}
// Returns the elements in random order.
template <class T>
Array<1, T> shuffle(const Random& key, const Array<1, T>& a,
                    const std::source_location& where = std::source_location::current()) {
  return gather(a, permutation(key, a.size(), where));
}
// Draws n elements with replacement.
template <class T>
Array<1, T> choice(const Random& key, const Array<1, T>& a, int64_t n,
                   const std::source_location& where = std::source_location::current()) {
  if (a.size() == 0)
    throw ShapeError("choice from an array without elements" + detail::at(detail::Location(where)));
  return gather(a, integers<int32_t>(key, Shape<1>(n), 0, a.size(), where));
}

// ---- inside of programs: the numbers of element `number`

// Return the same numbers as the elements with index `number` of random arrays.
inline Value<1, uint32_t> random_bits(const Random& key, const Value<1, uint32_t>& number) {
  using Word = Value<1, uint32_t>;
  const auto words = detail::philox<Word>(
      {number >> 2u, Word(0u), Word(0u), Word(detail::for_numbers)}, key.key());
  return detail::chosen_word(words, (number & 2u) != 0u, (number & 1u) != 0u);
}
inline Value<1, float> uniform(const Random& key, const Value<1, uint32_t>& number) {
  return cast<Value<1, float>>(random_bits(key, number) >> 8u) * 0x1p-24f;
}

}  // namespace tutti
TUTTI_END_EXPORTS
