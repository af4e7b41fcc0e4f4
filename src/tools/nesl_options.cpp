#include "tools/nesl_options.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <thread>

#include "nesl/eval/large_stack.hpp"
#include "nesl/eval/precision.hpp"
#include "nesl/types/infer.hpp"
#include "tutti/device.hpp"

namespace tutti::tools {
namespace {

double read_number(std::string_view option, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number > 0))
    throw UsageError(std::string(option) + " takes a positive number, not \"" + std::string(text) +
                     "\"");
  return number;
}

// 500, 64K, 200M, 4G
long long read_bytes(std::string_view option, std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K':
        unit = 1 << 10;
        break;
      case 'm':
      case 'M':
        unit = 1 << 20;
        break;
      case 'g':
      case 'G':
        unit = 1 << 30;
        break;
      default:
        break;
    }
    if (unit != 1) text.remove_suffix(1);
  }
  return static_cast<long long>(read_number(option, text) * unit);
}

// Writable memory that the process has by now, its stacks included.
long long bytes_now() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long long kilobytes = 0; word == "VmData:" && status >> kilobytes) return kilobytes << 10;
  throw Error("the memory limit cannot be set: /proc/self/status does not say what is in use");
}

// What the compiler and the threads that compute need besides the data of the program.
long long bytes_of_the_runtime() {
  constexpr long long compiler = 64ll << 20, thread = 9ll << 20;
  return compiler + thread * std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

const char* const nesl_options_text =
    "  --device NAME     cpu, cuda, cuda:1, ...\n"
    "  --print           print the result of each form (the default)\n"
    "  --no-print        print only what the program prints itself\n"
    "  --time            print how long each form took\n"
    "  --single          floats of 32 bits instead of 64\n"
    "  --no-io           forbid files and processes\n"
    "  --memory BYTES    stop the program beyond this much memory (500M, 4G)\n"
    "  --time-limit S    stop the program after S seconds\n"
    "For looking into the evaluators:\n"
    "  --plain           walk the program element by element, flatten nothing\n"
    "  --mixed           no trial before flattening what is parallel\n"
    "  --flat            flatten everything, also what is serial\n";

NeslOptions read_nesl_options(int argc, char** argv) {
  NeslOptions result;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!result.file.empty()) {
      // Options may follow the file; what is none belongs to the program.
      if (!argument.starts_with("--")) {
        result.arguments.emplace_back(argument);
        continue;
      }
    }
    const auto value = [&]() -> std::string_view {
      if (i + 1 == argc) throw UsageError(std::string(argument) + " needs a value");
      return argv[++i];
    };
    if (argument == "--device")
      result.device = value();
    else if (argument == "--print")
      result.print = true;
    else if (argument == "--no-print")
      result.print = false;
    else if (argument == "--time")
      result.times = true;
    else if (argument == "--single")
      result.single = true;
    else if (argument == "--no-io")
      result.io = false;
    else if (argument == "--memory")
      result.memory_bytes = read_bytes(argument, value());
    else if (argument == "--time-limit")
      result.seconds = read_number(argument, value());
    else if (argument == "--plain")
      result.mode = nesl::Evaluation::Mode::plain;
    else if (argument == "--mixed")
      result.mode = nesl::Evaluation::Mode::mixed;
    else if (argument == "--flat")
      result.mode = nesl::Evaluation::Mode::flat;
    else if (argument == "--help" || argument == "-h")
      result.help = true;
    else if (argument.starts_with("--"))
      throw UsageError("there is no option " + std::string(argument));
    else
      result.file = argument;
  }
  return result;
}

// Recursion takes memory, too: half as much again as the limit allows for data.
std::size_t stack_bytes(const NeslOptions& options) {
  constexpr long long least = 16ll << 20, most = nesl::evaluation_stack_bytes;
  if (options.memory_bytes <= 0) return most;
  return static_cast<std::size_t>(std::clamp(options.memory_bytes / 2, least, most));
}

void apply(const NeslOptions& options) {
  nesl::set_precision(options.single ? nesl::Precision::single : nesl::Precision::full);
  if (!options.device.empty()) tutti::use(options.device);
  if (options.memory_bytes > 0) {
    const auto most =
        static_cast<rlim_t>(options.memory_bytes + bytes_now() + bytes_of_the_runtime());
    const rlimit limit{most, most};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) throw Error("the memory limit cannot be set");
  }
}

void apply(const NeslOptions& options, nesl::Session& session) {
  if (options.seconds > 0) session.machine().set_time_limit(options.seconds);
  session.machine().allow_io = options.io;
  session.evaluation().mode = options.mode;
  session.times = options.times;
  session.set_stack(stack_bytes(options));
  session.set_arguments(options.arguments);
  if (options.io) session.set_surroundings();
}

}  // namespace tutti::tools
