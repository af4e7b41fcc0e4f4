// `tutti run` as other programs call it: its exit status, and that --time-limit, --memory and
// --no-io hold against everything a program can do.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tutti::shell_test {
namespace {

namespace fs = std::filesystem;

struct Finished {
  int status = -1;  // the exit status; -1 after a signal
  std::string output;
  double seconds = 0;
  long peak_kilobytes = 0;
};

std::string contents(const fs::path& name) {
  std::ifstream file(name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Run : public testing::Test {
 protected:
  Run() : folder_(fs::temp_directory_path() / ("tutti_run_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Run() override { fs::remove_all(folder_); }

  // Runs a program in the folder.
  Finished run(const std::string& text, const std::string& options = "") {
    std::ofstream(folder_ / "program.nesl") << text;
    return command("run program.nesl " + options + " < /dev/null");
  }

  Finished command(const std::string& arguments) {
    Finished result;
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0) _exit(126);
      const std::string line =
          "exec " + std::string(TUTTI_COMMAND) + " " + arguments + " > output 2>&1";
      execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.output = contents(folder_ / "output");
    result.peak_kilobytes = usage.ru_maxrss;
    return result;
  }

  fs::path folder_;
};

TEST_F(Run, AFolderIsNoProgram) {
  const Finished result = command("run .");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("is a folder"), std::string::npos) << result.output;
}

TEST_F(Run, LongChainsOfFunctions) {
  std::string program = "function g0(x) = x + 1;\n";
  for (int i = 1; i < 3000; ++i)
    program += "function g" + std::to_string(i) + "(x) = g" + std::to_string(i - 1) + "(x) + 1;\n";
  const Finished result = run(program + "g2999(0);\n", "--no-print");
  EXPECT_EQ(result.status, 0) << result.output;
}

TEST_F(Run, EndlessTypesAreNamed) {
  const Finished result = run("function g(x) : a -> int = g((x, x));\ng(0);\n");
  EXPECT_NE(result.output.find("without end"), std::string::npos) << result.output;
}

// What may go on for long in different parts of the system: each ends soon after a second.
TEST_F(Run, TheTimeLimitHolds) {
  const std::string slow =
      "function work(n) = if n == 0 then 0 else work(n - 1);\n"
      "function slow(k) = sum({* work(1000) : x in [0:k]});\n";
  std::string types = "function g0(x) = (x, x);\n";
  for (int i = 1; i < 40; ++i)
    types += "function g" + std::to_string(i) + "(x) = g" + std::to_string(i - 1) + "(g" +
             std::to_string(i - 1) + "(x));\n";
  for (const std::string& program :
       {slow + "slow(100000000);", slow + "y &= slow(100000000); get y;",
        std::string("shell_command(\"sleep 100\", \"\");"),
        std::string("let s = spawn(\"sleep 100\", nullstr, nullstr, stderr) in "
                    "read_line(first(rest(first(s))));"),
        std::string("read_string_from_file(\"/dev/zero\");"),
        std::string("v = {rem(i * 7919, 1000003) : i in [0:20000000]};\n"
                    "{#name({(x, y) : x in v; y in v}) : i in [0:100]};"),
        types}) {
    const Finished result = run(program, "--no-print --time-limit 1 --memory 4G");
    EXPECT_EQ(result.status, 1) << program.substr(0, 200) << "\n" << result.output;
    EXPECT_LT(result.seconds, 30) << program.substr(0, 200);
  }
}

TEST_F(Run, TheTimeLimitHoldsForTextFromAPipe) {
  std::ofstream(folder_ / "input") << "shell_command(\"exec sleep 100\", \"\");\n";
  const Finished result = command("nesl --time-limit 1 < input");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_LT(result.seconds, 30);
}

// Whether a process has not ended; a zombie has.
bool is_running(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z";
}

TEST_F(Run, ProcessesDoNotOutliveTheTimeLimit) {
  const Finished result =
      run("shell_command(\"sleep 1000 & echo $! > started; sleep 1000\", \"\");", "--time-limit 2");
  EXPECT_EQ(result.status, 1);
  std::string process = contents(folder_ / "started");
  ASSERT_FALSE(process.empty());
  process.pop_back();
  for (int i = 0; i < 1000 && is_running(process); ++i) usleep(10'000);
  EXPECT_FALSE(is_running(process));
}

TEST_F(Run, TheMemoryLimitHolds) {
  for (const char* program :
       {"shell_command(\"head -c 200000000 /dev/zero\", \"\");",
        "v = {rem(i * i, 1000) : i in [0:500000000]};",
        "function grow(s) : [int] -> int = grow(s ++ s);\ngrow([1, 2, 3]);",
        "function grow(s, n) = if n == 0 then #s else grow(s ++ s, n - 1);\ngrow([1:1000], 20);",
        "function deep(n) = 1 + deep(n + 1);\ndeep(0);", "read_string_from_file(\"/dev/zero\");",
        "{dist(i, 1000000) : i in [0:1000]};"}) {
    const Finished result = run(program, "--memory 100M --time-limit 60");
    EXPECT_EQ(result.status, 1) << program << "\n" << result.output;
    EXPECT_NE(result.output.find("RUNTIME ERROR"), std::string::npos) << program << result.output;
    // The data, half as much stack, and what the program and its compiler take.
    EXPECT_LT(result.peak_kilobytes, 500 << 10) << program;
  }
}

// Every primitive that reaches outside, and the commands. Each must be refused before it does
// anything.
TEST_F(Run, NoIoHoldsAgainstEverything) {
  std::ofstream(folder_ / "secret") << "secret";
  for (const char* program : {
           "read_string_from_file(\"secret\");",
           "write_string_to_file(\"x\", \"made\");",
           "append_string_to_file(\"x\", \"made\");",
           "read_object_from_file(\"\", \"secret\");",
           "write_object_to_file(1, \"made\");",
           "read_int_seq_from_file(\"secret\");",
           "read_float_seq_from_file(\"secret\");",
           "grep(\"s\", \"secret\");",
           "open_in_file(\"secret\");",
           "open_out_file(\"made\");",
           "open_append_file(\"made\");",
           "close_file(stdin);",
           "read_char(stdin);",
           "read_line(stdin);",
           "read_word(stdin);",
           "read_string(\"\", -1, stdin);",
           "read_object(0, stdin);",
           "prompt(\"?\");",
           "write_char(`x, stderr);",
           "write_string(\"x\", stderr);",
           "write_object(1, stderr);",
           "shell_command(\"touch made\", \"\");",
           "spawn(\"touch made\", nullstr, nullstr, nullstr);",
           "get_environment_variable(\"HOME\");",
           "w_make_window(((0, 0), (10, 10)), \"w\", w_red, \"\");",
           "make_window(((0, 0), (9, 9)), bounding_box([(0, 0), (1, 1)]), \"w\", \"\");",
           "xps_make_window(((0, 0), (10, 10)), \"w\", \"\");",
           "load \"secret\";",
           "load \"/dev/stdin\";",
           "shell \"touch made\";",
           "edit \"made\";",
           "y &= shell_command(\"touch made\", \"\"); get y;",
           "{* write_string_to_file(\"x\", \"made\") : i in [1, 2]};",
       }) {
    const Finished result = run(program, "--no-io");
    EXPECT_EQ(result.status, 1) << program << "\n" << result.output;
    EXPECT_NE(result.output.find("forbidden"), std::string::npos) << program << result.output;
    EXPECT_EQ(result.output.find("it = \"secret"), std::string::npos) << program;
    EXPECT_FALSE(fs::exists(folder_ / "made")) << program;
    EXPECT_FALSE(fs::exists(folder_ / "tutti_window_1.svg")) << program;
  }
  const Finished fine = run("print_string(\"fine\"); user; display; nesl_path;", "--no-io");
  EXPECT_EQ(fine.status, 0) << fine.output;
  EXPECT_NE(fine.output.find("it = \"\" : [char]\n\nit = \"\" : [char]\n\nit = \"\" : [char]"),
            std::string::npos)
      << fine.output;
}

TEST_F(Run, RuntimeErrorsNameTheirPlace) {
  const Finished result = run("function half(x) = 10 / x;\n\n{half(i) : i in [1, 0]};\n");
  EXPECT_NE(result.output.find("RUNTIME ERROR: division by zero (in half, line 1 of program.nesl)"),
            std::string::npos)
      << result.output;
}

// A program that waits for one button and then for another gets both.
TEST_F(Run, PicturesAreClickedWithEachButton) {
  const Finished result =
      run("function wait(button, win, n) = let (x, y, pressed, keys) = get_mouse_info(win)\n"
          "  in if pressed == button then (x, y, n) else wait(button, win, n + 1);\n"
          "let win = make_window(((0, 0), (200, 200)), bounding_box([(0, 0), (100, 100)]), \"w\", "
          "display)\n"
          "in (wait(1, win, 0), wait(3, win, 0), wait(2, win, 0));\n"
          "function for_ever(win) = if first(get_mouse_info(win)) == -1 then 0 else "
          "for_ever(win);\n"
          "for_ever(make_window(((0, 0), (200, 200)), bounding_box([(0, 0), (100, 100)]), \"w\", "
          "display));\n");
  EXPECT_NE(result.output.find("it = ((50, 50, 0), (50, 50, 1), 50, 50, 1)"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("the program waits for input to the window \"w\""),
            std::string::npos)
      << result.output;
}

TEST_F(Run, WindowsBecomePictures) {
  const Finished result =
      run("function draw(n) = let\n"
          "  win = w_make_window(((0, 0), (200, 100)), \"a < b\", w_white, display);\n"
          "  win = w_add_button_stack(((5, 5), (40, 15), (50, 0)), [\"quit\", \"more\"], w_blue, "
          "win);\n"
          "  (win, box) = w_add_box(((20, 30), (100, 60)), ((0.0, 0.0), (1.0, 1.0)), \"b\", "
          "w_black, win);\n"
          "  a = w_draw_segments([((0.0, 0.0), (0.5, 0.5)), ((-1.0, 0.2), (2.0, 0.2))], 1, w_red, "
          "box);\n"
          "  b = w_draw_points([(0.1, 0.1), (5.0, 5.0)], w_green, box);\n"
          "  c = w_shade_rectangle(((0.2, 0.2), (0.3, 0.3)), w_cyan, box);\n"
          "  d = w_draw_string((0.1, 0.5), \"text\", w_yellow, box);\n"
          "  inputs = [first(rest(w_get_input(win))), first(rest(w_get_input(win)))];\n"
          "  (kind, name, p, s, key) = w_get_input(win);\n"
          "  killed = w_kill_window(win)\n"
          "in inputs, key;\n"
          "draw(1);\n");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("it = ([\"more\", \"quit\"], `q)"), std::string::npos)
      << result.output;
  const std::string picture = contents(folder_ / "tutti_window_1.svg");
  for (const char* part :
       {"<svg xmlns=", "width=\"200\" height=\"100\"", "<title>a &lt; b</title>", ">quit</text>",
        "M20,70 L50,40", "M20,58 L120,58", "rgb(0,255,255)", ">text</text>", "</svg>"})
    EXPECT_NE(picture.find(part), std::string::npos) << part << "\n" << picture;
}

}  // namespace
}  // namespace tutti::shell_test
