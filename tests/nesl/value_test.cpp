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
    const int zero[] = {0}, order[] = {1, 1, 0}, begins[] = {2, 0, 1}, ends[] = {3, 0, 3};
    other.scatter(zero, made.part(2, 3));
    ASSERT_EQ(other.size(), 5u);
    const std::size_t from[] = {2, 1, 2, 1, 2};
    for (std::size_t k = 0; k < 5; ++k) EXPECT_TRUE(same(other[k], made[from[k]])) << i << " " << k;
    EXPECT_TRUE(same(made.part(1, 2)[0], made[1]));
    EXPECT_TRUE(made.part(2, 2).empty());
    EXPECT_TRUE(same(Values(2, made[1])[1], made[1]));
    EXPECT_TRUE(same(made.gathered(order)[1], made[1]));
    EXPECT_TRUE(same(made.gathered(order)[2], made[0]));
    ASSERT_EQ(made.gathered_ranges(begins, ends).size(), 3u);
    EXPECT_TRUE(same(made.gathered_ranges(begins, ends)[1], made[1]));
  }
}

// Sequences of short sequences are one sequence and offsets; a long one makes all of them objects.
TEST(Values, ShortSequencesAreRows) {
  const nesl::Mono ints = nesl::mono::sequence(nesl::mono::integer());
  const Values three{Value(Values{1, 2}), Value(Values{}), Value(Values{3})};
  ASSERT_TRUE(three.are_rows());
  EXPECT_EQ(three.contents().elements().numbers<int>()[2], 3);
  EXPECT_EQ(three.offsets()[2], 2);
  const Value long_one = Values(Values::longest_row + 1, 7), longest = Values(Values::longest_row, 7);
  Values mixed = three;
  mixed.push_back(longest);
  EXPECT_TRUE(mixed.are_rows());
  mixed.push_back(long_one);
  EXPECT_FALSE(mixed.are_rows());
  mixed.append(three);  // rows to objects
  Values other = three;
  other.append(mixed, 3, 6);  // objects to rows
  const int two[] = {2};
  other.scatter(two, mixed.part(4, 5));
  ASSERT_EQ(mixed.size(), 8u);
  ASSERT_EQ(other.size(), 6u);
  for (const auto& [got, wanted] :
       {std::pair(mixed[0], three[0]), {mixed[3], longest}, {mixed[4], long_one},
        {mixed[7], three[2]}, {other[2], long_one}, {other[4], long_one}, {other[5], three[0]}})
    EXPECT_TRUE(equal(got, wanted, ints));
  EXPECT_TRUE(three.are_rows());  // what others share does not change
  EXPECT_EQ(three.size(), 3u);
  // Made of contents and lengths, and compared.
  EXPECT_TRUE(equal(Values::nested({0, 2, 2, 3}, Values{1, 2, 3}), three, nesl::mono::sequence(ints)));
  EXPECT_FALSE(equal(Values::nested({0, 1, 2, 3}, Values{1, 2, 3}), three, nesl::mono::sequence(ints)));
  EXPECT_FALSE(Values::nested({0, 1, 258}, Values(258, 1)).are_rows());
  EXPECT_TRUE(Values::nested({0}, Values()).empty());
}

// Columns and contents that several sequences share are copied before they change.
TEST(Values, SharedColumnsDoNotChange) {
  const Value first = Values{1, 2}, second = Values{Value(Values{3}), Value(Values{4, 5})};
  const Values pairs = Values::zipped(first, second);
  Values more = pairs;
  more.push_back(Value(Value(6), Value(Values{7})));
  const int one[] = {1};
  more.scatter(one, more.part(2, 3));
  EXPECT_EQ(more.size(), 3u);
  EXPECT_EQ(more[1].first().integer(), 6);
  EXPECT_EQ(pairs.size(), 2u);
  EXPECT_EQ(first.elements().size(), 2u);
  EXPECT_EQ(pairs[1].second().elements().size(), 2u);
  EXPECT_EQ(second.elements()[1].elements()[1].integer(), 5);
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
