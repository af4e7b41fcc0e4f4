// The tutti command.
#include <cstdio>
#include <cstring>
#include <string>

#include "tools/bench_command.hpp"
#include "tools/doctor_command.hpp"
#include "tools/info_command.hpp"
#include "tools/nesl_command.hpp"
#include "tools/profile_command.hpp"
#include "tools/replay_command.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

namespace tutti::tools {
extern const char* const commit;  // written by the build; empty outside of a git checkout
}

namespace {

constexpr const char* usage =
    "usage: tutti <command> [options]\n"
    "\n"
    "  run file.nesl [arguments]      run a NESL program\n"
    "  check file.nesl                check the types of a NESL program, and run nothing\n"
    "  explain file.nesl [arguments]  run a NESL program, and print its kernels by function\n"
    "  nesl [file.nesl]               the NESL shell; also without any command\n"
    "  profile program [arguments]    run a program or file.nesl, and print where its time went\n"
    "  info                           version, devices, vector width, disk cache\n"
    "  doctor                         look for problems of this machine, and how to solve them\n"
    "  bench [filter]                 time Tutti against hand-written C++\n"
    "  replay file.graph              compute a graph again that an internal error has saved\n"
    "  version                        the version and the commit\n"
    "  help                           this text\n"
    "\n"
    "tutti <command> --help lists the options of a command.\n";

int bench([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef TUTTI_BENCH
  return tutti::tools::bench_command(argc, argv);
#else
  std::fputs(
      "tutti bench: this command was built without the benchmarks; build Tutti from its "
      "sources to have them\n",
      stderr);
  return 2;
#endif
}

int run(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "nesl";
  if (command == "run") return tutti::tools::run_command(argc - 2, argv + 2);
  if (command == "check") return tutti::tools::check_command(argc - 2, argv + 2);
  if (command == "explain") return tutti::tools::explain_command(argc - 2, argv + 2);
  if (command == "nesl") return tutti::tools::shell_command(argc - 2, argv + 2);
  if (command == "info") return tutti::tools::info_command(argc - 2, argv + 2);
  if (command == "profile") return tutti::tools::profile_command(argc - 2, argv + 2);
  if (command == "doctor") return tutti::tools::doctor_command(argc - 2, argv + 2);
  if (command == "bench") return bench(argc - 2, argv + 2);
  if (command == "replay") return tutti::tools::replay_command(argc - 2, argv + 2);
  if (command == "version" || command == "--version") {
    const std::string commit = tutti::tools::commit;
    std::printf("tutti %s%s\n", tutti::version(),
                commit.empty() ? "" : (" (" + commit + ")").c_str());
    return 0;
  }
  if (command == "help" || command == "--help" || command == "-h") {
    std::fputs(usage, stdout);
    return 0;
  }
  std::fprintf(stderr, "tutti: there is no command '%s'\n\n%s", command.c_str(), usage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tutti: %s\n", error.what());
    return 1;
  }
}
