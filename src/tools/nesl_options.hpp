// The options shared by run, check, explain and the shell.
#pragma once
#include <string>
#include <vector>

#include "nesl/session/session.hpp"
#include "tools/options.hpp"

namespace tutti::tools {

struct NeslOptions {
  std::string file;
  std::vector<std::string> arguments;  // everything after the file: for the program
  std::string device;
  std::string page;  // the file of tutti explain --html
  bool print = true;
  bool times = false;
  bool io = true;
  bool single = false;  // floats of 32 bits
  bool progress = false;
  bool help = false;
  nesl::Evaluation::Mode mode = nesl::Evaluation::Mode::automatic;
  long long memory_bytes = 0;  // 0: no limit
  double seconds = 0;          // 0: no limit
  bool limits_forms = false;   // the seconds are for each form
};

// Options may follow the file; all other arguments belong to the program. Throws UsageError.
NeslOptions read_nesl_options(int argc, char** argv);
// Returns the size of the session's stack.
std::size_t stack_bytes(const NeslOptions& options);
// Applies the options of the whole process, before its session begins: precision, device, memory.
// Called on the session's own stack, which then counts as in use.
void apply(const NeslOptions& options);
// Applies the options of the session.
void apply(const NeslOptions& options, nesl::Session& session);

// Returns the help text of a command, with those of the options that it uses: run, check, explain
// or nesl.
std::string nesl_help(std::string_view command);

}  // namespace tutti::tools
