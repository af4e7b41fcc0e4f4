// Bad calls, one a line of the table: which exception, and what its message names: the operation,
// what it was given, and the line of the call.
#include <tutti/tutti.hpp>

#include <functional>

#include "support/compare.hpp"
#include "support/errors.hpp"

namespace tutti::test {
namespace {

struct BadCall {
  const char* name;
  std::function<void()> call;
  int line;  // of the call, in this file
  std::vector<std::string> mentions;
};

// The call stands on the line of the macro.
#define BAD(name, expression, ...)                              \
  BadCall {                                                     \
    name, [] { (void)(expression); }, __LINE__, { __VA_ARGS__ } \
  }

using F1 = Array<1, float>;
using F2 = Array<2, float>;
using F3 = Array<3, float>;
using I1 = Array<1, int>;
using I2 = Array<2, int>;
using V2 = Array<1, Value2f>;
using V3 = Array<1, Value3f>;
using B2 = Array<2, bool>;
using B1 = Array<1, bool>;

// Arrays whose own lines are not those of the calls below.
F2 f2(int rows, int columns) { return F2({rows, columns}, 1.0f); }
F1 f1(int n) { return F1(Shape<1>(n), 1.0f); }
I1 i1(int n) { return I1(Shape<1>(n), 1); }
const std::vector<float> five{1, 2, 3, 4, 5};

// clang-format off: a call and its expectation belong on one line
const BadCall bad_shapes[] = {
    BAD("add", f2(2, 3) + f2(4, 5), "add", "{2, 3}", "{4, 5}"),
    BAD("less", f2(2, 3) < f2(3, 2), "less", "{2, 3}", "{3, 2}"),
    BAD("multiply_bits", i1(2) & i1(3), "bit_and", "{2}", "{3}"),
    BAD("max", max(f2(2, 3), f1(4)), "max", "{2, 3}", "{4}"),
    BAD("fma", fma(f1(2), f1(3), f1(3)), "fma", "{2}", "{3}"),
    BAD("cond", cond(B1(Shape<1>(2), true), f1(3), f1(3)), "choose", "{2}", "{3}"),
    BAD("host_data_shape", F2(five, Shape<2>(2, 3)), "5 elements", "{2, 3}", "6"),
    BAD("negative_extent", F2({2, -3}, 0.0f), "{2, -3}", "negative"),
    BAD("too_large", F2({int64_t{1} << 40, int64_t{1} << 40}, 0.0f), "more elements than memory"),
    BAD("section_outside", section(f1(5), {{3, 3, 1}}), "section", "{3, 3, 1}", "axis 0", "{5}"),
    BAD("section_before", section(f1(5), {{2, 4, -1}}), "section", "{2, 4, -1}", "outside"),
    BAD("section_count", section(f1(5), {{0, -1, 1}}), "section", "negative count"),
    BAD("section_ranges", section(f2(5, 5), {{0, 1, 1}}), "section", "1 ranges", "rank 2"),
    BAD("expand_margins", expand(f2(5, 5), {{0, 1}}), "expand", "1 margins", "rank 2"),
    BAD("expand_negative", expand(f1(5), {{-1, 0}}), "expand", "{-1, 0}", "negative"),
    BAD("pad_negative", pad(f1(5), {{0, -2}}, 1.0f), "pad", "{0, -2}", "negative"),
    BAD("expand_empty", expand(f1(0), {{1, 1}}), "expand", "empty", "{0}", "{2}"),
    BAD("replicate_empty", replicate(f1(0), {4}), "replicate", "empty", "{0}", "{4}"),
    BAD("transpose_twice", transpose(f2(2, 3), {0, 0}), "transpose", "permutation of 0 to 1"),
    BAD("transpose_axis", transpose(f2(2, 3), {0, 2}), "transpose", "permutation"),
    BAD("drop_axis", drop_dimension(f2(2, 3), 2), "drop_dimension", "axis 2", "{2, 3}"),
    BAD("drop_empty", drop_dimension(f2(2, 0), 1), "drop_dimension", "no element 0", "{2, 0}"),
    BAD("add_axis", add_dimension(f2(2, 3), 4), "add_dimension", "axis 4", "{2, 3}"),
    BAD("add_extent", add_dimension(f2(2, 3), 0, -1), "add_dimension", "-1", "negative"),
    BAD("broadcast", broadcast(f2(2, 3), Shape<2>(2, 6)), "broadcast", "{2, 3}", "{2, 6}"),
    BAD("broadcast_rank", broadcast(f2(2, 3), Shape<1>(3)), "broadcast", "{2, 3}", "{3}"),
    BAD("reshape", reshape(f2(2, 3), Shape<1>(5)), "reshape", "{2, 3}", "6 elements", "{5}"),
    BAD("index_axis", index<2>({2, 3}, 2), "index", "axis 2", "{2, 3}"),
    BAD("sum_axis", sum(f2(2, 3), 2), "sum", "axis 2", "{2, 3}"),
    BAD("sum_negative", max_val(f2(2, 3), -1), "max_val", "axis -1", "{2, 3}"),
    BAD("sum_twice", sum(F3({2, 3, 4}, 0.0f), {1, 1}), "sum", "axis 1 twice", "{2, 3, 4}"),
    BAD("inner_product", inner_product(f2(2, 3), f2(2, 3)), "inner_product", "{2, 3}", "last axis"),
    BAD("lerp", lerp(f1(2), f1(2), f1(3)), "{2}", "{3}"),
    BAD("clamp", clamp(f1(2), f1(3), 1.0f), "max", "{2}", "{3}"),
    BAD("gather_shapes", gather(f2(2, 3), i1(4), i1(5)), "gather", "{4}", "{5}"),
    BAD("gather_empty", gather(f1(0), i1(3)), "gather", "empty", "{0}"),
    BAD("gather_boundary", gather(f2(0, 3), Boundary::wrap(), i1(3), i1(3)), "gather", "empty"),
    BAD("gather_volume", gather(F3({1, 2, 3}, 0.0f), i1(2), i1(3), i1(2)), "gather", "{2}", "{3}"),
    BAD("add_assign", [a = f2(2, 3)]() mutable { a += f2(4, 5); }(), "add", "{2, 3}", "{4, 5}"),
    BAD("part_assign", [a = f1(5)]() mutable { slice(a, 0, 2) *= f1(3); }(), "multiply", "{2}", "{3}"),
    BAD("row_assign", [a = f2(5, 4)]() mutable { a[0] -= f1(3); }(), "subtract", "{4}", "{3}"),
};

const BadCall bad_shapes_without_line[] = {
    // Operators of different types or ranks, and functions of any number of arguments.
    BAD("host_data", F2(five, 2, 3), "5 elements", "{2, 3}", "6"),
    BAD("mixed_types", f2(2, 3) + I2({4, 5}, 1), "add", "{2, 3}", "{4, 5}"),
    BAD("mixed_ranks", f2(2, 3) - f1(4), "subtract", "{2, 3}", "{4}"),
    BAD("mixed_assign", [a = f2(2, 3)]() mutable { a += f1(4); }(), "add", "{2, 3}", "{4}"),
    BAD("gather_many_axes", gather(Array<4, float>({1, 1, 1, 1}, 0.0f), i1(2), i1(3), i1(2), i1(2)), "gather",
        "{2}", "{3}"),
    BAD("copy_to", f1(2).copy_to(*std::make_unique<std::vector<float>>(3)), "copy_to", "3 elements",
        "2"),
    BAD("component", V2(2).component(2), "component", "2 of a tuple of 2"),
    BAD("join", join(f1(2), f1(3)), "join", "{2}", "{3}"),
};

// clang-format on

template <class Exception>
void expect_thrown(const BadCall& bad, bool with_line) {
  SCOPED_TRACE(bad.name);
  try {
    bad.call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Exception& e) {
    const std::string message = e.what();
    for (const std::string& part : bad.mentions)
      EXPECT_NE(message.find(part), std::string::npos)
          << "\"" << part << "\" is not in: " << message;
    const std::string place = "messages_test.cpp:" + std::to_string(bad.line) + ")";
    EXPECT_TRUE(!with_line || message.find(place) != std::string::npos)
        << place << " is not in: " << message;
    EXPECT_EQ(message.find("include/tutti"), std::string::npos)
        << "a line of the library in: " << message;
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception: " << e.what();
  }
}

TEST(Errors, OfShapesNameTheLine) {
  for (const BadCall& bad : bad_shapes) expect_thrown<ShapeError>(bad, true);
}
TEST(Errors, OfShapesWithoutALine) {
  for (const BadCall& bad : bad_shapes_without_line) expect_thrown<ShapeError>(bad, false);
}

// Extents in a pack leave no room for a line. The line of the header would not help a user.
TEST(Errors, OfArraysOfZerosNameNoHeader) {
  try {
    (void)I1(-3);
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "Array: the shape {-3} has a negative extent");
  }
}

TEST(Errors, OfTypes) {
  // clang-format off
  const BadCall bad_types[] = {
      BAD("boundary", shift(V3(4), {1}, Boundary::constant(Value2f{1, 2})), "shift", "2 components"),
      BAD("inner_product", inner_product(B2(2, 2), B2(2, 2)), "inner_product", "bool"),
  };
  // clang-format on
  for (const BadCall& bad : bad_types) expect_thrown<TypeError>(bad, true);
}

TEST(Errors, OfNullPointers) {
  const std::string message =
      message_of([] { F1(static_cast<const float*>(nullptr), Shape<1>(3)); });
  EXPECT_NE(message.find("null pointer"), std::string::npos) << message;
  EXPECT_EQ(F1(static_cast<const float*>(nullptr), Shape<1>(0)).size(), 0);
}

TEST(Errors, AreErrors) {
  EXPECT_THROW(f1(2) + f1(3), Error);
  EXPECT_THROW(f1(2) + f1(3), std::runtime_error);
}

TEST(Errors, LeaveEverythingUsable) {
  const F2 a = f2(2, 3), b = f2(4, 5);
  for (const BadCall& bad : bad_shapes) EXPECT_ANY_THROW(bad.call()) << bad.name;
  F2 c = a;
  EXPECT_THROW(c += b, ShapeError);
  EXPECT_EQ(c.to_vector(), a.to_vector()) << "a failed += changes nothing";
  EXPECT_EQ((a + a).to_vector(), std::vector<float>(6, 2.0f));
}

TEST(Errors, AreThrownAtTheCallAndNotLater) {
  const F2 pending = shift(f2(2, 3) * 2.0f, {0, 1});
  EXPECT_THROW(pending + f2(3, 3), ShapeError);
  EXPECT_THROW(sum(pending, 5), ShapeError);
}

TEST(Errors, OfLaterNodesNameTheFirstKnownLine) {
  const int line = __LINE__ + 1;  // of the array that the operator below starts from
  const F2 a({2, 3}, 1.0f);
  try {
    (void)(a - Array<1, float>(Shape<1>(4), 1.0f));
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_NE(std::string(e.what()).find("messages_test.cpp:" + std::to_string(line)),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace tutti::test
