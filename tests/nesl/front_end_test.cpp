// Reading and typing programs.
#include <gtest/gtest.h>

#include "nesl/errors.hpp"
#include "nesl/support.hpp"
#include "nesl/syntax/ast_printer.hpp"
#include "nesl/syntax/form_reader.hpp"

namespace tutti::nesl_test {
namespace {

std::string parsed(const std::string& text) {
  nesl::FormReader reader(std::make_shared<nesl::Source>(nesl::Source{"", text + ";"}));
  return nesl::to_source(*reader.next()->body);
}

TEST(Parser, Precedence) {
  EXPECT_EQ(parsed("-x^2"), "-x ^ 2");
  EXPECT_EQ(parsed("(-x)^2"), "-x ^ 2");
  EXPECT_EQ(parsed("-(x^2)"), "-(x ^ 2)");
  EXPECT_EQ(parsed("#a/2"), "#a / 2");
  EXPECT_EQ(parsed("#(a/2)"), "#(a / 2)");
  EXPECT_EQ(parsed("#a[0]"), "#a[0]");
  EXPECT_EQ(parsed("(#a)[0]"), "(#a)[0]");
  EXPECT_EQ(parsed("a->b->c"), "a -> b -> c");
  EXPECT_EQ(parsed("(a->b)->c"), "(a -> b) -> c");
  EXPECT_EQ(parsed("a-b-c"), "a - b - c");
  EXPECT_EQ(parsed("a-(b-c)"), "a - (b - c)");
  EXPECT_EQ(parsed("a + b * c == d and e or g"), "a + b * c == d and e or g");
  EXPECT_EQ(parsed("(a or b) and c"), "(a or b) and c");
  EXPECT_EQ(parsed("a, b, c"), "a, b, c");
  EXPECT_EQ(parsed("(a, b), c"), "(a, b), c");
  EXPECT_EQ(parsed("x => x + 1, y"), "x => x + 1, y");
  EXPECT_EQ(parsed("g x y"), "g(x)(y)");
  EXPECT_EQ(parsed("(float) n"), "float(n)");
  EXPECT_EQ(parsed("[a:b]"), "[a:b:1]");
  EXPECT_EQ(parsed("sum {x in a}"), "sum({x in a})");
  EXPECT_EQ(parsed("{a, b : a in x; b | c}"), "{a, b : a in x; b in b | c}");
  EXPECT_EQ(parsed("{* g(x) : x}"), "{* g(x) : x in x}");
  EXPECT_EQ(parsed("let a = 1; b = 2; in a, b"), "let a = 1; b = 2 in a, b");
  EXPECT_EQ(parsed("if a then b else c, d"), "if a then b else c, d");
  EXPECT_EQ(parsed("'+"), "'+");
  EXPECT_EQ(parsed("[] (int, [char])"), "[] (int, [char])");
}

TEST(Parser, Literals) {
  EXPECT_EQ(parsed("1."), "1.0");
  EXPECT_EQ(parsed(".5"), "0.5");
  EXPECT_EQ(parsed("10e6"), "1.0e7");
  EXPECT_EQ(parsed("1e-3"), "0.001");
  EXPECT_EQ(parsed("`("), "`(");
  EXPECT_EQ(parsed("``"), "``");
  EXPECT_EQ(parsed("\"a\\\"b\\\\c\""), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(parsed("T"), "t");
  EXPECT_EQ(parsed("Foo % a comment ; %"), "foo");
}

TEST(Types, Inferred) {
  EXPECT_EQ(type_of("function id(x) = x;"), "a -> a :: (a in any)");
  EXPECT_EQ(type_of("function add(a, b) = a + b;"), "(a, a) -> a :: (a in number)");
  EXPECT_EQ(type_of("function less(a, b) = a < b;"), "(a, a) -> bool :: (a in ordinal)");
  EXPECT_EQ(type_of("function both(a, b) = (a + b, a < b);"),
            "(a, a) -> (a, bool) :: (a in number)");
  // Classes that share only one type leave that type.
  EXPECT_EQ(type_of("function only(a) = (a + a, a and a);"), "int -> (int, int)");
  EXPECT_EQ(type_of("function compose(p, q) = x => p(q(x));"),
            "(a -> b, c -> a) -> c -> b :: (a in any; b in any; c in any)");
  EXPECT_EQ(type_of("function swap(a, b) = b, a;"), "(a, b) -> (b, a) :: (a in any; b in any)");
  EXPECT_EQ(type_of("function go(s) = {x : x in s | x > 0};"), "[int] -> [int]");
  EXPECT_EQ(type_of("((1, 2), 3);"), "(int, int), int");
  EXPECT_EQ(type_of("[(1, `a)];"), "[(int, char)]");
  EXPECT_EQ(type_of("function many(a,b,c,d,e,g,h) = 1;"),
            "(a, b, c, d, e, A0, A1) -> int :: (a in any; b in any; c in any; d in any; e in any; "
            "A0 in any; A1 in any)");
  EXPECT_EQ(type_of("datatype box([(a, b)]) :: (a in number; b in any); box([(1, \"x\")]);"),
            "box(int, [char])");
}

TEST(Types, ForwardDeclarations) {
  EXPECT_EQ(value_of("function odd(n) : int -> bool;\n"
                     "function even(n) = if n == 0 then t else odd(n - 1);\n"
                     "function odd(n) = if n == 0 then f else even(n - 1);\n"
                     "{even(i) : i in [0:5]};"),
            "[T, F, T, F, T]");
}

struct Complaint {
  const char* program;
  const char* message;
};

class Complaints : public testing::TestWithParam<Complaint> {};

TEST_P(Complaints, Found) {
  const Outcome outcome = run(GetParam().program);
  EXPECT_FALSE(outcome.good);
  EXPECT_NE(outcome.output.find(GetParam().message), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(
    Errors, Complaints,
    testing::Values(
        Complaint{"foo(3);", "the name foo is undefined"},
        Complaint{"1 + 1.0;",
                  "Argument types: int, float\n  Function types: a, a :: (a in number)"},
        Complaint{"if 1 then 2 else 3;", "the condition of an if must be a bool\n  Type: int"},
        Complaint{"if t then 2 else 3.0;", "then: int\n  else: float"},
        Complaint{"[1, 2.0];", "the elements of a sequence must have the same type"},
        Complaint{"function g(a, a) = a;", "the variable a is repeated"},
        Complaint{"function g(a) = b;", "Error in Function definition g."},
        Complaint{"\n\nlet (a, b) = 3 in a;",
                  "test.nesl, line 3:\n  let (a, b) = 3 in a;\n      ^"},
        Complaint{"datatype tree(int, tree);", "is recursive"},
        Complaint{"function g(x) : a -> a :: (a in numbers) = x;", "numbers is no type class"},
        Complaint{"function max(a) = a;", "max is built in"},
        Complaint{"{read_char(s) : s in [stdin]};", "must happen in order"},
        Complaint{"if t then 'sin else 'cos;", "are different functions"},
        Complaint{"['sin, 'cos];", "are different functions"},
        Complaint{"function g(n) : int -> int; g(3);", "declared but not defined"},
        Complaint{"{x + 1 : x in 3};", "apply-to-each ranges over a sequence"},
        Complaint{"(1 + ;", "syntax error at ;"}, Complaint{"[1, 2;", "] is expected"},
        Complaint{"2 +", "the end of the text"}, Complaint{"\"abc", "no closing quote"},
        Complaint{"% comment", "no closing %"},
        Complaint{"3000000000;", "integers go up to 2147483647"},
        Complaint{"1 \\ 2;", "cannot begin anything"},
        Complaint{"function g(a, b := 2) = a + b; g(1, c := 3);", "has no argument c"},
        Complaint{"[] foo;", "the type of an empty sequence must be known"}));

TEST(Recovery, GoesOnWithTheNextForm) {
  const Outcome outcome = run("1 + 1;\nfunction bad( = 3;\n2 + 2;\nlet x = ; in x;\n3 + 3;");
  EXPECT_FALSE(outcome.good);
  EXPECT_NE(outcome.output.find("it = 2 : int"), std::string::npos);
  EXPECT_NE(outcome.output.find("it = 4 : int"), std::string::npos);
  EXPECT_NE(outcome.output.find("it = 6 : int"), std::string::npos);
}

TEST(Redefinition, OldCallersSeeTheNewFunctionOfTheSameType) {
  EXPECT_EQ(value_of("function g(x) = x + 1; function h(x) = g(x); function g(x) = x + 2; h(1);"),
            "3");
  EXPECT_EQ(value_of("function g(x) = x + 1; function h(x) = g(x); function g(x) = x ++ x; h(1);"),
            "2");
  EXPECT_EQ(value_of("x = 1; function h(y) = x + y; x = 5; h(1);"), "6");
}

}  // namespace
}  // namespace tutti::nesl_test
