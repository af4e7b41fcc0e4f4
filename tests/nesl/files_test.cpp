// Streams, files, objects in files and processes: what they give, and that nothing hangs.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(fs::temp_directory_path() / ("tutti_files_test_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string name(const std::string& file) const { return (folder_ / file).string(); }
  std::string quoted(const std::string& file) const { return "\"" + name(file) + "\""; }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file) << text;
  }

  fs::path folder_;
};

TEST_F(Files, InteractiveProcess) {
  EXPECT_EQ(value_of("let ((i, o, e), st) = spawn(\"cat -u\", nullstr, nullstr, stderr);\n"
                     "    a = write_object(23, i) in read_object(0, o);"),
            "(23, T, \"\")");
  EXPECT_EQ(value_of("let ((i, o, e), st) = spawn(\"cat -u\", nullstr, nullstr, stderr);\n"
                     "    a = write_string(\"one\" ++ [newline], i); (x, sx) = read_line(o);\n"
                     "    b = write_string(\"two\" ++ [newline], i); (y, sy) = read_line(o);\n"
                     "    c = close_file(i), close_file(o) in x, y;"),
            "((\"one\", F), \"two\", F)");
}

TEST_F(Files, ObjectsOfTheOriginal) {
  write("int", "( 23 )\n");
  write("ints", "[ 4 ]\n( 2 3 1 0 )\n");
  write("nested", "[ 2 ]\n[ 3 0 ]\n( 1 2 3 )\n");
  write("pairs", "[ 2 ]\n( 1 2 )\n( 1.50000000000000e+00 2.50000000000000e+00 )\n");
  write("string", "[ 3 ]\n( 3 )\na\n ");
  write("strings", "[ 2 ]\n[ 2 1 ]\n( 3 )\nabc");
  write("record", "( 1 )\n[ 1 ]\n( T )\n");
  const auto read = [&](const std::string& sample, const std::string& file) {
    return value_of("read_object_from_file(" + sample + ", " + quoted(file) + ");");
  };
  EXPECT_EQ(read("0", "int"), "23");
  EXPECT_EQ(read("[0]", "ints"), "[2, 3, 1, 0]");
  EXPECT_EQ(read("[[0]]", "nested"), "[[1, 2, 3], []]");
  EXPECT_EQ(read("[(0, 0.0)]", "pairs"), "[(1, 1.5), (2, 2.5)]");
  EXPECT_EQ(read("\"\"", "string"), "\"a\n \"");
  EXPECT_EQ(read("[\"\"]", "strings"), "[\"ab\", \"c\"]");
  EXPECT_EQ(read("(0, [t])", "record"), "(1, [T])");
}

TEST_F(Files, ObjectsComeBack) {
  for (const char* value : {"-5", "[1.5, -2.25e-300]", "\"a\\\"b\"", "[(t, [`x])]",
                            "([[1], [] int], 0.1)", "[] [char]", "{rand(1.0) : i in [0:3]}"})
    EXPECT_EQ(
        value_of("v = " + std::string(value) + "; w = write_object_to_file(v, " + quoted("object") +
                 "); eql(v, read_object_from_file(v, " + quoted("object") + "));"),
        "T")
        << value;
  EXPECT_EQ(value_of("w = write_object_to_file([1, 2], " + quoted("two") +
                     "); read_string_from_file(" + quoted("two") + ");"),
            "\"[ 2 ]\n( 1 2 )\n\"");
}

TEST_F(Files, DamagedObjectsAreReported) {
  for (const char* text : {"", "[ 4 ]\n( 1 2 )\n", "[ -1 ]\n( )\n", "[ 2000000000 ]\n( 1 )", "( 1",
                           "x", "[ 1 2 ]\n( 1 2 )\n"}) {
    write("damaged", text);
    const Outcome outcome = run("read_object_from_file([0], " + quoted("damaged") + ");");
    EXPECT_NE(outcome.output.find("ERROR while trying to read from a stream:\n"), std::string::npos)
        << text << "\n"
        << outcome.output;
    EXPECT_NE(outcome.output.find("it = [] : [int]"), std::string::npos) << outcome.output;
  }
}

TEST_F(Files, WhatEndedAString) {
  write("text", "ab,cd\nefgh");
  EXPECT_EQ(value_of("let s = first(open_in_file(" + quoted("text") +
                     "));\n"
                     "    ((a, x), e) = read_string(\",\", -1, s);\n"
                     "    ((b, y), e) = read_string(\"\", 3, s);\n"
                     "    ((c, z), e) = read_string(\"\", -1, s);\n"
                     "    closed = close_file(s) in (a, x), (b, y), (c, z);"),
            "((\"ab\", 44), (\"cd\n\", -2), \"efgh\", -1)");
}

TEST_F(Files, ImpossibleNamesDoNotStopAProgram) {
  const std::string missing = quoted("no/such/file");
  EXPECT_EQ(value_of("read_string_from_file(" + missing + ");"), "\"\"");
  EXPECT_EQ(value_of("write_string_to_file(\"a\", " + missing + ");"), "F");
  EXPECT_EQ(value_of("append_string_to_file(\"a\", " + missing + ");"), "F");
  EXPECT_EQ(value_of("read_object_from_file([1], " + missing + ");"), "[]");
  EXPECT_EQ(value_of("read_int_seq_from_file(" + missing + ");"), "[]");
  EXPECT_EQ(value_of("first(open_in_file(" + missing + "));"), "stream(-1)");
  EXPECT_EQ(value_of("read_string_from_file(\"" + folder_.string() + "\");"), "\"\"");
  EXPECT_NE(
      run("read_string_from_file(" + missing + ");").output.find("ERROR: while trying to open"),
      std::string::npos);
}

TEST_F(Files, GrepReadsAFile) {
  write("lines", "one two three\nfour\nthe tree\n");
  EXPECT_EQ(value_of("grep(\"e t\", " + quoted("lines") + ");"),
            "[\"one two three\", \"the tree\"]");
}

TEST_F(Files, ProcessesThatReadAndWriteAtOnce) {
  EXPECT_EQ(value_of("#shell_command(\"cat\", dist(`x, 300000));"), "300000");
  EXPECT_EQ(value_of("shell_command(\"exec <&-; echo done\", dist(`x, 300000));"), "\"done\n\"");
  EXPECT_EQ(value_of("shell_command(\"yes | head -1\", \"\");"), "\"y\n\"");
}

// Seconds that a text takes under a limit of 0.3 seconds; it must be interrupted.
double seconds_until_interrupted(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  std::string output;
  nesl::with_large_stack([&] {
    nesl::Session session([&](const std::string& written) { output += written; });
    session.machine().set_time_limit(0.3);
    EXPECT_FALSE(session.run(std::make_shared<nesl::Source>(nesl::Source{"t.nesl", text}), true));
  });
  EXPECT_NE(output.find("the time limit is over"), std::string::npos) << text << "\n" << output;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(Files, WaitingEndsWithTheTime) {
  // A minute in each case, if it were not for the limit.
  EXPECT_LT(seconds_until_interrupted("shell_command(\"sleep 60\", \"\");"), 30);
  EXPECT_LT(seconds_until_interrupted("let ((i, o, e), s) = spawn(\"sleep 60\", nullstr, nullstr, "
                                      "stderr) in read_line(o);"),
            30);
  EXPECT_LT(seconds_until_interrupted("shell_command(\"exec >&-; sleep 60\", \"\");"), 30);
  EXPECT_LT(
      seconds_until_interrupted("function slow(n) = if n < 0 then n else slow(rem(n + 1, 1000));\n"
                                "y &= slow(0); get y;"),
      30);
}

}  // namespace
}  // namespace tutti::nesl_test
