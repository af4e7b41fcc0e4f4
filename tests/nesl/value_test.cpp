// Values on the host: how they are stored, and that sequences of every type read as they were made.
#include "nesl/values/value.hpp"

#include <gtest/gtest.h>

#include "tutti/detail/nested.hpp"

namespace tutti::nesl_test {
namespace {

using nesl::Value;
using nesl::Values;

TEST(Values, SequencesOfScalarsAreBareNumbers) {
  EXPECT_LE(sizeof(Value), 16u);
  EXPECT_EQ(Value::text("abc").elements().numbers<unsigned char>().size(), 3u);
  Values ints;
  ints.reserve(2);
  ints.push_back(4);
  ints.emplace_back(5);
  EXPECT_EQ(ints.numbers<int>()[1], 5);
  EXPECT_EQ(ints.numbers<double>().size(), 0u);
  EXPECT_EQ(Values(3, Value(0.5)).numbers<double>()[2], 0.5);
}

TEST(Values, AreReadAsTheyWereMade) {
  const std::vector<Values> all = {
      Values{1, 2, 3},
      Values{0.5, 1.5, -2.0},
      Values{true, false, true},
      Values{Value(static_cast<unsigned char>('a')), Value(static_cast<unsigned char>(0)),
             Value(static_cast<unsigned char>(255))},
      Values{Value(Value(1), Value(2.5)), Value(Value(2), Value(3.5)), Value(Value(3), Value(4.5))},
      Values{Value(Values{}), Value(Values{7}), Value(Values{8, 9})}};
  using nesl::mono::boolean, nesl::mono::character, nesl::mono::floating, nesl::mono::integer;
  const nesl::Mono types[] = {integer(),
                              floating(),
                              boolean(),
                              character(),
                              nesl::mono::pair(integer(), floating()),
                              nesl::mono::sequence(integer())};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Values& made = all[i];
    const auto same = [&](const Value& a, const Value& b) { return equal(a, b, types[i]); };
    Values other;
    for (const Value& element : made) other.push_back(element);
    other.append(made, 1, 3);
    other.set(0, made[2]);
    ASSERT_EQ(other.size(), 5u);
    const std::size_t from[] = {2, 1, 2, 1, 2};
    for (std::size_t k = 0; k < 5; ++k) EXPECT_TRUE(same(other[k], made[from[k]])) << i << " " << k;
    EXPECT_TRUE(same(made.part(1, 2)[0], made[1]));
    EXPECT_TRUE(made.part(2, 2).empty());
    EXPECT_TRUE(same(Values(2, made[1])[1], made[1]));
  }
}

TEST(Values, KnowWhetherAPartIsElsewhere) {
  const Value far = Value::elsewhere({});
  EXPECT_FALSE(far.is_plain());
  EXPECT_TRUE(far.is_elsewhere());
  const Value pair(Value(1), Value(Value(2), far));
  EXPECT_FALSE(pair.is_plain());
  EXPECT_FALSE(pair.is_elsewhere());
  EXPECT_TRUE(pair.first().is_plain());
  EXPECT_TRUE(Value(Value(1), Value(Values{2})).is_plain());
}

}  // namespace
}  // namespace tutti::nesl_test
