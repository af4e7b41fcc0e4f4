// What a session does besides evaluating: commands, limits, traces, output.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "nesl/errors.hpp"
#include "nesl/large_stack.hpp"
#include "nesl/support.hpp"

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
  const std::string traced = run(program + "set trace g 3; g(1);").output;
  EXPECT_TRUE(has(traced, "Entering g: 1\nEntering g: 0\nLeaving g: 0\nLeaving g: 0\n")) << traced;
  EXPECT_TRUE(has(run(program + "set profile g on; g(4);").output, "g: 5 calls, "));
  EXPECT_FALSE(has(run(program + "set trace g 3; set trace off; g(1);").output, "Entering"));
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

TEST(RandomNumbers, StartAgainWithEachForm) {
  const std::string one = value_of("{rand(n) : n in dist(1000, 5)};");
  EXPECT_EQ(value_of("3; {rand(n) : n in dist(1000, 5)};"), one);
  EXPECT_EQ(value_of("{rand(n) : n in dist(1000, 5)};", Mode::flat), one);
  EXPECT_NE(value_of("rand_seed(5); {rand(n) : n in dist(1000, 5)};"), one);
}

}  // namespace
}  // namespace tutti::nesl_test
