// `tutti run`, `tutti check` and `tutti explain`: whole files.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "nesl/eval/large_stack.hpp"
#include "tools/nesl_command.hpp"
#include "tools/nesl_options.hpp"
#include "tools/time_limit.hpp"

namespace tutti::tools {
namespace {

nesl::SourceRef read_source(const std::string& name) {
  if (std::filesystem::is_directory(name))
    throw UsageError(name + " is a folder; a file with a program is needed");
  std::ifstream file(name);
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a file that is not read to its end is no program
  if (file) text << file.rdbuf();
  if (!file) throw UsageError("cannot read " + name);
  return std::make_shared<nesl::Source>(nesl::Source{name, text.str()});
}

// The work with a session on a large stack; 0 if all went well, 1 after an error in the program.
template <class Work>
int with_file(const char* command, int argc, char** argv, const Work& work) {
  try {
    const NeslOptions options = read_nesl_options(argc, argv);
    if (options.help || options.file.empty()) {
      (options.help ? std::cout : std::cerr)
          << "usage: tutti " << command << " file.nesl [options] [arguments]\n"
          << nesl_options_text();
      return options.help ? 0 : 2;
    }
    const TimeLimit limit(options.seconds);
    const nesl::SourceRef source = read_source(options.file);
    bool good = false;
    nesl::with_large_stack(
        [&] {
          apply(options);
          nesl::Session session;
          apply(options, session);
          good = work(session, source, options);
        },
        stack_bytes(options));
    if (!good)
      std::cerr << "tutti " << command << ": there were errors in " << options.file << '\n';
    return good ? 0 : 1;
  } catch (const UsageError& error) {
    std::cerr << "tutti " << command << ": " << error.what() << '\n';
    return 2;
  }
}

}  // namespace

int run_command(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a process that stops reading is no reason to die
  return with_file("run", argc, argv,
                   [](nesl::Session& session, const nesl::SourceRef& source,
                      const NeslOptions& options) { return session.run(source, options.print); });
}

int check_command(int argc, char** argv) {
  return with_file("check", argc, argv,
                   [](nesl::Session& session, const nesl::SourceRef& source, const NeslOptions&) {
                     return session.check(source);
                   });
}

// Runs the program without a trial on the host, so that what would be compiled for a large input is
// compiled, and shows which functions ran which kernels.
int explain_command(int argc, char** argv) {
  return with_file(
      "explain", argc, argv,
      [](nesl::Session& session, const nesl::SourceRef& source, const NeslOptions& options) {
        if (options.mode == nesl::Evaluation::Mode::automatic)
          session.evaluation().mode = nesl::Evaluation::Mode::flat;
        session.machine().observer.count_kernels = true;
        return session.run(source, options.print);
      });
}

}  // namespace tutti::tools
