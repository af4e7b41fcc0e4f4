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

// Many short sequences are one sequence and offsets; a long one makes all of them objects.
TEST(Values, ShortSequencesAreRows) {
  const nesl::Mono ints = nesl::mono::sequence(nesl::mono::integer());
  Values few, rows;
  for (int i = 0; i < 10; ++i) {
    rows.push_back(Values(static_cast<std::size_t>(i % 3), Value(i)));
    if (i < 3) few.push_back(rows[static_cast<std::size_t>(i)]);
  }
  EXPECT_FALSE(few.are_rows());
  ASSERT_TRUE(rows.are_rows());
  EXPECT_EQ(rows.contents().elements().numbers<int>()[1], 2);
  EXPECT_EQ(rows.offsets()[4], 3);
  const Value longest = Values(Values::longest_row, 7),
              long_one = Values(Values::longest_row + 1, 7);
  Values mixed = rows;
  mixed.push_back(longest);
  EXPECT_TRUE(mixed.are_rows());
  mixed.push_back(long_one);
  EXPECT_FALSE(mixed.are_rows());
  mixed.append(rows);  // rows to objects
  Values other = few;
  other.append(rows);  // rows to a few
  EXPECT_TRUE(other.are_rows());
  other.append(mixed, 10, 13);  // objects to rows
  const int two[] = {2};
  other.scatter(two, mixed.part(11, 12));
  ASSERT_EQ(mixed.size(), 22u);
  ASSERT_EQ(other.size(), 16u);
  for (const auto& [got, wanted] : {std::pair(mixed[1], rows[1]),
                                    {mixed[10], longest},
                                    {mixed[11], long_one},
                                    {mixed[14], rows[2]},
                                    {other[1], rows[1]},
                                    {other[2], long_one},
                                    {other[5], rows[2]},
                                    {other[13], longest},
                                    {other[14], long_one},
                                    {other[15], rows[0]}})
    EXPECT_TRUE(equal(got, wanted, ints));
  EXPECT_TRUE(rows.are_rows());  // what others share does not change
  EXPECT_EQ(rows.size(), 10u);
  // Made of contents and lengths, and compared.
  const Values three{Value(Values{1, 2}), Value(Values{}), Value(Values{3})};
  const Values nested = Values::nested({0, 2, 2, 3}, Values{1, 2, 3});
  EXPECT_TRUE(equal(nested, three, nesl::mono::sequence(ints)));
  EXPECT_TRUE(equal(nested, nested.part(0, 3), nesl::mono::sequence(ints)));
  EXPECT_FALSE(
      equal(nested, Values::nested({0, 1, 2, 3}, Values{1, 2, 3}), nesl::mono::sequence(ints)));
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
