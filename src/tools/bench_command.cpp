// `tutti bench`: reads the arguments, runs the benchmarks, shows the results.
#include "tools/bench_command.hpp"

#include <charconv>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/report.hpp"
#include "bench/runner.hpp"

namespace tutti::tools {
namespace {

constexpr const char* usage =
    "usage: tutti bench [filter] [--small] [--unfused] [--seconds S] [--json FILE] [--list]\n"
    "  filter       run the benchmarks whose names contain it\n"
    "  --small      the small sizes only\n"
    "  --unfused    against Tutti itself, with every operation stored\n"
    "  --seconds S  measure each side for S seconds (default 1)\n"
    "  --json FILE  write the results to FILE as well\n"
    "  --list       show the benchmarks and run none\n";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Arguments {
  bench::Options options;
  std::string json;
  bool list = false;
  bool help = false;
};

double read_seconds(std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (!number || !(seconds > 0 && seconds <= 3600))
    throw UsageError("--seconds takes a number above 0 and up to 3600, not \"" + std::string(text) +
                     "\"");
  return seconds;
}

Arguments read_arguments(int argc, char** argv) {
  Arguments result;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    auto value = [&](const char* what) -> std::string {
      if (i + 1 == argc) throw UsageError(std::string(argument) + " needs " + what);
      return argv[++i];
    };
    if (argument == "--small")
      result.options.small = true;
    else if (argument == "--unfused")
      result.options.unfused = true;
    else if (argument == "--list")
      result.list = true;
    else if (argument == "--help" || argument == "-h")
      result.help = true;
    else if (argument == "--json")
      result.json = value("the name of a file");
    else if (argument == "--seconds")
      result.options.seconds = read_seconds(value("a number"));
    else if (argument.starts_with("-"))
      throw UsageError("there is no option " + std::string(argument));
    else if (!result.options.filter.empty())
      throw UsageError("one filter at a time: \"" + result.options.filter + "\" or \"" +
                       std::string(argument) + "\"");
    else
      result.options.filter = argument;
  }
  return result;
}

int run(const Arguments& arguments) {
  // Opened first: a bad name should not cost the minutes of a run.
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
  if (results.empty())
    throw UsageError("no benchmark has \"" + arguments.options.filter +
                     "\" in its name; tutti bench --list shows them");
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
      std::cout << usage;
      return 0;
    }
    if (arguments.list) {
      bench::print_list(std::cout, arguments.options);
      return 0;
    }
    return run(arguments);
  } catch (const UsageError& error) {
    std::cerr << "tutti bench: " << error.what() << '\n' << usage;
    return 2;
  }
}

}  // namespace tutti::tools
