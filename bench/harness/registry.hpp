// What a benchmark is, and the list of all of them.
// A comparison times the same work by Tutti and by a hand-written baseline, and checks that the
// results agree. A gauge is one absolute figure of Tutti alone, such as the time of a compilation.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness/host_array.hpp"

namespace tutti::bench {

// An array that lives as long as it is held.
struct SharedArray {
  HostArray array;
  std::shared_ptr<void> owner;
};

// One comparison at one size, with its inputs ready. Both sides may run any number of times.
struct Workload {
  std::function<void()> tutti;           // builds the expression anew and evaluates it
  std::function<void()> baseline;        // writes into memory that was allocated before
  std::function<double()> disagreement;  // max |A - A'| / max |A|, once the baseline has run
  double bytes = 0;  // the least a repetition reads and writes; 0 where bandwidth says nothing
  double quiet = 0;  // seconds of silence that a side needs before it is timed

  // What the baseline reads and writes, so that one of another kind (hand-written CUDA) can take
  // its place: after it has written the outputs, disagreement() speaks of its results.
  // The workload keeps them alive: its functions may hold plain pointers.
  std::vector<SharedArray> inputs{};
  std::vector<SharedArray> outputs{};
};

struct Size {
  std::string name;
  bool small;  // what --small keeps
  std::function<Workload()> prepare;
};

struct Comparison {
  std::string name;
  std::string description;
  std::vector<Size> sizes;
  std::vector<Size> gpu_sizes{};  // large enough to fill a GPU; gpu_compare runs them
  double tolerance = 1e-6;  // on the disagreement: the bound of the Accelerator paper, section 6
  std::string reason{};     // why the tolerance is larger, where it is
};

// One repetition of a gauge is before(), which is not timed, and then run().
struct Probe {
  std::function<void()> before;
  std::function<void()> run;
  std::function<void(int repetitions)> check;  // throws unless the repetitions did what they claim
  double operations = 1;                       // that one run() stands for
};

struct Gauge {
  std::string name;
  std::string description;
  std::string unit;       // "ns", "us" or "ms"
  double units_a_second;  // 1e9, 1e6 or 1e3
  std::function<Probe()> prepare;
};

std::vector<Comparison> comparisons();
std::vector<Gauge> gauges();

Size square_size(int side, Workload (*prepare)(int side));

// side x side, the size of the paper, and sixteen times as many elements.
std::vector<Size> square_sizes(int side, Workload (*prepare)(int side));

}  // namespace tutti::bench
