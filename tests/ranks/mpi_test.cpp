// Ranks that are processes, started by mpirun. Skipped where libtutti-mpi was not built.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace {

struct Outcome {
  int status = 0;
  std::string output;  // both streams
};

// No case takes longer than some seconds: a rank that waits forever is a failure, with status 124.
Outcome run_command(int ranks, const std::string& program, const std::string& before = "",
                    const std::string& after = " 2>&1 < /dev/null") {
#ifdef TUTTI_MPI_PROBE
  const std::string root = geteuid() == 0 ? " --allow-run-as-root" : "";
  const std::string command = before + "timeout 120 " TUTTI_MPIEXEC + root +
                              " --oversubscribe -n " + std::to_string(ranks) + " " + program +
                              after;
  Outcome result;
  FILE* pipe = popen(command.c_str(), "r");
  char text[4096];
  while (const size_t count = fread(text, 1, sizeof text, pipe)) result.output.append(text, count);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
#else
  static_cast<void>(ranks), static_cast<void>(program);
  static_cast<void>(before), static_cast<void>(after);
  return {};
#endif
}

Outcome run([[maybe_unused]] int ranks, [[maybe_unused]] const std::string& name) {
#ifdef TUTTI_MPI_PROBE
  return run_command(ranks, TUTTI_MPI_PROBE " " + name);
#else
  return {};
#endif
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
#ifndef TUTTI_MPI_PROBE
    GTEST_SKIP() << "libtutti-mpi was not built";
#endif
  }
};

void expect_same_output(const std::string& name) {
  const Outcome one = run(1, name);
  EXPECT_EQ(one.status, 0) << one.output;
  for (int ranks : {2, 3, 4}) {
    const Outcome several = run(ranks, name);
    EXPECT_EQ(several.status, 0);
    EXPECT_EQ(several.output, one.output) << ranks << " ranks";
  }
}

TEST_F(Mpi, AnyNumberOfProcessesGivesTheSameBits) { expect_same_output("compute"); }

TEST_F(Mpi, NestedSequencesGiveTheSameBits) { expect_same_output("nest"); }

void expect_failure(const Outcome& got, const std::vector<std::string>& words) {
  EXPECT_NE(got.status, 0);
  EXPECT_NE(got.status, 124) << "the ranks waited for each other";
  for (const std::string& word : words)
    EXPECT_NE(got.output.find(word), std::string::npos) << word << "\n" << got.output;
}

TEST_F(Mpi, RanksThatComputeDifferentThingsAreToldSo) {
  expect_failure(run(3, "diverge"), {"the ranks do different things",
                                     "rank 0 is to compute an array", "mpi_probe.cpp"});
}

TEST_F(Mpi, ARankThatReadsAloneIsToldSo) {
  expect_failure(run(2, "read_alone"), {"rank 0 is to read an array", "to end the program"});
}

TEST_F(Mpi, ARankThatThrowsEndsAll) {
  expect_failure(run(3, "throw"), {"this rank has had enough"});
}

TEST_F(Mpi, ALostRankEndsAll) { expect_failure(run(3, "lose_a_rank"), {"signal 9"}); }

// Rank 1 cannot open the file.
TEST_F(Mpi, AFileErrorOfOneRankIsAnErrorOnAll) {
  const Outcome got = run(3, "lose_a_file");
  EXPECT_EQ(got.status, 0) << got.output;
  for (const char* words : {"rank 0: /", "rank 1: /", "rank 2: /", "cannot be opened"})
    EXPECT_NE(got.output.find(words), std::string::npos) << got.output;
}

TEST_F(Mpi, ARankThatIsStuckIsNamed) {
#ifdef TUTTI_MPI_PROBE
  expect_failure(run_command(3, TUTTI_MPI_PROBE " get_stuck", "TUTTI_RANKS_TIMEOUT=2 "),
                 {"rank 1 has not come", "compute an array", "mpi_probe.cpp"});
#endif
}

// A NESL program prints once, reads its input once, and ends alike everywhere.
TEST_F(Mpi, NeslPrograms) {
#ifdef TUTTI_COMMAND
  const std::string file = testing::TempDir() + "ranks_" + std::to_string(getpid()) + ".nesl";
  const auto nesl = [&](int ranks, const std::string& text, const std::string& input) {
    std::ofstream(file) << text;
    std::ofstream(file + ".in") << input;
    return run_command(ranks, TUTTI_COMMAND " run " + file, "TUTTI_RANKS=mpi ",
                       " 2>&1 < " + file + ".in");
  };
  const std::string program = R"(
x = {rem(i * 7919, 100003) : i in [0:200000]};
sum(x);
y = {a in x | a < 5000};
sum({sqrt(float(a)) : a in y});
sort(y)[1000];
read_line(stdin);
function fib(n) = if n < 2 then n else fib(n-1) + fib(n-2) $
fib(20);
)";
  const Outcome one = nesl(1, program, "hello\nworld\n");
  EXPECT_EQ(one.status, 0) << one.output;
  EXPECT_NE(one.output.find("hello"), std::string::npos) << one.output;
  for (int ranks : {2, 3}) {
    const Outcome several = nesl(ranks, program, "hello\nworld\n");
    EXPECT_EQ(several.status, 0);
    EXPECT_EQ(several.output, one.output) << ranks << " ranks";
  }
  const Outcome wrong =
      nesl(2, "x = {i : i in [0:200000]};\nx[200000];\nsum({float(i) : i in x});\n", "");
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  EXPECT_NE(wrong.output.find("1.99999e10"), std::string::npos) << wrong.output;
#endif
}

TEST_F(Mpi, OutOfMemoryOnOneRankIsAnErrorOnAll) {
  const Outcome got = run(3, "run_out_of_memory");
  EXPECT_EQ(got.status, 0);
  for (const char* words :
       {"rank 0: rank 1 failed:", "rank 1: OutOfMemory", "rank 2: rank 1 failed:"})
    EXPECT_NE(got.output.find(words), std::string::npos) << got.output;
}

}  // namespace
