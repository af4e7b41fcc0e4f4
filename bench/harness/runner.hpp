// Runs benchmarks and times them. Both sides of a comparison run in turns in the same process, so
// that whatever the machine does meanwhile happens to both; nothing is decided by the times.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/registry.hpp"

namespace tutti::bench {

struct Options {
  std::string filter;           // a part of the name; empty for all
  double seconds = 1;           // of measuring, for each side
  bool small = false;           // the small sizes only
  bool unfused = false;         // the baseline is Tutti without fusion
  bool processor_time = false;  // of all threads, instead of the clock: for a busy machine
};

struct Timing {  // in seconds
  double median = 0;
  double minimum = 0;
  int repetitions = 0;
};

struct ComparisonResult {
  std::string name, size;
  Timing tutti, baseline;
  double bytes = 0;
  double disagreement = 0;
  double tolerance = 0;
  std::string error;  // why there are no times; empty if there are

  double ratio() const { return baseline.median / tutti.median; }  // above 1: Tutti is faster
};

struct GaugeResult {
  std::string name, description, unit;
  double median = 0, minimum = 0;  // in the unit
  int repetitions = 0;
  std::string error;
};

struct Results {
  std::vector<ComparisonResult> comparisons;
  std::vector<GaugeResult> gauges;
  bool empty() const { return comparisons.empty() && gauges.empty(); }
  bool failed() const;  // something threw, or the two sides disagreed
};

// Whether a benchmark of this name is asked for.
bool selected(const Options& options, const std::string& name);

// Calls progress with a line that says what is happening.
Results run(const Options& options, const std::function<void(const std::string&)>& progress);

}  // namespace tutti::bench
