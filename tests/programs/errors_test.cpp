// Errors of programs: each message names the fault and a line of this file.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <cmath>
#include <optional>

#include "support/compare.hpp"
#include "support/errors.hpp"

namespace tutti::test {
namespace {

using std::vector;

void expect_message(const std::string& text, std::initializer_list<const char*> parts,
                    bool with_line = true) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
  if (with_line) {
    EXPECT_NE(text.find("errors_test.cpp:"), std::string::npos) << text;
  }
}

TEST(ProgramErrors, CapturingOutsideOfAProgram) {
  expect_message(message_of([] { In<Value1f> x; }), {"In", "outside of a program"});
  expect_message(message_of([] { Out<Value1f> x; }), {"Out", "outside of a program"});
  expect_message(message_of([] {
                   IF(Value1bool(true)) {}
                   ENDIF;
                 }),
                 {"IF", "outside of a program"});
  expect_message(message_of([] { BREAK; }), {"BREAK", "outside of a program"});
  expect_message(message_of([] { LocalArray<float> a(3); }),
                 {"LocalArray", "outside of a program"});
}

TEST(ProgramErrors, UnfinishedControlFlow) {
  expect_message(message_of([] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y = x;
                     IF(x > 0.0f) { break; }
                     ENDIF;
                   }
                   END;
                 }),
                 {"inside of IF", "unfinished"});
  expect_message(message_of([] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y = x;
                     BREAK;
                   }
                   END;
                 }),
                 {"BREAK outside of a loop"});
}

TEST(ProgramErrors, OutputsNeverAssigned) {
  expect_message(message_of([] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y = x, z;
                   }
                   END;
                 }),
                 {"output 2", "never assigned"});
  expect_message(message_of([] {
                   const Program p = BEGIN { In<Value1f> x; }
                   END;
                 }),
                 {"no output"});
}

TEST(ProgramErrors, Arguments) {
  const Program p = program([](Value1f a, Value3f b) { return a * b; });
  const Array<1, float> x(vector<float>{1, 2});
  expect_message(message_of([&] { const Array<1, Value3f> r = p(x); }),
                 {"before all of its inputs", "3 x float"});
  expect_message(message_of([&] { p(x, x); }), {"input 2", "3 x float", "not of float"});
  expect_message(message_of([&] { p(x, Value3f(1), x); }), {"takes float, 3 x float", "given 3"});
  expect_message(message_of([&] { p(Array<1, int>(3)); }), {"input 1", "float", "int32"});
  expect_message(message_of([&] { const Array<1, float> r = p(x, Value3f(1)); }),
                 {"gives 3 x float", "assigned to float"});
  expect_message(message_of([&] { const Array<2, Value3f> r = p(x, Value3f(1)); }), {"rank 2"});
  expect_message(message_of([&] { const Value3f r = p(x, Value3f(1)); }), {"{2}", "a Value"});
  expect_message(message_of([&] { const Array<1, Value3f> r = p(1.0f, Value3f(1)); }), {"tuples"});
  expect_message(message_of([&] { const Array<2, Value3f> r = p(x, Array<2, Value3f>(2, 2)); }),
                 {"{2}", "{2, 2}", "number of axes"});
  expect_message(message_of([] { Program()(1.0f); }), {"empty Program"}, false);
  Value1i other = 3;
  expect_message(message_of([&] { p << other; }), {"first input", "int32"});
  Value1f unused = 3;
  expect_message(message_of([&] { p >> unused; }), {"does not read this variable"});
  expect_message(message_of([&] { p << p; }), {"composition", "gives 3 x float"});
}

TEST(ProgramErrors, SymbolsHaveNoNumbers) {
  expect_message(message_of([] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y = x;
                     if (x > 0.0f) y = 0.0f;
                   }
                   END;
                 }),
                 {"read on the host", "IF"});
  expect_message(message_of([] {
                   const Program p =
                       program([](Value1f x) { return Value1f(std::sqrt(float(x))); });
                 }),
                 {"read on the host"});
  Value1f* escaped = nullptr;
  std::optional<Value1f> kept;
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    kept.emplace(x);
    escaped = &*kept;
  }
  END;
  expect_message(message_of([&] { (void)escaped->get(0); }), {"read on the host"});
  expect_message(message_of([&] { const Value1f z = *escaped + 1.0f; }), {"read on the host"});
  expect_message(
      message_of([&] { const Program q = program([&](Value1f x) { return x + *escaped; }); }),
      {"another program"});
}

TEST(ProgramErrors, VariablesFromOutsideStayAsTheyAre) {
  Value1f outside = 1;
  expect_message(message_of([&] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y = x;
                     outside = x;
                   }
                   END;
                 }),
                 {"assigns to a Value from outside"});
  EXPECT_EQ(float(outside), 1.0f);
  Array<1, float> table(vector<float>{1, 2});
  const Array<1, float> other(vector<float>{3});
  expect_message(message_of([&] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y = x;
                     Array<1, float> own = other;  // made by the host while it captures
                     own = own * 2.0f;
                     table = own;
                   }
                   END;
                 }),
                 {"assigns to an Array from outside"});
  EXPECT_EQ(table.to_vector(), (vector<float>{1, 2}));
  expect_message(message_of([&] {
                   const Program p = program([&](Value1i i) { return table[i]; });
                   p >> table;
                 }),
                 {"at computed indices"});
}

TEST(ProgramErrors, ComponentsThatAreNotThere) {
  expect_message(message_of([] { program([](Value3f x) { return x(3); }); }),
                 {"component 3 of a tuple of 3", "in the program"});
  expect_message(message_of([] {
                   program([](Value3f x) {
                     x(1, 1) = Value2f(0, 1);
                     return x;
                   });
                 }),
                 {"component 1 twice", "in the program"});
}

TEST(ProgramErrors, LoopsThatDoNotEnd) {
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    WHILE(y > 0.0f) { y = y + 1.0f; }
    ENDWHILE;
  }
  END;
  const WithSettings s([](Settings& s) { s.loop_limit = 1000; });
  const Array<1, float> fine = p(Array<1, float>(vector<float>{-1, -2}));
  EXPECT_EQ(fine.to_vector(), (vector<float>{-1, -2}));
  expect_message(
      message_of([&] { const Array<1, float> r = p(Array<1, float>(vector<float>{-1, 1})); }),
      {"more than 1000 times"});
}

// Also where the loop does not depend on what the program is given.
TEST(ProgramErrors, LoopsOnConstantsThatDoNotEnd) {
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = 1.0f;
    WHILE(y > 0.0f) { y = y + 1.0f; }
    ENDWHILE;
    y = y + x;
  }
  END;
  const WithSettings s([](Settings& s) { s.loop_limit = 1000; });
  expect_message(message_of([&] {
                   const Array<1, float> r = p(Array<1, float>(vector<float>{-1, 1}));
                   r.to_vector();
                 }),
                 {"more than 1000 times"});
}

TEST(ProgramErrors, WholeArraysInsideOfPrograms) {
  const Array<1, float> a(vector<float>{1, 2});
  const Program inner = program([](Value1f x) { return x; });
  expect_message(message_of([&] {
                   const Program p = BEGIN {
                     In<Value1f> x;
                     Out<Value1f> y;
                     y = inner(a);
                   }
                   END;
                 }),
                 {"applied to a whole array"});
}

// A capture that fails leaves nothing behind.
TEST(ProgramErrors, CapturesEndWithTheirException) {
  message_of([] {
    const Program p = BEGIN { throw Error("x"); }
    END;
  });
  EXPECT_EQ(float(Value1f(2) * 3.0f), 6.0f);
}

}  // namespace
}  // namespace tutti::test
