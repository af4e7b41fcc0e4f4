// Runs benchmarks and times them.
#include "bench/harness/runner.hpp"
#include "bench/vectors/unfused.hpp"
#include "tutti/device.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <sstream>
#include <thread>

#include "tutti/runtime.hpp"

namespace tutti::bench {
namespace {

using Progress = std::function<void(const std::string&)>;
using Clock = std::chrono::steady_clock;

// The first call compiles and allocates; the second finds caches and clock rates still settling.
constexpr int warm_up_calls = 2;
constexpr int least_rounds = 3;  // of both sides: a median of fewer is none

double clock_seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// What measures time: run() chooses it.
double (*now)() = clock_seconds;

double seconds_of(const std::function<void()>& work) {
  const double start = now();
  work();
  return now() - start;
}

// The repetitions of one side.
class Samples {
 public:
  void add(double seconds) {
    seconds_.push_back(seconds);
    total_ += seconds;
  }
  double total() const { return total_; }
  Timing timing() const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    const size_t n = sorted.size();
    return {(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], static_cast<int>(n)};
  }

 private:
  std::vector<double> seconds_;
  double total_ = 0;
};

void rest(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// One side's turn: repetitions for at least this long, and at least one.
void take_turn(const std::function<void()>& side, double seconds, Samples& samples) {
  const double end = samples.total() + seconds;
  do {
    samples.add(seconds_of(side));
  } while (samples.total() < end);
}

void measure(const Workload& workload, double seconds, ComparisonResult& result) {
  // Many short turns, but fewer and longer ones where silence is needed in between.
  const double turn = seconds / (workload.quiet > 0 ? 5 : 20);
  Samples baseline, tutti;
  for (int round = 0; round < least_rounds || baseline.total() < seconds || tutti.total() < seconds;
       ++round) {
    rest(workload.quiet);
    take_turn(workload.baseline, turn, baseline);
    rest(workload.quiet);
    take_turn([&] { workload.tutti(), synchronize(); }, turn,
              tutti);  // a GPU has only been asked so far
  }
  result.baseline = baseline.timing();
  result.tutti = tutti.timing();
}

void compare(const Comparison& benchmark, const Size& size, double seconds,
             ComparisonResult& result) {
  const Workload workload = size.prepare();
  result.bytes = workload.bytes;
  for (int i = 0; i < warm_up_calls; ++i) {
    workload.baseline();
    workload.tutti();
  }
  result.disagreement = workload.disagreement();
  if (!(result.disagreement < benchmark.tolerance)) {  // a time for a wrong result means nothing
    std::ostringstream text;
    text << "the results disagree: " << result.disagreement << ", tolerance "
         << benchmark.tolerance;
    result.error = text.str();
    return;
  }
  measure(workload, seconds, result);
}

ComparisonResult run_comparison(const Comparison& benchmark, const Size& size, double seconds) {
  ComparisonResult result;
  result.name = benchmark.name;
  result.size = size.name;
  result.tolerance = benchmark.tolerance;
  try {
    compare(benchmark, size, seconds, result);
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  trim_pool();  // the next benchmark finds the memory as this one did
  return result;
}

void measure(const Gauge& gauge, double seconds, GaugeResult& result) {
  const Probe probe = gauge.prepare();
  for (int i = 0; i < warm_up_calls; ++i) {
    probe.before();
    probe.run();
  }
  Samples samples;
  do {
    probe.before();
    samples.add(seconds_of(probe.run));
  } while (samples.total() < seconds);
  const Timing timing = samples.timing();
  probe.check(timing.repetitions);
  const double scale = gauge.units_a_second / probe.operations;
  result.median = timing.median * scale;
  result.minimum = timing.minimum * scale;
  result.repetitions = timing.repetitions;
}

GaugeResult run_gauge(const Gauge& gauge, double seconds) {
  GaugeResult result;
  result.name = gauge.name;
  result.description = gauge.description;
  result.unit = gauge.unit;
  try {
    measure(gauge, seconds, result);
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

}  // namespace

bool Results::failed() const {
  auto has_error = [](const auto& result) { return !result.error.empty(); };
  return std::any_of(comparisons.begin(), comparisons.end(), has_error) ||
         std::any_of(gauges.begin(), gauges.end(), has_error);
}

bool selected(const Options& options, const std::string& name) {
  return name.find(options.filter) != std::string::npos;
}

Results run(const Options& options, const Progress& progress) {
  now = options.processor_time ? processor_seconds : clock_seconds;
  Settings steady = settings();  // what is timed never runs elsewhere for want of code
  steady.wait_for_compiler = true;
  set_settings(steady);
  Results results;
  for (const Comparison& benchmark :
       options.unfused ? against_unfused(comparisons()) : comparisons()) {
    if (!selected(options, benchmark.name)) continue;
    for (const Size& size : benchmark.sizes) {
      if (options.small && !size.small) continue;
      progress(benchmark.name + " " + size.name);
      results.comparisons.push_back(run_comparison(benchmark, size, options.seconds));
    }
  }
  for (const Gauge& gauge : gauges()) {
    if (!selected(options, gauge.name)) continue;
    progress(gauge.name);
    results.gauges.push_back(run_gauge(gauge, options.seconds));
  }
  return results;
}

}  // namespace tutti::bench
