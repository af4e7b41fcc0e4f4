// `tutti bench`: reads the arguments, runs the benchmarks, prints the results.
#include "tools/bench_command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/harness/first_run.hpp"
#include "bench/harness/report.hpp"
#include "bench/harness/runner.hpp"
#include "tools/options.hpp"

namespace tutti::tools {
namespace {

struct Arguments {
  bench::Options options;
  std::string json;
  bool list = false;
  bool help = false;
  bool first_runs = false;
  std::string first_run_of;  // name/size: measure this one in this process
};

OptionTable table_for(Arguments& result) {
  return {
      {"--small", "", "the small sizes only",
       [&](std::string_view) { result.options.small = true; }},
      {"--unfused", "", "against Tutti itself, with every operation stored",
       [&](std::string_view) { result.options.unfused = true; }},
      {"--processor-time", "", "time of the processors instead of the clock, for busy machines",
       [&](std::string_view) { result.options.processor_time = true; }},
      {"--seconds", "S", "measure each side for S seconds (default 1)",
       [&](std::string_view text) { result.options.seconds = positive_number(text, 3600); }},
      {"--json", "FILE", "write the results to FILE as well",
       [&](std::string_view name) { result.json = name; }},
      {"--first-run", "", "how long new processes wait for their first result",
       [&](std::string_view) { result.first_runs = true; }},
      {"--first-run-of", "B/S", "measure one benchmark in this process, as --first-run does",
       [&](std::string_view text) { result.first_run_of = text; }},
      {"--list", "", "show the benchmarks and run none",
       [&](std::string_view) { result.list = true; }},
  };
}

std::string usage() {
  Arguments none;
  return usage_of({"bench", "[filter] [options]",
                   "Times Tutti against hand-written C++, for the benchmarks whose names contain "
                   "the filter."},
                  table_for(none));
}

Arguments read_arguments(int argc, char** argv) {
  Arguments result;
  result.help = read_options(argc, argv, table_for(result), [&](std::string_view text) {
    std::string& filter = result.options.filter;
    if (!filter.empty())
      throw UsageError("one filter at a time: \"" + filter + "\" or \"" + std::string(text) + "\"");
    filter = text;
  });
  return result;
}

[[noreturn]] void refuse_filter(const std::string& filter) {
  throw UsageError("no benchmark has \"" + filter +
                   "\" in its name; tutti bench --list shows them");
}

int run_first(const bench::Options& options) {
  std::vector<bench::FirstRunResult> results;
  {
    bench::ProgressLine progress;
    results = bench::first_runs(std::filesystem::read_symlink("/proc/self/exe").string(), options,
                                [&](const std::string& text) { progress.show(text); });
  }
  if (results.empty()) refuse_filter(options.filter);
  bench::print_first_runs(std::cout, results);
  return std::ranges::all_of(results, &std::string::empty, &bench::FirstRunResult::error) ? 0 : 1;
}

int run_first_of(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError("--first-run-of takes a benchmark and a size, as in sum/1000x1000");
  bench::measure_first_run(text.substr(0, slash), text.substr(slash + 1), std::cout);
  return 0;
}

int run(const Arguments& arguments) {
  // Opened first, so that a bad name does not cost the minutes of a run.
  std::optional<std::ofstream> json;
  if (!arguments.json.empty()) {
    json.emplace(arguments.json);
    if (!*json) throw UsageError("cannot write to " + arguments.json);
  }
  bench::Results results;
  {
    bench::ProgressLine progress;
    results = bench::run(arguments.options, [&](const std::string& text) { progress.show(text); });
  }
  if (results.empty()) refuse_filter(arguments.options.filter);
  bench::print_table(std::cout, results);
  if (json) {
    bench::write_json(*json, results, arguments.options);
    if (!json->flush()) {
      std::cerr << "tutti bench: could not write " << arguments.json << '\n';
      return 1;
    }
  }
  return results.failed() ? 1 : 0;
}

}  // namespace

int bench_command(int argc, char** argv) {
  try {
    const Arguments arguments = read_arguments(argc, argv);
    if (arguments.help) {
      std::cout << usage();
      return 0;
    }
    if (arguments.list) {
      bench::print_list(std::cout, arguments.options);
      return 0;
    }
    if (!arguments.first_run_of.empty()) return run_first_of(arguments.first_run_of);
    if (arguments.first_runs) return run_first(arguments.options);
    return run(arguments);
  } catch (const UsageError& error) {
    std::cerr << "tutti bench: " << error.what() << '\n' << usage();
    return 2;
  }
}

}  // namespace tutti::tools
