// Bad input: an error names the operation, what is wrong, the first instance and the line. It is
// thrown when a result is read, or earlier. Instances that do not reach an operation do not fail in
// it.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include "core/process/thread.hpp"
#include "support/errors.hpp"

namespace tutti::test {
namespace {

using Ints = std::vector<int>;
using Rows = std::vector<Ints>;

void expect_in_message(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" in: " << message;
}

const Seq<Seq<int>> rows = Rows{{1, 2, 3}, {}, {4, 5}, {6}};

TEST(NestedErrors, IndexOutOfRange) {
  const Seq<int> s = Ints{1, 2, 3};
  expect_in_message(message_of([&] { s[3].item(); }),
                    {"index", "no element 3", "sequence of 3", "errors_test.cpp:"});
  expect_in_message(message_of([&] { s[-1].item(); }), {"index", "no element -1"});
  expect_in_message(message_of([&] { s[Seq<int>(Ints{0, 2, 7})].to_vector(); }),
                    {"gather", "no element 7", "for element [2]"});
  expect_in_message(message_of([&] { Seq<int>()[0].item(); }), {"index", "sequence of 0"});
}

TEST(NestedErrors, ValuesThatWereMovedFrom) {
  Seq<int> s = Ints{1, 2};
  Scalar<int> n = length(s);
  const Seq<int> t = std::move(s);
  const Scalar<int> m = std::move(n);
  expect_in_message(message_of([&] { length(s).item(); }), {"length", "moved from"});
  expect_in_message(message_of([&] { sum(s).item(); }), {"sum", "moved from"});
  expect_in_message(message_of([&] { s.to_vector(); }), {"moved from"});
  expect_in_message(message_of([&] { each(s, [](Scalar<int> x) { return x + 1; }); }),
                    {"each", "moved from"});
  expect_in_message(message_of([&] { (n + 1).item(); }), {"moved from"});
  EXPECT_EQ(sum(t).item() + m.item(), 5);
}

Scalar<int> endless(const Scalar<int>& n) {
  return if_(n >= 0, [&] { return endless(n + 1); }, [&] { return n; });
}
Seq<int> endless(const Seq<int>& s) {
  return each(s, [](Scalar<int> x) { return sum(endless(seq(x))); });
}

TEST(NestedErrors, RecursionWithoutAnEnd) {
  static std::string by_branches, by_elements;
  const auto recurse = [](void*) {
    by_branches = message_of([] { endless(Scalar<int>(1)).item(); });
    by_elements = message_of([] { endless(Seq<int>(Ints{1})).to_vector(); });
  };
  for (const size_t kilobytes : {64, 128, 256}) {  // a larger one takes a while
    run_with_stack(kilobytes << 10, recurse, nullptr);
    expect_in_message(by_branches, {"if_", "recursion", "errors_test.cpp:"});
    expect_in_message(by_elements, {"each", "recursion", "errors_test.cpp:"});
  }
  EXPECT_EQ(sum(Seq<int>(Ints{1, 2})).item(), 3);
}

TEST(NestedErrors, NameTheFirstInstance) {
  expect_in_message(
      message_of([&] { each(rows, [](Seq<int> row) { return row[1]; }).to_vector(); }),
      {"index", "no element 1 in a sequence of 0", "for element [1]", "errors_test.cpp:"});
  expect_in_message(message_of([&] {
                      each(rows, [](Seq<int> row) {
                        return each(row, [&](Scalar<int> x) { return row[x - 1]; });
                      }).to_nested_vector();
                    }),
                    {"index", "no element 3 in a sequence of 2", "for element [2][0]"});
}

TEST(NestedErrors, LengthsThatDoNotFit) {
  const Seq<int> two = Ints{1, 2}, three = Ints{1, 2, 3};
  const auto add = [](Scalar<int> x, Scalar<int> y) { return x + y; };
  expect_in_message(message_of([&] { each(two, three, add).to_vector(); }),
                    {"each", "sequences of 2 and 3 elements", "errors_test.cpp:"});
  expect_in_message(message_of([&] { zip(three, two).to_vector(); }),
                    {"zip", "sequences of 3 and 2 elements"});
  expect_in_message(message_of([&] { Seq<int>(two * three).to_vector(); }),
                    {"multiply", "sequences of 2 and 3 elements", "errors_test.cpp:"});
  expect_in_message(message_of([&] { filter(three, two > 0).to_vector(); }),
                    {"filter", "sequences of 3 and 2"});
  expect_in_message(
      message_of([&] { each(rows, [&](Seq<int> row) { return sum(row * two); }).to_vector(); }),
      {"multiply", "sequences of 3 and 2 elements", "for element [0]"});
  // As many elements in all, but not in each sequence.
  const Seq<Seq<int>> others = Rows{{1, 2, 3}, {7, 8}, {}, {6}};
  expect_in_message(
      message_of([&] {
        each(rows, others, [](Seq<int> a, Seq<int> b) { return sum(a * b); }).to_vector();
      }),
      {"multiply", "sequences of 0 and 2 elements", "for element [1]"});
}

TEST(NestedErrors, CountsAndCuts) {
  const Seq<int> s = Ints{1, 2, 3};
  expect_in_message(message_of([&] { iota(-2).to_vector(); }), {"iota", "sequence of -2 elements"});
  expect_in_message(message_of([&] { distribute(1, sum(s) - 10).to_vector(); }),
                    {"distribute", "sequence of -4 elements"});
  expect_in_message(message_of([&] { partition(s, Ints{1, 1}).to_nested_vector(); }),
                    {"partition", "add up to 2", "has 3 elements"});
  expect_in_message(message_of([&] { partition(s, Ints{4, -1}).to_nested_vector(); }),
                    {"partition", "sequence of -1 elements", "for element [1]"});
  expect_in_message(message_of([&] { take(s, 4).to_vector(); }),
                    {"slice", "4 elements from element 0", "sequence of 3"});
  expect_in_message(message_of([&] { slice(s, 2, 2).to_vector(); }), {"slice", "from element 2"});
  expect_in_message(message_of([&] { permute(s, Ints{0, 1, 3}).to_vector(); }),
                    {"permute", "no place 3 in a sequence of 3", "for element [2]"});
  expect_in_message(message_of([&] { put(s, Ints{-1}, Ints{5}).to_vector(); }),
                    {"put", "no place -1"});
  expect_in_message(message_of([&] {
                      each(rows, [](Seq<int> row) {
                        return partition(row, seq(2, length(row) - 2));
                      }).to_nested_vector();
                    }),
                    {"partition", "sequence of -2 elements", "for element [1][1]"});
}

TEST(NestedErrors, ValuesOutsideOfTheirContext) {
  Scalar<int> leaked;
  each(rows, [&](Seq<int> row) {
    leaked = length(row);
    return leaked;
  });
  expect_in_message(message_of([&] { leaked.item(); }), {"item", "outside"});
  expect_in_message(message_of([&] { Scalar<int>(leaked + 1).item(); }), {"add", "outside"});
  expect_in_message(message_of([&] {
                      each(rows, [&](Seq<int> row) {
                        row.to_vector();
                        return 0;
                      });
                    }),
                    {"to_vector", "outside"});
}

// What an instance does not get to cannot fail in it.
// Also where no element is ever computed.
TEST(NestedErrors, MoreElementsThanAVectorHolds) {
  const Seq<int> many(Ints(70000, 70000));
  const auto sequences = [&] { return each(many, [](Scalar<int> n) { return iota(n); }); };
  const std::initializer_list<const char*> parts = {
      "flatten", "sequences of 4900000000 elements in all", "at most 2^31 - 1", "errors_test.cpp:"};
  expect_in_message(message_of([&] { length(flatten(sequences())).item(); }), parts);
  expect_in_message(message_of([&] { sum(flatten(sequences())).item(); }), parts);
  const Scalar<bool> never = length(many) < 0;
  EXPECT_EQ(if_(
                never, [&] { return length(flatten(sequences())); }, [&] { return length(many); })
                .item(),
            70000);
}

TEST(NestedErrors, OnlyWhereTheProgramGoes) {
  const auto first_or_zero = [](Seq<int> row) {
    return if_(length(row) > 0, [&] { return row[0]; }, [] { return 0; });
  };
  EXPECT_EQ(each(rows, first_or_zero).to_vector(), (Ints{1, 0, 4, 6}));
  // row[0] does not depend on the element, but the empty row has no elements to ask for it.
  EXPECT_EQ(
      each(rows, [](Seq<int> row) { return each(row, [&](Scalar<int> x) { return x + row[0]; }); })
          .to_nested_vector(),
      (Rows{{2, 3, 4}, {}, {8, 9}, {12}}));
  // The same through sequences, which are computed further out than they are written.
  EXPECT_EQ(each(rows,
                 [](Seq<int> row) {
                   return each(
                       row, [&](Scalar<int> x) { return x + sum(row * row[iota(length(row))]); });
                 })
                .to_nested_vector(),
            (Rows{{15, 16, 17}, {}, {45, 46}, {42}}));
}

TEST(NestedErrors, AreOver) {
  const Seq<int> s = Ints{1, 2, 3};
  EXPECT_THROW(s[5].item(), ShapeError);
  EXPECT_EQ(s[1].item(), 2);  // an error is thrown once
}

TEST(NestedErrors, CanBeLeftOut) {
  const Settings before = settings();
  Settings unchecked = before;
  unchecked.checks = false;
  set_settings(unchecked);
  const Seq<int> s = Ints{1, 2, 3};
  EXPECT_NO_THROW(s[5].item());
  set_settings(before);
}

TEST(NestedErrors, SurviveExceptionsInBodies) {
  EXPECT_THROW(
      each(rows, [](Seq<int>) -> Scalar<int> { throw std::runtime_error("from the body"); }),
      std::runtime_error);
  EXPECT_EQ(sum(flatten(rows)).item(), 21);  // we are outside of each() again
}

TEST(NestedErrors, OfWorkThatIsGivenUpAreForgottenAndNoOthers) {
  const auto fail = [](const char* message) {
    const nested::ContextRef top = nested::top_context();
    nested::require_not(top, nested::constant({ElementType::b8, 1}, detail::Location()), "test",
                        message, detail::Location());
  };
  {
    const nested::Attempt given_up;
    fail("given up");
  }
  EXPECT_NO_THROW(nested::synchronise());
  fail("before");
  {
    const nested::Attempt given_up;
    fail("given up");
  }
  expect_in_message(message_of([] { nested::synchronise(); }), {"before"});
  {
    nested::Attempt kept;
    fail("kept");
    kept.keep();
  }
  expect_in_message(message_of([] { nested::synchronise(); }), {"kept"});
}

}  // namespace
}  // namespace tutti::test
