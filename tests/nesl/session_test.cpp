// What a session does besides evaluating: commands, limits, traces, output.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "nesl/errors.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"
#include "nesl/types/mono_type.hpp"
#include "support/compare.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Commands, Describe) {
  EXPECT_TRUE(has(run("describe sum;").output, "sum : [a] -> a :: (a in number)\n  The sum"));
  EXPECT_TRUE(has(run("function g(x) \"Adds one.\" = x + 1; describe g;").output,
                  "g : int -> int\n  Adds one."));
  EXPECT_FALSE(run("describe nothing_of_the_kind;").good);
}

TEST(Commands, AproposSetShow) {
  EXPECT_TRUE(has(run("apropos scan;").output, "plus_scan : [a] -> [a] :: (a in number)\n"));
  EXPECT_TRUE(has(run("set arg_check off; show status;").output, "arg_check off"));
  EXPECT_TRUE(has(run("function g(x) = x + 1; show code g;").output, "function g(x) =\n  x + 1"));
  EXPECT_TRUE(has(run("function g(x) = x + 1; g(1); show compiled g;").output, "for int:"));
  EXPECT_FALSE(run("set colour red;").good);
  EXPECT_FALSE(run("show the_way;").good);
}

TEST(Commands, TraceAndProfile) {
  const std::string program = "function g(n) = if n == 0 then 0 else g(n - 1);\n";
  EXPECT_TRUE(has(run(program + "set profile g on; g(4);").output, "g: 5 calls, "));
  // All elements of an apply-to-each that prints are one call.
  EXPECT_TRUE(has(run(program + "function h(n) = let p = print_string(@n) in g(0);\n"
                                "set profile h on; {h(n) : n in [1, 2]};")
                      .output,
                  "h: 1 calls, "));
  EXPECT_FALSE(has(run(program + "set trace g 3; set trace off; g(1);").output, "Entering"));
}

// The levels of the original, on every evaluator.
TEST(Commands, TraceLevels) {
  const std::string program =
      "function g(n) = if n == 0 then 0 else g(n - 1);\n"
      "function h(a, b) = let c = a + b; (d, e) = (c, [0:c]) in g(let x = d in x - 2);\n";
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::flat, Mode::automatic}) {
    const auto traced = [&](const std::string& commands) {
      return run(program + commands, mode).output;
    };
    EXPECT_TRUE(has(traced("set trace g 1; g(1);"),
                    "\nEntering g\nEntering g\nLeaving g\nLeaving g\nit = 0"));
    EXPECT_TRUE(has(traced("set trace g 2; g(1);"),
                    "\nEntering g\n  n = 1\nEntering g\n  n = 0\nLeaving g\n  result = 0\n"
                    "Leaving g\n  result = 0\n"));
    EXPECT_TRUE(has(traced("set trace h 3; h(1, 2);"),
                    "\nEntering h\n  Let: c\n  Let: (d, e)\n  Let: x\nLeaving h\n"))
        << traced("set trace h 3; h(1, 2);");
    EXPECT_TRUE(has(traced("set trace h 4; h(3, 4);"),
                    "\nEntering h\n  a = 3\n  b = 4\n    c = 7\n    d = 7\n"
                    "    e = [0, 1, 2, 3, 4, ...]\n    x = 7\nLeaving h\n  result = 0\n"))
        << traced("set trace h 4; h(3, 4);");
    EXPECT_FALSE(has(traced("set trace g 2; set trace g 0; g(1);"), "Entering"));
  }
}

TEST(Commands, DescribeTime) {
  EXPECT_TRUE(has(run("describe time;").output, "time : a -> (a, float) :: (a in any)"));
}

TEST(Commands, Load) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tutti_nesl_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "part.nesl") << "function g(x) = x + 1;\nloaded = g(41);\n";
  std::ofstream(folder / "bad.nesl") << "1 + ;\n\nbetter = 2;\n";
  const std::string name = (folder / "part").string();
  EXPECT_TRUE(has(run("load \"" + name + "\"; loaded;").output, "it = 42 : int"));
  EXPECT_FALSE(has(run("load \"" + name + "\";").output, "loaded"));
  EXPECT_TRUE(has(run("load \"" + name + "\", print := t;").output, "loaded = 42 : int"));
  EXPECT_TRUE(
      has(run("load(\"" + name + "\", verbose := f, print := t);").output, "loaded = 42 : int"));
  EXPECT_FALSE(has(run("load(\"" + name + "\", verbose := f);").output, "loaded"));
  const Outcome bad = run("load \"" + (folder / "bad").string() + "\"; better;");
  EXPECT_FALSE(bad.good);
  EXPECT_TRUE(has(bad.output, "bad.nesl, line 1")) << bad.output;
  EXPECT_TRUE(has(bad.output, "it = 2 : int")) << bad.output;
  EXPECT_FALSE(run("load \"no_such_file_anywhere\";").good);
  std::filesystem::remove_all(folder);
}

// Runs a text in a session that `prepare` has changed.
Outcome run_with(const std::string& text, const std::function<void(nesl::Session&)>& prepare) {
  Outcome outcome;
  nesl::with_large_stack([&] {
    nesl::Session session([&](const std::string& written) { outcome.output += written; });
    prepare(session);
    outcome.good =
        session.run(std::make_shared<nesl::Source>(nesl::Source{"test.nesl", text}), true);
  });
  return outcome;
}

TEST(Limits, NoFilesAndProcesses) {
  const auto forbid = [](nesl::Session& session) { session.machine().allow_io = false; };
  for (const char* program :
       {"open_in_file(\"x\");", "write_string_to_file(\"a\", \"x\");",
        "shell_command(\"ls\", \"\");", "get_environment_variable(\"HOME\");", "load \"x\";",
        "shell \"ls\";", "spawn(\"ls\", nullstr, nullstr, nullstr);"}) {
    const Outcome outcome = run_with(program, forbid);
    EXPECT_FALSE(outcome.good) << program;
    EXPECT_TRUE(has(outcome.output, "forbidden")) << outcome.output;
  }
  EXPECT_TRUE(run_with("print_string(\"fine\");", forbid).good);
}

TEST(Limits, TimeEndsEndlessPrograms) {
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::flat}) {
    const Outcome outcome = run_with(
        "function g(n) = if n < 0 then n else g(rem(n + 1, 1000));\ng(0);\n{g(i) : i in [1, 2]};",
        [&](nesl::Session& session) {
          session.evaluation().mode = mode;
          session.machine().set_time_limit(0.2);
        });
    EXPECT_FALSE(outcome.good);
    EXPECT_TRUE(has(outcome.output, "the time limit is over") || has(outcome.output, "too deep"))
        << outcome.output;
  }
}

TEST(Limits, InterruptAbandonsTheExpression) {
  const Outcome outcome =
      run_with("function g(n) = if n < 0 then n else g(rem(n + 1, 1000));\ng(0);\n1 + 1;",
               [](nesl::Session&) { nesl::Machine::interrupt = true; });
  EXPECT_TRUE(has(outcome.output, "Interrupted: interrupted")) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "it = 2 : int"));
}

// Loops are functions that end with a call of themselves.
TEST(Limits, LoopsMayBeLong) {
  const std::string program =
      "function sum_to(n, s) = if n == 0 then s else let r = rem(s + n, 1000) in sum_to(n - 1, "
      "r);\n"
      "function ping(n) : int -> int;\nfunction pong(n) = if n == 0 then 7 else ping(n - 1);\n"
      "function ping(n) = if n == 0 then 8 else pong(n - 1);\n"
      "sum_to(1000000, 0), ping(300001);";
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::automatic})
    EXPECT_TRUE(has(run(program, mode).output, "it = (0, 7) : int, int"))
        << run(program, mode).output;
}

// What may stop with an error is no reason to flatten: `interleave` may.
TEST(Limits, ErrorsAreNoEffects) {
  const auto before = statistics().evaluations;
  EXPECT_TRUE(has(run("{sum(interleave([0:n], [0:n])) : n in [1:40]}[38];", Mode::plain).output,
                  "it = 1482 : int"));
  EXPECT_EQ(statistics().evaluations, before);
}

// What a variable held is dropped at its last use, which others must not notice.
TEST(Limits, LastUsesOfVariables) {
  const std::string program =
      "function largest(s) = max_index(s);\n"
      "function pick(s) = s[largest(s)];\n"
      "function twice(s) = let a = {x + 1 : x in s}; b = a ++ a in (a ++ b, #b);\n"
      "function either(s, n) = let a = rotate(s, 1) in if n > 0 then a else reverse(a);\n"
      "function inside(s) = let a = {x * 2 : x in s} in {x + sum(a) + a[0] : x in s};\n"
      "function again(s, n) = if n == 0 then s else let a = again({x + 1 : x in s}, n - 1) in a;\n"
      "function rounds(i, s) = if i <= 0 then #s else let u = s in rounds(i - 1, u);\n"
      "function parts(p) = let (a, b) = p; c = a ++ b in (a, c, p);\n";
  const std::pair<const char*, const char*> cases[] = {
      {"pick([3, 9, 4]);", "it = 9 : int"},
      {"let s = [3, 9, 4] in s[largest(s)];", "it = 9 : int"},
      {"twice([1, 2]);", "it = ([2, 3, 2, 3, 2, 3], 4)"},
      {"(either([1, 2, 3], 1), either([1, 2, 3], 0));", "it = ([3, 1, 2], [2, 1, 3])"},
      {"inside([1, 2, 3]);", "it = [15, 16, 17]"},
      {"again([1, 2], 5);", "it = [6, 7]"},
      {"{rounds(i, [1, 2, 3]) : i in [0:12]};", "it = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]"},
      {"parts(([1], [2]));", "it = ([1], [1, 2], [1], [2])"},
  };
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::automatic})
    for (const auto& [form, right] : cases) {
      const std::string output = run(program + form, mode).output;
      EXPECT_TRUE(has(output, right)) << form << "\n" << output;
    }
}

// Trials end at once; whether the host goes on beside the evaluator that flattens.
nesl::Patience none(bool form_goes_on) {
  nesl::Patience patience;
  patience.form_steps = patience.most_form_steps = patience.each_steps = 20;
  patience.error_steps = 0;
  patience.head_start = std::chrono::seconds(1000);
  patience.form_goes_on = form_goes_on;
  return patience;
}

// A form whose sequences fit into memory one by one, but not all at once.
TEST(Limits, WhereFlatteningEndsTheHostGoesOn) {
  const std::string program =
      "sum({sort({rem(i * j * 7919, 1009) : j in [0:1000]})[500] : i in [0:1000]});";
  const std::string right = value_of(program, Mode::plain);
  const test::WithSettings limited(
      [](Settings& s) { s.max_bytes = statistics().bytes_in_use + (1 << 20); });
  EXPECT_FALSE(run(program, Mode::flat).good);
  for (const bool form_goes_on : {true, false}) {
    const std::string output = run(program, none(form_goes_on)).output;
    EXPECT_TRUE(has(output, ("it = " + right + " : int").c_str())) << output;
  }
  // What has been printed cannot be taken back.
  const std::string output = run("let a = print_line(\"once\") in " + program, none(true)).output;
  EXPECT_FALSE(has(output, "once\nonce")) << output;
}

TEST(Limits, LengthsAreInts) {
  const Outcome outcome = run("let s = dist(`a, 1048576) in #flatten(dist(s, 2100));", Mode::plain);
  EXPECT_TRUE(has(outcome.output, "a sequence of 2202009600 elements is too long"))
      << outcome.output;
}

// Elements that are never computed count, too: no length wraps around.
TEST(Limits, TotalsOfLengthsAreInts) {
  for (Mode mode : {Mode::flat, Mode::mixed, Mode::automatic})
    for (const char* program :
         {"#flatten(dist([0:70000], 70000));", "let s = dist([0:70000], 70000) in #flatten(s) + 1;",
          "{#flatten(dist([0:70000], i)) : i in [2, 70000]};",
          "{#flatten(dist(dist(i, i), i)) : i in [2, 70000, 70000]};",
          "let s = dist(1, 1500000000) in #(s ++ s);"}) {
      const Outcome outcome = run(program, mode);
      EXPECT_FALSE(outcome.good) << program << outcome.output;
      EXPECT_TRUE(has(outcome.output, "elements is too long (in line 1 of test.nesl)"))
          << program << outcome.output;
    }
  EXPECT_EQ(value_of("{if i > 3 then #flatten(dist([0:70000], i * 20000)) else i : i in [1, 2]};",
                     Mode::flat),
            "[1, 2]");
}

// The plain evaluator, which could say it in its own words, would take too long to get there.
TEST(Limits, TotalsNameTheOperationAndTheLine) {
  const std::string text = run("1;\nsum({sum(dist(i, i)) : i in [0:100000]});", Mode::flat).output;
  EXPECT_TRUE(
      has(text,
          "RUNTIME ERROR: sum: sequences of 4999950000 elements in all; one vector holds at "
          "most 2^31 - 1 (in line 2 of test.nesl)"))
      << text;
}

TEST(Limits, EndlessRecursionIsAnError) {
  EXPECT_TRUE(has(run("function g(n) = 1 + g(n);\ng(0);\n\"alive\";", Mode::plain).output,
                  "RUNTIME ERROR: recursion is too deep"));
  // A function that calls itself at ever larger types cannot be translated.
  EXPECT_TRUE(has(run("function g(x) : a -> int = g((x, x));\ng(0);").output, "without end"));
}

TEST(Output, NothingIsPrintedTwiceWhenATrialEnds) {
  const std::string program =
      "function noise(n) = let p = print_line(\"noise\") in {rem(i, 7) : i in [0:n]};\n"
      "sum(noise(1000000));";
  const std::string output = run(program).output;
  EXPECT_EQ(output.find("noise\n"), output.rfind("noise\n")) << output;
  EXPECT_TRUE(has(output, "it = 2999997 : int")) << output;
}

TEST(Output, PrintsInsideApplyToEachInOrder) {
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::flat})
    EXPECT_TRUE(
        has(run("function show(x) = print_string(@x ++ \" \");\n{show(i) : i in [3, 1, 2]};", mode)
                .output,
            "3 1 2 \nit = [T, T, T]"));
}

// Operation by operation, as the original's vectors do it.
TEST(Output, TheOrderDoesNotDependOnTheEvaluator) {
  const std::string program =
      "function say(s) = print_string(s ++ \" \");\n"
      "function twice(x) = let a = say(\"a\" ++ @x); b = say(\"b\" ++ @x) in rand(1000) + x;\n"
      "function walk(n) = if n == 0 then say(\"end\")\n"
      "  else let s = say(@n); r = {walk(m) : m in [n - 1, 0]} in s;\n";
  const std::string forms =
      "{twice(i) : i in [0, 1]};\n"
      "{if i > 0 then say(\"p\" ++ @i) else say(\"n\" ++ @i) : i in [1, -1, 2]};\n"
      "{{rand(n) + i : i in [0:2]} : n in [10, 1000, 100000]};\n"
      "{rand(n) : n in dist(1000, 3)}, {rand(1000) : i in [0:3]}, rand(1000);\n"
      "{if i > 1 then rand(1000) else -rand(1000) : i in [0:4]};\n"
      "{if i > 1 then rand(i * 100) else 0 : i in [0:4]};\n"
      "function tree(n) = if n == 0 then [rand(1000)] else flatten({tree(n - 1) : i in [0, 1]});\n"
      "tree(2); {tree(n) : n in [1, 0, 2]}; {rand(n) + rand(n) : n in [1000, 2000]};\n"
      "walk(2);\n"
      "{* twice(i) : i in [0, 1]};\n";
  const std::string right = run(program + forms, Mode::flat).output;
  EXPECT_TRUE(has(right, "a0 a1 b0 b1 \n")) << right;
  EXPECT_TRUE(has(right, "p1 p2 n-1 \n")) << right;
  EXPECT_TRUE(has(right, "a0 b0 a1 b1 \n")) << right;
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::automatic})
    EXPECT_EQ(run(program + forms, mode).output, right);
}

TEST(Output, ErrorsNameFunctionAndLine) {
  const std::string program =
      "function inner(x) = 10 / x;\n"
      "function outer(x) =\n  inner(x) + 1;\n"
      "function pick(s) = median(s);\n"
      "function deep(n) = 1 + deep(n);\n"
      "function apply(g, x) = g(x);\n";
  const std::pair<const char*, const char*> cases[] = {
      {"outer(0);", "division by zero (in inner, line 1 of x.nesl)"},
      {"{outer(x) : x in [1, 0, 2]};", "division by zero (in inner, line 1 of x.nesl)"},
      {"pick([] int);", "(in median, called in pick, line 4 of x.nesl)"},
      {"{pick(s) : s in [[1], [] int]};", "line 4 of x.nesl)"},
      {"[1, 2][5];", "(in line 7 of x.nesl)"},
      {"2 ^ (-1);", "(in ^, called in line 7 of x.nesl)"},
      {"apply(x => x / 0, 1);", "(in a function without a name, line 7 of x.nesl)"},
      {"{x + y : x in [1, 2]; y in [1]};", "(in line 7 of x.nesl)"},
      {"error(\"stop\");", "stop (in line 7 of x.nesl)"},
  };
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::flat, Mode::automatic})
    for (const auto& [form, message] : cases) {
      const std::string output = run(program + form, mode, "x.nesl").output;
      EXPECT_TRUE(has(output, message)) << form << "\n" << output;
    }
  EXPECT_TRUE(has(run(program + "deep(0);", Mode::plain, "x.nesl").output,
                  "recursion is too deep (in deep, line 5 of x.nesl)"));
  // At the terminal there is no file to name.
  EXPECT_TRUE(has(run("1 / 0;", Mode::plain, "").output, "RUNTIME ERROR: division by zero\n"));
}

// A failure leaves nested calls without an exception for each: nothing may happen on the way, and
// only the first error counts.
TEST(Output, ErrorsInsideOfCallsEndTheForm) {
  const std::string program =
      "function div(n) = if n == 0 then 1 / n else 1 + div(n - 1);\n"
      "function prints(n) =\n"
      "  if n == 0 then 1 / n else let x = prints(n - 1); p = print_line(\"no\") in x;\n"
      "function elements(n) =\n"
      "  if n == 0 then [1 / n] else let s = elements(n - 1) in {s[0] + [1, 2][i] : i in [0:9]};\n"
      "function picks(n) = if n == 0 then [5][1 / n] else [1][picks(n - 1) + 3];\n"
      "function strings(n) = if n == 0 then @(1 / n) else strings(n - 1) ++ \"a\";\n"
      "function pairs(n) = if n == 0 then (1 / n, \"a\") else let (a, b) = pairs(n - 1) in (a, "
      "b);\n"
      "function chosen(n) = if n == 0 then 1 / n > 2 else if chosen(n - 1) then t else f;\n"
      "function many(n) = if n == 0 then 1 / n else sum({many(n - 1) : i in [0:20]});\n";
  for (const char* form : {"div(100000);", "prints(50);", "elements(20);", "picks(1000);",
                           "strings(100);", "pairs(100);", "chosen(100);", "many(3);",
                           "{div(n) : n in [0:30]};", "{(x, div(x)) : x in [3:30] | div(x) > 0};"})
    for (Mode mode : {Mode::plain, Mode::automatic}) {
      const std::string output = run(program + form + "\n\"alive\";", mode, "x.nesl").output;
      EXPECT_TRUE(has(output, "RUNTIME ERROR: division by zero (in ")) << form << "\n" << output;
      EXPECT_TRUE(has(output, "it = \"alive\"")) << form << "\n" << output;
      EXPECT_FALSE(has(output, "no\n")) << output;
      EXPECT_FALSE(has(output, "there is no element")) << output;
    }
}

TEST(Output, ErrorsAfterOutput) {
  EXPECT_TRUE(has(run("let p = print_line(\"first\") in 1 / 0;").output,
                  "first\nRUNTIME ERROR: division by zero"));
}

TEST(Check, TypesAndRunsNothing) {
  std::string output;
  nesl::with_large_stack([&] {
    nesl::Session session([&](const std::string& written) { output += written; });
    EXPECT_FALSE(session.check(std::make_shared<nesl::Source>(nesl::Source{
        "test.nesl",
        "function g(x) = x + 1;\na = g(2);\nprint_string(\"no\");\ng(2.0);\na + 1;"})));
  });
  EXPECT_TRUE(has(output, "g = fn : int -> int"));
  EXPECT_TRUE(has(output, "a : int"));
  EXPECT_TRUE(has(output, "Argument types: float"));
  EXPECT_FALSE(has(output, "T"));
}

// Function types name functions of their session, so they must end with it.
TEST(Types, OfFunctionsEndWithTheirSession) {
  const std::string program =
      "function twice(f, x) = f(f(x));\n"
      "function g(n) = if n == 0 then 0 else g(n - 1);\n"
      "let k = 3 in {twice(fn y => y + k * x, x) : x in [1, 2, g(4)]};";
  for (Mode mode : all_modes) {
    const std::string first = value_of(program, mode);
    const size_t types = nesl::mono::count();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(value_of(program, mode), first);
    EXPECT_EQ(nesl::mono::count(), types);
  }
}

TEST(Types, OfDatatypesEndWithTheirSession) {
  const std::string program =
      "datatype point(int, [float]);\n"
      "function at(point(i, v)) = v[i];\n{at(point(i, [1.5, 2.5])) : i in [0, 1]};";
  const std::string first = value_of(program);
  const size_t types = nesl::mono::count();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(value_of(program), first);
  EXPECT_EQ(nesl::mono::count(), types);
}

// What no name leads to is forgotten now and then; everything else stays as it is.
TEST(Types, DoNotGrowWithASession) {
  nesl::with_large_stack([] {
    std::string output;
    nesl::Session session([&](const std::string& written) { output += written; });
    const auto run_forms = [&](const std::string& text) {
      output.clear();
      return session.run(std::make_shared<nesl::Source>(nesl::Source{"x", text}), true);
    };
    const auto redefine = [&](int i) {
      const std::string n = std::to_string(i);
      return run_forms("function down(n) = if n == 0 then " + n + " else down(n - 1);\n" +
                       "datatype two(int, int); function left(two(a, b)) = a;\n" + "let k = " + n +
                       " in {(y => y + k * x)(left(two(x, k))) : x in [1, 2]};\n" + "v = " + n +
                       "; add = (x => x + " + n + "); down(3);\n");
    };
    ASSERT_TRUE(
        run_forms("v = 0; function down(n) = if n == 0 then 0 else down(n - 1);\n"
                  "function both(x) = down(x), v;\n"
                  "datatype old(int, [int]); o = old(3, [4, 5]); c = 30;\n"
                  "kept = (let c = 10 in (x => x + c)); function use(x) = kept(x) + c;\n"
                  "kept = (let c = 20 in (x => x * c)); datatype old(float);"))
        << output;
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(redefine(i)) << output;
    const size_t types = nesl::mono::count();
    for (int i = 400; i < 2000; ++i) ASSERT_TRUE(redefine(i)) << output;
    EXPECT_LE(nesl::mono::count(), 2 * types);
    EXPECT_TRUE(run_forms("both(2); use(1); kept(2); add(1); o; {down(i) : i in [1, 2]};"));
    for (const char* part : {"it = (1999, 1999)", "it = 50", "it = 40", "it = 2000",
                             "it = old(3, [4, 5])", "it = [1999, 1999]"})
      EXPECT_TRUE(has(output, part)) << part << "\n" << output;
  });
}

TEST(RandomNumbers, StartAgainWithEachForm) {
  const std::string one = value_of("{rand(n) : n in dist(1000, 5)};");
  EXPECT_EQ(value_of("3; {rand(n) : n in dist(1000, 5)};"), one);
  EXPECT_EQ(value_of("{rand(n) : n in dist(1000, 5)};", Mode::flat), one);
  EXPECT_NE(value_of("rand_seed(5); {rand(n) : n in dist(1000, 5)};"), one);
}

}  // namespace
}  // namespace tutti::nesl_test
