// A process of its own for each rank: mpirun -n N test_mpi_probe CASE. Prints what the test expects
// on rank 0, or fails in the way that the case asks for.
#include <sys/resource.h>
#include <unistd.h>
#include <tutti/ranks.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <cmath>
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

Seq<int> quicksort(Seq<int> a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        Scalar<int> pivot = a[length(a) / 2];
        Seq<int> lesser = filter(a, a < pivot), equal = filter(a, a == pivot),
                 greater = filter(a, a > pivot);
        Seq<Seq<int>> sorted = each(seq(lesser, greater), quicksort);
        return concat(sorted[0], equal, sorted[1]);
      });
}

// Nested sequences: a recursion, and a sparse matrix times a vector.
void nest() {
  ranks::split_from(1000);
  std::vector<int> keys(5'000);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i * 2654435761u % 50'000);
  const std::vector<int> sorted = quicksort(Seq<int>(keys)).to_vector();
  std::vector<std::vector<int>> columns(3000);
  std::vector<std::vector<float>> values(3000);
  for (size_t row = 0; row < columns.size(); ++row)
    for (size_t k = 0; k < row % 9; ++k) {
      columns[row].push_back(static_cast<int>((row * 31 + k * 17) % 5000));
      values[row].push_back(static_cast<float>(row) * 0.01f + static_cast<float>(k));
    }
  std::vector<float> dense(5000);
  for (size_t i = 0; i < dense.size(); ++i) dense[i] = std::sin(static_cast<float>(i));
  const Seq<float> v(dense);
  const std::vector<float> product =
      each(Seq<Seq<int>>(columns), Seq<Seq<float>>(values), [&](Seq<int> column, Seq<float> value) {
        return sum(value * v[column]);
      }).to_vector();
  if (ranks::rank() == 0)
    std::printf("%d %d %016lx\n", static_cast<int>(std::ranges::is_sorted(sorted)), sorted[777],
                bits_of(Array<1, float>(product)));
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
  if (name == "nest") nest();
  if (name == "diverge") diverge();
  if (name == "read_alone") read_alone();
  if (name == "lose_a_rank") lose_a_rank();
  if (name == "run_out_of_memory") run_out_of_memory();
  if (name == "lose_a_file") lose_a_file();
  if (name == "get_stuck") get_stuck();
  if (name == "throw" && ranks::rank() == 1) throw Error("this rank has had enough");
  if (name == "throw") numbers(500'000).evaluate();
}
