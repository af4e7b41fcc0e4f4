// Random numbers inside of programs, by the index of an element, and distributions that need a
// loop for each element: Poisson numbers. An index gives the same number as the element of a random
// array with this index.
//
//   Program walk = program([&](Value<1, uint32_t> i) { return normal(key, i) * 0.5f; });
#pragma once
#include "tutti/control.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/program.hpp"
#include "tutti/random.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

using RandomIndex = Value<1, uint32_t>;

namespace detail {

// The last word of a counter whose third word numbers the attempts for one element.
constexpr uint32_t for_attempts = 2;
// Greater rates have results that may not fit int32.
constexpr double greatest_poisson_rate = 0x1p30;

inline std::array<RandomIndex, 4> words_of_block(const Random& key, const RandomIndex& block) {
  return philox<RandomIndex>({block, RandomIndex(0u), RandomIndex(0u), RandomIndex(for_numbers)},
                             key.key());
}
inline Value<1, uint64_t> joined(const RandomIndex& high, const RandomIndex& low) {
  using Wide = Value<1, uint64_t>;
  return (cast<Wide>(high) << uint64_t{32}) | cast<Wide>(low);
}
// Return numbers between 0 and 1, both excluded.
inline Value<1, double> inside(const Value<1, uint64_t>& bits) {
  return (cast<Value<1, double>>(bits >> uint64_t{12}) + 0.5) * 0x1p-52;
}
inline Value<1, float> inside(const RandomIndex& bits) {
  return (cast<Value<1, float>>(bits >> 9u) + 0.5f) * 0x1p-23f;
}

}  // namespace detail

// Returns 64 random bits.
inline Value<1, uint64_t> random_bits64(const Random& key, const RandomIndex& number) {
  const auto words = detail::words_of_block(key, number >> 1u);
  const Value<1, bool> second = (number & 1u) != 0u;
  return detail::joined(cond(second, words[2], words[0]), cond(second, words[3], words[1]));
}
// Returns a number from 0 up to, but not including, 1, as a double: uniform<double>(key, i).
template <class T>
requires std::is_same_v<T, double>
Value<1, T> uniform(const Random& key, const RandomIndex& number) {
  return cast<Value<1, double>>(random_bits64(key, number) >> uint64_t{11}) * 0x1p-53;
}
// Returns an integer from `low` up to, but not including, `high`.
inline Value<1, int32_t> integers(const Random& key, const RandomIndex& number, int32_t low,
                                  int32_t high) {
  if (low >= high)
    throw ShapeError("integers from " + std::to_string(low) + " to " + std::to_string(high) +
                     ": there must be at least one");
  using Wide = Value<1, uint64_t>;
  const auto count = static_cast<uint64_t>(static_cast<int64_t>(high) - low);
  const Wide chosen = (cast<Wide>(random_bits(key, number)) * count) >> uint64_t{32};
  return cast<Value<1, int32_t>>(chosen + static_cast<uint64_t>(static_cast<int64_t>(low)));
}
// Returns a normally distributed number of mean 0 and deviation 1.
template <detail::RandomFloat T = float>
Value<1, T> normal(const Random& key, const RandomIndex& number) {
  constexpr bool single = std::is_same_v<T, float>;
  constexpr T turn = static_cast<T>(6.283185307179586476925286766559);
  const auto normal_of = [&](const Value<1, T>& radius, const Value<1, T>& angle) {
    const Value<1, T> length = sqrt(log(radius) * T{-2});
    const Value<1, bool> odd = (number & 1u) != 0u;
    return Value<1, T>(length * cond(odd, sin(angle * turn), cos(angle * turn)));
  };
  if constexpr (single) {
    const auto words = detail::words_of_block(key, number >> 2u);
    const Value<1, bool> second = (number & 2u) != 0u;
    return normal_of(detail::inside(RandomIndex(cond(second, words[2], words[0]))),
                     detail::inside(RandomIndex(cond(second, words[3], words[1]))));
  } else {
    const auto words = detail::words_of_block(key, number >> 1u);
    return normal_of(detail::inside(detail::joined(words[0], words[1])),
                     detail::inside(detail::joined(words[2], words[3])));
  }
}
// Returns an exponentially distributed number of mean 1.
template <detail::RandomFloat T = float>
Value<1, T> exponential(const Random& key, const RandomIndex& number) {
  if constexpr (std::is_same_v<T, float>)
    return log(detail::inside(random_bits(key, number))) / -1.0f;
  else
    return log(detail::inside(random_bits64(key, number))) / -1.0;
}
// Returns a flag that is set with this probability, rounded to 2^-32.
inline Value<1, bool> bernoulli(const Random& key, const RandomIndex& number, double probability) {
  if (!(probability >= 0 && probability <= 1))
    throw ShapeError("bernoulli: a probability of " + std::to_string(probability) +
                     " is not between 0 and 1");
  return cast<Value<1, uint64_t>>(random_bits(key, number)) <
         static_cast<uint64_t>(probability * 0x1p32);
}

namespace detail {

// Two numbers between 0 and 1 for an attempt at one element.
struct Attempt {
  Value<1, double> first, second;
};
inline Attempt attempt(const Random& key, const RandomIndex& number, const RandomIndex& which) {
  const auto words =
      philox<RandomIndex>({number, RandomIndex(0u), which, RandomIndex(for_attempts)}, key.key());
  return {inside(joined(words[0], words[1])), inside(joined(words[2], words[3]))};
}

// Counts how many terms of the distribution a uniform number exceeds.
inline void small_poisson(const Random& key, const RandomIndex& number,
                          const Value<1, double>& rate, Value<1, double>& result) {
  Value<1, double> rest = attempt(key, number, RandomIndex(0u)).first, term = exp(-rate);
  // For rates below 10, all terms after the 60th are less than the last bit of the sum.
  TUTTI_WHILE(rest > term && result < 60.0) {
    rest -= term;
    result += 1.0;
    term *= rate / result;
  }
  TUTTI_ENDWHILE;
}

// W. Hörmann, "The transformed rejection method for generating Poisson random variables", 1993:
// algorithm PTRS.
inline void large_poisson(const Random& key, const RandomIndex& number,
                          const Value<1, double>& rate, Value<1, double>& result) {
  const Value<1, double> b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
  const Value<1, double> log_factor = log(1.1239 + 1.1328 / (b - 3.4));
  const Value<1, double> accepted = 0.9277 - 3.6224 / (b - 2.0), log_rate = log(rate);
  RandomIndex which = 0u;
  Value<1, bool> found = false;
  // More than three of four attempts succeed, so the bound is never reached.
  TUTTI_WHILE(!found && which < 1000u) {
    const Attempt numbers = attempt(key, number, which);
    const Value<1, double> u = numbers.first - 0.5, v = numbers.second, us = 0.5 - abs(u);
    const Value<1, double> k = floor((2.0 * a / us + b) * u + rate + 0.43);
    const Value<1, bool> at_once = us >= 0.07 && v <= accepted;
    const Value<1, bool> never_taken = k < 0.0 || (us < 0.013 && v > us);
    const Value<1, double> weight = k * log_rate - rate - lgamma(k + 1.0);
    const Value<1, bool> taken = log(v) + log_factor - log(a / (us * us) + b) <= weight;
    found = at_once || (!never_taken && taken);
    result = k;
    which += 1u;
  }
  TUTTI_ENDWHILE;
}

}  // namespace detail

// Returns a Poisson number: how many events of this rate happen in a unit of time. -1 for a rate
// that is NaN, negative or above 2^30. Only inside of programs, because it takes loops.
inline Value<1, int32_t> poisson(const Random& key, const RandomIndex& number,
                                 const Value<1, double>& rate) {
  Value<1, double> result = -1.0;
  TUTTI_IF(rate >= 0.0 && rate < 10.0) {
    result = 0.0;
    detail::small_poisson(key, number, rate, result);
  }
  TUTTI_ELSEIF(rate >= 10.0 && rate <= detail::greatest_poisson_rate) {
    detail::large_poisson(key, number, rate, result);
  }
  TUTTI_ENDIF;
  return cast<Value<1, int32_t>>(result);
}

// Returns Poisson numbers, each with its own rate. Elements whose rate is NaN, negative or above
// 2^30 are -1.
template <int D, detail::RandomFloat T>
Array<D, int32_t> poisson(const Random& key, const Array<D, T>& rates,
                          const std::source_location& where = std::source_location::current()) {
  if (rates.size() > int64_t{UINT32_MAX})
    throw ShapeError("poisson: " + std::to_string(rates.size()) +
                     " elements are more than one key has numbers for: split the key and the "
                     "array" +
                     detail::at(detail::Location(where)));
  const Program drawn = program(
      [&](RandomIndex number, Value<1, double> rate) { return poisson(key, number, rate); }, where);
  const detail::Numbering<D> numbering(rates.shape(), 0, where);
  return drawn(numbering.number, cast<double>(rates));
}
// Returns Poisson numbers of one rate.
template <int D>
Array<D, int32_t> poisson(const Random& key, const Shape<D>& shape, double rate,
                          const std::source_location& where = std::source_location::current()) {
  if (!(rate >= 0 && rate <= detail::greatest_poisson_rate))
    throw ShapeError("poisson: a rate of " + std::to_string(rate) + " is not between 0 and 2^30" +
                     detail::at(detail::Location(where)));
  return poisson(key, Array<D, double>(shape, rate), where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
