// A process of its own for each rank: mpirun -n N test_mpi_probe CASE. Prints what the test expects
// on rank 0, or fails in the way that the case asks for.
#include <sys/resource.h>
#include <unistd.h>
#include <tutti/ranks.hpp>
#include <tutti/tutti.hpp>

#include <csignal>
#include <cstdio>
#include <cstring>

using namespace tutti;

namespace {

Array<1, float> numbers(int64_t count) {
  return sin(cast<float>(Array<1, int32_t>(index(Shape<1>(count), 0) * 7919 % 10007)));
}

uint64_t bits_of(const Array<1, float>& a) {
  uint64_t hash = 1469598103934665603u;
  for (float x : a.to_vector()) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    hash = (hash ^ bits) * 1099511628211u;
  }
  return hash;
}

// A little of everything; the same line for every number of ranks.
void compute() {
  Array<1, float> a = numbers(500'000);
  for (int step = 0; step < 3; ++step) {
    a = 0.5f * a + 0.25f * (rotate(a, {1}) + rotate(a, {-1}));
    a.evaluate();
  }
  const float total = sum(a), most = max_val(a);
  const uint64_t scanned = bits_of(sum_scan(a)), sorted = bits_of(sort(a));
  const uint64_t packed = bits_of(pack(a, a > 0.0f));
  if (ranks::rank() == 0)
    std::printf("%a %a %016lx %016lx %016lx\n", total, most, scanned, sorted, packed);
}

void diverge() {
  Array<1, float> a = numbers(500'000);
  if (ranks::rank() == 1) a = a * 2.0f;
  a.evaluate();
}

void read_alone() {
  const Array<1, float> a = numbers(500'000).evaluate();
  if (ranks::rank() == 0) a.to_vector();
}

void lose_a_rank() {
  Array<1, float> a = numbers(500'000);
  for (int step = 0; step < 1000; ++step) {
    if (step == 5 && ranks::rank() == 1) kill(getpid(), SIGKILL);
    a = a + rotate(a, {1});
    a.evaluate();
  }
}

// Rank 1 may open no more files: what it throws, all throw.
void lose_a_file() {
  const std::string path = "/tmp/tutti_probe_" + std::to_string(getppid()) + ".npy";
  write_npy(path, numbers(500'000));
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  if (ranks::rank() == 1) setrlimit(RLIMIT_NOFILE, &none);
  try {
    read_npy<1, float>(path);
  } catch (const FileError& error) {
    std::fprintf(stderr, "rank %d: %s\n", ranks::rank(), error.what());
  }
  setrlimit(RLIMIT_NOFILE, &before);
  if (ranks::rank() == 0) unlink(path.c_str());
}

// A rank that never comes while the others wait for it.
void get_stuck() {
  Array<1, float> a = numbers(500'000);
  a.evaluate();
  if (ranks::rank() == 1)
    for (;;) pause();
  (a + rotate(a, {1})).evaluate();
}

// Memory for arrays is limited on one rank alone: what that rank throws, the others report.
void run_out_of_memory() {
  if (ranks::rank() == 1) {
    Settings less = settings();
    less.max_bytes = 1 << 20;
    set_settings(less);
  }
  try {
    numbers(8'000'000).evaluate();
  } catch (const OutOfMemory&) {
    std::fprintf(stderr, "rank %d: OutOfMemory\n", ranks::rank());
  } catch (const RankError& error) {
    std::fprintf(stderr, "rank %d: %s\n", ranks::rank(), error.what());
  }
}

}  // namespace

int main(int, char** arguments) {
  const std::string name = arguments[1];
  ranks::use("mpi");
  if (name == "compute") compute();
  if (name == "diverge") diverge();
  if (name == "read_alone") read_alone();
  if (name == "lose_a_rank") lose_a_rank();
  if (name == "run_out_of_memory") run_out_of_memory();
  if (name == "lose_a_file") lose_a_file();
  if (name == "get_stuck") get_stuck();
  if (name == "throw" && ranks::rank() == 1) throw Error("this rank has had enough");
  if (name == "throw") numbers(500'000).evaluate();
}
