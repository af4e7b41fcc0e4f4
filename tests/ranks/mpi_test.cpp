// Ranks that are processes, started by mpirun. Skipped where libtutti-mpi was not built.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace {

struct Outcome {
  int status = 0;
  std::string output;  // both streams
};

// No case takes longer than some seconds: a rank that waits forever is a failure, with status 124.
Outcome run(int ranks, const std::string& name) {
#ifdef TUTTI_MPI_PROBE
  const std::string root = geteuid() == 0 ? " --allow-run-as-root" : "";
  const std::string command = "timeout 60 " TUTTI_MPIEXEC + root + " --oversubscribe -n " +
                              std::to_string(ranks) + " " TUTTI_MPI_PROBE " " + name +
                              " 2>&1 < /dev/null";
  Outcome result;
  FILE* pipe = popen(command.c_str(), "r");
  char text[4096];
  while (const size_t count = fread(text, 1, sizeof text, pipe)) result.output.append(text, count);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
#else
  static_cast<void>(ranks);
  static_cast<void>(name);
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

TEST_F(Mpi, AnyNumberOfProcessesGivesTheSameBits) {
  const Outcome one = run(1, "compute");
  EXPECT_EQ(one.status, 0) << one.output;
  for (int ranks : {2, 3, 4}) {
    const Outcome several = run(ranks, "compute");
    EXPECT_EQ(several.status, 0);
    EXPECT_EQ(several.output, one.output) << ranks << " ranks";
  }
}

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

TEST_F(Mpi, OutOfMemoryOnOneRankIsAnErrorOnAll) {
  const Outcome got = run(3, "run_out_of_memory");
  EXPECT_EQ(got.status, 0);
  for (const char* words :
       {"rank 0: rank 1 failed:", "rank 1: OutOfMemory", "rank 2: rank 1 failed:"})
    EXPECT_NE(got.output.find(words), std::string::npos) << got.output;
}

}  // namespace
