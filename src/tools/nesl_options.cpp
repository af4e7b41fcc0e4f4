#include "tools/nesl_options.hpp"

#include <sys/resource.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <string_view>
#include <thread>

#include "nesl/eval/large_stack.hpp"
#include "nesl/eval/precision.hpp"
#include "nesl/types/infer.hpp"
#include "tools/options.hpp"
#include "tutti/device.hpp"

namespace tutti::tools {
namespace {

OptionTable table_for(NeslOptions& result) {
  using Mode = nesl::Evaluation::Mode;
  const auto flag = [](auto& target, auto value) {
    return [&target, value](std::string_view) { target = value; };
  };
  return {
      {"--device", "NAME", "cpu, cuda, cuda:1, ...",
       [&](std::string_view name) { result.device = name; }},
      {"--print", "", "print the result of each form (the default)", flag(result.print, true)},
      {"--no-print", "", "print only what the program prints itself", flag(result.print, false)},
      {"--time", "", "print how long each form took", flag(result.times, true)},
      {"--progress", "", "show on a terminal what a long program is doing",
       flag(result.progress, true)},
      {"--single", "", "floats of 32 bits instead of 64", flag(result.single, true)},
      {"--no-io", "", "forbid the program to use files and processes", flag(result.io, false)},
      {"--memory", "BYTES", "stop the program beyond this much memory (500M, 4G)",
       [&](std::string_view text) { result.memory_bytes = size_in_bytes(text); }},
      {"--time-limit", "S", "stop the program after S seconds; in a shell, each form",
       [&](std::string_view text) { result.seconds = positive_number(text); }},
      {"--html", "FILE", "write a page with the kernels that ran",
       [&](std::string_view file) { result.page = file; }},
      {"", "", "Evaluators, for comparisons:", {}},
      {"--plain", "", "interpret the program on the host, flatten nothing",
       flag(result.mode, Mode::plain)},
      {"--mixed", "", "flatten parallel parts without a trial on the host",
       flag(result.mode, Mode::mixed)},
      {"--flat", "", "flatten everything, serial parts too", flag(result.mode, Mode::flat)},
  };
}

// Returns the writable memory of the process, including its stacks.
long long bytes_now() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long long kilobytes = 0; word == "VmData:" && status >> kilobytes) return kilobytes << 10;
  throw Error("the memory limit cannot be set: /proc/self/status does not say what is in use");
}

// Returns the memory of the compiler and the compute threads, besides the program's data.
long long bytes_of_the_runtime() {
  constexpr long long compiler = 64ll << 20, thread = 9ll << 20;
  return compiler + thread * std::max(1u, std::thread::hardware_concurrency());
}

// Lets malloc() keep what is freed for the next allocation, also of large sequences. Otherwise each
// of them is mapped anew, and the system fills its pages with zeros each time.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int largest_from_the_heap = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, largest_from_the_heap);
  mallopt(M_TRIM_THRESHOLD, largest_from_the_heap);
#endif
}

}  // namespace

NeslOptions read_nesl_options(int argc, char** argv) {
  NeslOptions result;
  const auto operand = [&](std::string_view text) {
    if (result.file.empty())
      result.file = text;
    else
      result.arguments.emplace_back(text);
  };
  result.help = read_options(argc, argv, table_for(result), operand);
  return result;
}

std::string nesl_help(std::string_view command) {
  static constexpr Command commands[] = {
      {"run", "file.nesl [options] [arguments]",
       "Runs a NESL program. Arguments after the file are the program's."},
      {"check", "file.nesl [options]",
       "Checks the syntax and the types of a NESL program, and runs nothing."},
      {"explain", "file.nesl [options] [arguments]",
       "Runs a NESL program, compiled as for large inputs, and prints the kernels of each "
       "function."},
      {"nesl", "[file.nesl] [options]", "Starts the NESL shell, after loading the file."},
  };
  const auto uses = [&](std::string_view option) {
    if (command == "check")
      return option == "--single" || option == "--memory" || option == "--time-limit";
    return command == "explain" || option != "--html";
  };
  NeslOptions none;
  OptionTable table = table_for(none);
  std::erase_if(table, [&](const Option& option) { return !uses(option.name); });
  return usage_of(*std::ranges::find(commands, command, &Command::name), table);
}

// Recursion takes memory too: the stack gets half of the limit on data, in addition to it.
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
  } else {
    keep_freed_memory();  // what is kept would count against a limit
  }
}

void apply(const NeslOptions& options, nesl::Session& session) {
  if (options.limits_forms)
    session.seconds_for_a_form = options.seconds;
  else if (options.seconds > 0)
    session.machine().set_time_limit(options.seconds);
  session.machine().allow_io = options.io;
  session.evaluation().mode = options.mode;
  session.times = options.times;
  session.set_stack(stack_bytes(options));
  session.set_arguments(options.arguments);
  if (options.io) session.set_surroundings();
}

}  // namespace tutti::tools
