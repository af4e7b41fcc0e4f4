// Background assignments: `name &= exp`.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* slow =
    "function work(n) = if n == 0 then 0 else work(n - 1);\n"
    "function slow(k) = sum({* work(1000) : x in [0:k]});\n";

TEST(Background, GetWaitsForTheValue) {
  const std::string output = run(std::string(slow) + "y &= slow(2000) + 7; get y; y + 1;").output;
  EXPECT_TRUE(has(output, "y = 7 : int")) << output;
  EXPECT_TRUE(has(output, "it = 8 : int")) << output;
}

TEST(Background, ANameThatIsUsedIsWaitedFor) {
  EXPECT_TRUE(has(run(std::string(slow) + "y &= slow(500); y + 1;").output, "it = 1 : int"));
}

TEST(Background, TheSessionGoesOn) {
  const auto begin = std::chrono::steady_clock::now();
  // Given up when the session ends; to the end it would take minutes.
  EXPECT_TRUE(has(run(std::string(slow) + "y &= slow(1000000); 1 + 1;").output, "it = 2 : int"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Background, FunctionsMayBeRedefinedMeanwhile) {
  const std::string output =
      run(std::string(slow) + "y &= slow(300) + 1; function work(n) = n; work(5); get y;").output;
  EXPECT_TRUE(has(output, "it = 5 : int")) << output;
  EXPECT_TRUE(has(output, "y = 1 : int")) << output;
}

TEST(Background, LargeValuesAreShared) {
  const std::string output =
      run("a = {x * 2 : x in [0:100000]}; y &= sum({x and 1023 : x in a}); z &= max_val(a);\n"
          "b = sum({x and 1023 : x in a}); get y; y == b; get z;")
          .output;
  EXPECT_TRUE(has(output, "it = T : bool")) << output;
  EXPECT_TRUE(has(output, "z = 199998 : int")) << output;
}

TEST(Background, OutputAndErrorsComeWithGet) {
  const std::string output =
      run("y &= (let p = print_line(\"from behind\") in 1 / 0); 2; get y;").output;
  EXPECT_LT(output.find("it = 2"), output.find("from behind")) << output;
  EXPECT_TRUE(has(output, "RUNTIME ERROR: division by zero")) << output;
}

TEST(Background, Options) {
  const std::string output =
      run(std::string(slow) + "y &= slow(1000000), max_time := 0.2, mem := 1000; get y;").output;
  EXPECT_TRUE(has(output, "the time limit is over")) << output;
  EXPECT_FALSE(run("y &= 1, colour := 2;").good);
  EXPECT_FALSE(run("(y, z) &= (1, 2);").good);
  EXPECT_FALSE(run("get nothing;").good);
}

// A large operation does not look at the clock.
TEST(Background, AValueThatComesTooLateIsNone) {
  const std::string data = "v = {rem(i * 7919, 1000003) : i in [0:3000000]};\n";
  for (nesl::Evaluation::Mode mode : all_modes) {
    const std::string output =
        run(data + "y &= sum(sort(v)), max_time := 0.001; get y; 1 + 1;", mode).output;
    EXPECT_TRUE(has(output, "Interrupted: the time limit is over")) << output;
    EXPECT_TRUE(has(output, "it = 2 : int")) << output;
  }
}

// `get` waits for half a second more, and the session goes on.
TEST(Background, WhatIsOverdueIsNotWaitedFor) {
  const std::string output = run("v = {rem(i * 7919, 1000003) : i in [0:20000000]};\n"
                                 "y &= sum(sort({sort(v)[j] : j in [0:10]})), max_time := 0.01;\n"
                                 "get y; 1 + 1; get y;",
                                 nesl::Evaluation::Mode::plain)
                                 .output;
  EXPECT_TRUE(has(output, "Interrupted: the time limit is over")) << output;
  EXPECT_TRUE(has(output, "it = 2 : int")) << output;
  EXPECT_FALSE(has(output, "y = ")) << output;
}

int threads_of_this_process() {
  int count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
    count += thread.is_directory() ? 1 : 0;
  return count;
}

// As many are computed at once as there are processors. What is waited for comes before others.
TEST(Background, ManyTakeTurns) {
  run("sum({sqrt(float(i)) : i in [0:100000]});", nesl::Evaluation::Mode::flat);  // starts threads
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int before = threads_of_this_process(), many = 8 * processors + 100;
  nesl::with_large_stack([&] {
    std::string output;
    nesl::Session session([&](const std::string& written) { output += written; });
    const auto run_forms = [&](const std::string& text) {
      output.clear();
      return session.run(std::make_shared<nesl::Source>(nesl::Source{"x", text}), true);
    };
    EXPECT_TRUE(run_forms("function forever(n) = if n < 0 then n else forever(rem(n + 1, 9));\n"));
    std::string endless;
    for (int i = 0; i < many; ++i) endless += "e" + std::to_string(i) + " &= forever(0); ";
    EXPECT_TRUE(run_forms(endless));
    // Each may have two threads that race, and one more for an apply-to-each.
    EXPECT_LE(threads_of_this_process(), before + 1 + 4 * processors);
    EXPECT_TRUE(run_forms("y &= 6 * 7; z &= (let p = print_line(\"z\") in 8); get z; y + 1;"));
    EXPECT_TRUE(has(output, "z\nz = 8 : int")) << output;
    EXPECT_TRUE(has(output, "it = 43 : int")) << output;
  });
}

// Ended by their own times, which begin when they do.
TEST(Background, TurnsComeWhenOthersEnd) {
  std::string text = "function forever(n) = if n < 0 then n else forever(rem(n + 1, 9));\n";
  const int many = 3 * std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (int i = 0; i < many; ++i)
    text += "e" + std::to_string(i) + " &= forever(0), max_time := 0.05; ";
  text += "last &= 5; get last; ";
  for (int i = 0; i < many; ++i) text += "get e" + std::to_string(i) + "; ";
  const std::string output = run(text).output;
  EXPECT_TRUE(has(output, "last = 5 : int")) << output;
  int ended = 0;
  for (std::size_t at = 0; (at = output.find("the time limit is over", at)) != std::string::npos;
       ++at)
    ++ended;
  EXPECT_EQ(ended, many) << output;
}

}  // namespace
}  // namespace tutti::nesl_test
