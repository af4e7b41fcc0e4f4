#include "bench/harness/first_run.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "tutti/device.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/runtime.hpp"

namespace tutti::bench {
namespace {

constexpr int later_runs = 3;

double milliseconds_of(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

const Size& size_called(const std::string& name, const std::string& size) {
  for (const Comparison& benchmark : comparisons())
    if (benchmark.name == name)
      for (const Size& s : benchmark.sizes)
        if (s.name == size) return s;
  throw std::runtime_error("no benchmark " + name + " of size " + size);
}

// A folder that is removed with what it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "tutti_first_run.XXXXXX").string();
    if (!mkdtemp(path_.data())) throw std::runtime_error("cannot make a folder like " + path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;  // what stays behind is a temporary file
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

FirstRun run_in_process(const std::string& program, const std::string& name,
                        const std::string& size, const std::string& cache) {
  const std::string command = "TUTTI_CACHE=1 TUTTI_CACHE_DIR=" + quoted(cache) + " " +
                              quoted(program) + " bench --first-run-of " +
                              quoted(name + "/" + size);
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + program);
  std::string text;
  std::array<char, 256> part;
  while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
  const int status = pclose(pipe);
  FirstRun run;
  std::istringstream in(text);
  in >> run.first_ms >> run.steady_ms >> run.plans >> run.kernels >> run.compile_ms;
  if (status != 0 || !in) throw std::runtime_error("the process failed: " + text);
  return run;
}

}  // namespace

void measure_first_run(const std::string& name, const std::string& size, std::ostream& out) {
  const Workload workload = size_called(name, size).prepare();
  // The device's own start, and loading LLVM's tables, belong to the process.
  (Array<1, float>(Shape<1>(2), 1.0f) + 1.0f).evaluate();
  synchronize();
  const Statistics before = statistics();
  const auto run = [&] { workload.tutti(), synchronize(); };
  const double first = milliseconds_of(run);
  const Statistics after = statistics();
  double steady = first;
  for (int i = 0; i < later_runs; ++i) steady = std::min(steady, milliseconds_of(run));
  out << first << ' ' << steady << ' ' << after.plans_built - before.plans_built << ' '
      << after.kernels_compiled - before.kernels_compiled << ' '
      << 1e3 * (after.compile_seconds - before.compile_seconds) << '\n';
}

std::vector<FirstRunResult> first_runs(const std::string& program, const Options& options,
                                       const std::function<void(const std::string&)>& progress) {
  std::vector<FirstRunResult> results;
  for (const Comparison& benchmark : comparisons()) {
    if (!selected(options, benchmark.name)) continue;
    for (const Size& size : benchmark.sizes) {
      if (options.small && !size.small) continue;
      progress(benchmark.name + " " + size.name);
      FirstRunResult result{benchmark.name, size.name, {}, {}, {}};
      try {
        const TemporaryFolder cache;
        result.cold = run_in_process(program, benchmark.name, size.name, cache.path());
        result.from_disk = run_in_process(program, benchmark.name, size.name, cache.path());
      } catch (const std::exception& error) {
        result.error = error.what();
      }
      results.push_back(std::move(result));
    }
  }
  return results;
}

void print_first_runs(std::ostream& out, const std::vector<FirstRunResult>& results) {
  out << std::left << std::setw(19) << "benchmark" << std::setw(11) << "size" << std::right
      << std::setw(10) << "first ms" << std::setw(14) << "from disk ms" << std::setw(11)
      << "later ms" << std::setw(8) << "plans" << std::setw(9) << "kernels" << std::setw(13)
      << "compiling ms" << '\n';
  for (const FirstRunResult& r : results) {
    out << std::left << std::setw(19) << r.name << std::setw(11) << r.size;
    if (!r.error.empty()) {
      out << "  " << r.error << '\n';
      continue;
    }
    out << std::right << std::fixed << std::setprecision(1) << std::setw(10) << r.cold.first_ms
        << std::setw(14) << r.from_disk.first_ms << std::setw(11) << r.from_disk.steady_ms
        << std::setw(8) << r.cold.plans << std::setw(9) << r.cold.kernels << std::setw(13)
        << r.cold.compile_ms << std::endl;
  }
  out << "The first evaluation in a new process: with an empty kernel cache, and with the kernels "
         "that it left on disk.\nPlans, kernels and the time of compiling (all threads) are those "
         "of the first.\n";
}

}  // namespace tutti::bench
