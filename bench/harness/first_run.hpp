// First runs: how long a program waits for its first result, in a process of its own. Measured with
// an empty kernel cache, and again with the kernels that the first process left on disk.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "bench/harness/runner.hpp"

namespace tutti::bench {

// What one process saw.
struct FirstRun {
  double first_ms = 0;   // the first evaluation: building, planning, compiling, computing
  double steady_ms = 0;  // a later one
  int64_t plans = 0;
  int64_t kernels = 0;    // compiled in the first evaluation
  double compile_ms = 0;  // of all threads together
};

struct FirstRunResult {
  std::string name, size;
  FirstRun cold, from_disk;
  std::string error;
};

// In the process that is measured: runs one benchmark, and writes what it saw as one line.
void measure_first_run(const std::string& name, const std::string& size, std::ostream& out);

// Starts two processes for each benchmark that is asked for, of the program with this path.
std::vector<FirstRunResult> first_runs(const std::string& program, const Options& options,
                                       const std::function<void(const std::string&)>& progress);

void print_first_runs(std::ostream& out, const std::vector<FirstRunResult>& results);

}  // namespace tutti::bench
