// Division of integers by one number for all elements, which is compiled to multiplications. Tried
// are all divisors of 8 bits, and the extreme ones and many others of 16 and 32 bits.
#include <random>

#include "numerics/scalar_ops.hpp"
#include "support/compare.hpp"

namespace tutti::test {
namespace {

template <class T>
class DivisionByOneNumber : public testing::Test {
 protected:
  // Numbers at which quotients change or bits run out, and random ones.
  static std::vector<T> numbers(int random) {
    std::vector<T> result;
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    for (int i = 0; i < 12; ++i) {
      result.push_back(static_cast<T>(least + i));
      result.push_back(static_cast<T>(most - i));
      result.push_back(static_cast<T>(i - 6));
    }
    for (unsigned bit = 2; bit < 8 * sizeof(T); ++bit)
      for (const int beside : {-1, 0, 1}) {
        const auto power = static_cast<uint64_t>(1) << bit;
        result.push_back(static_cast<T>(power + static_cast<uint64_t>(beside)));
        result.push_back(static_cast<T>(0 - power + static_cast<uint64_t>(beside)));
      }
    std::mt19937_64 source(20261116);
    for (int i = 0; i < random; ++i) result.push_back(static_cast<T>(source() >> (source() % 64)));
    return result;
  }

  static std::vector<T> divisors() {
    if (sizeof(T) > 1) return numbers(200);
    std::vector<T> all;
    for (int i = 0; i < 256; ++i) all.push_back(static_cast<T>(i));
    return all;
  }
};

using Integers =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(DivisionByOneNumber, Integers);

TYPED_TEST(DivisionByOneNumber, IsExact) {
  using T = TypeParam;
  std::vector<T> numbers = this->numbers(1000);
  if (sizeof(T) == 1)
    for (int i = 0; i < 256; ++i) numbers.push_back(static_cast<T>(i));
  const Array<1, T> x(numbers);
  for (const T divisor : this->divisors()) {
    const Array<1, T> quotient = x / divisor, remainder = x % divisor;
    evaluate(quotient, remainder);
    const std::vector<T> quotients = quotient.to_vector(), remainders = remainder.to_vector();
    for (size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(quotients[i], ir::divide(numbers[i], divisor)) << +numbers[i] << " / " << +divisor;
      ASSERT_EQ(remainders[i], ir::remainder(numbers[i], divisor))
          << +numbers[i] << " % " << +divisor;
    }
  }
}

}  // namespace
}  // namespace tutti::test
